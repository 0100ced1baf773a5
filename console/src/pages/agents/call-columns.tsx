import type { Receipt } from '../../api/types.ts';
import type { Column } from '../../kit/row-cells.tsx';
import { Badge, OutcomeBadge, TierBadge } from '../../kit/tier.tsx';
import { Duration, Time } from '../../kit/values.tsx';

/** A call in a list: what really ran it, for whom, and the tools in it. */
export const CALL_COLUMNS: readonly Column<Receipt>[] = [
  {
    key: 'time',
    title: 'Started',
    width: '5.25rem',
    narrow: 'second-end',
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  {
    key: 'runtime',
    title: 'Runtime',
    width: '6.5rem',
    narrow: 'first',
    cell: ({ served }) => <TierBadge tier={served?.tier ?? null} />,
  },
  {
    key: 'deployment',
    title: 'Deployment',
    width: 'minmax(6rem, 1fr)',
    narrow: 'first',
    cell: ({ served }) => served?.deployment ?? <None />,
  },
  { key: 'client', title: 'Client', width: 'minmax(7rem, 1.1fr)', narrow: 'hidden', cell: client },
  {
    key: 'by',
    title: 'Called by',
    width: 'minmax(5rem, 0.8fr)',
    narrow: 'hidden',
    cell: ({ role, principal }) => role ?? principal,
  },
  { key: 'offered', title: 'Offered', width: '4rem', align: 'end', narrow: 'hidden', cell: offered },
  { key: 'outcome', title: 'Outcome', width: 'minmax(6rem, 1.2fr)', narrow: 'second', cell: outcome },
  { key: 'called', title: 'Tools called', width: 'minmax(8rem, 1.6fr)', narrow: 'second', cell: called },
  {
    key: 'duration',
    title: 'Duration',
    width: '5rem',
    align: 'end',
    narrow: 'first-end',
    cell: ({ durationMs }) => <Duration ms={durationMs} />,
  },
];

function None() {
  return <span className="text-faint">–</span>;
}

function client({ served }: Receipt) {
  if (served === null) return <None />;
  return (
    <span title={`${served.provider}: ${served.model}`}>
      {served.provider} <span className="font-mono text-faint text-xs">{served.model}</span>
    </span>
  );
}

function offered({ proof: { toolsOffered } }: Receipt) {
  return (
    <span className="font-mono text-xs" title={toolsOffered.join(', ')}>
      {toolsOffered.length === 0 ? <None /> : toolsOffered.length}
    </span>
  );
}

function called({ proof: { toolsOffered, toolsCalled } }: Receipt) {
  if (toolsCalled.length > 0) return <span title={toolsCalled.join(', ')}>{toolsCalled.join(', ')}</span>;
  if (toolsOffered.length > 0) return <span className="text-muted">none of them</span>;
  return <span className="hidden text-faint wide:inline">–</span>;
}

function outcome(receipt: Receipt) {
  if (receipt.outcome === 'truncated' && receipt.fallbackReason !== undefined) {
    return <Badge sign="degraded" word="truncated, fell back" />;
  }
  return <OutcomeBadge {...receipt} />;
}
