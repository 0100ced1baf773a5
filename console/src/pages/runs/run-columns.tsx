import type { RunSummary } from '../../api/types.ts';
import { formatCount } from '../../kit/format.ts';
import type { Column } from '../../kit/row-cells.tsx';
import { Badge, OutcomeBadge, TierBadge } from '../../kit/tier.tsx';
import { Duration, Money, ShortId, Time } from '../../kit/values.tsx';

/** A run in a list: when, what was asked, who served, how it ended, what it took. */
export const RUN_COLUMNS: readonly Column<RunSummary>[] = [
  {
    key: 'time',
    title: 'Started',
    width: '5.25rem',
    narrow: 'second-end',
    cell: (run) => <Time at={run.startedAt} />,
  },
  { key: 'id', title: 'Run', width: '5.5rem', narrow: 'hidden', cell: (run) => <ShortId id={run.id} /> },
  {
    key: 'requested',
    title: 'Asked for',
    width: 'minmax(6rem, 1.1fr)',
    narrow: 'first',
    cell: (run) => run.requested,
  },
  { key: 'principal', title: 'By', width: '5rem', narrow: 'hidden', cell: (run) => run.principal },
  { key: 'served', title: 'Served by', width: 'minmax(8rem, 1.2fr)', narrow: 'second', cell: served },
  { key: 'outcome', title: 'Outcome', width: 'minmax(7rem, 1.5fr)', narrow: 'second', cell: outcome },
  {
    key: 'duration',
    title: 'Duration',
    width: '5rem',
    align: 'end',
    narrow: 'first-end',
    cell: (run) => <Duration ms={run.outcome === 'running' ? null : run.durationMs} />,
  },
  { key: 'tokens', title: 'Tokens', width: '4.5rem', align: 'end', narrow: 'hidden', cell: tokens },
  {
    key: 'cost',
    title: 'Cost',
    width: '4.5rem',
    align: 'end',
    narrow: 'hidden',
    cell: (run) => <Money cost={run.cost} />,
  },
];

function served(run: RunSummary) {
  if (run.served) return <Badge sign={run.served.tier} word={run.served.deployment} />;
  return run.outcome === 'running' ? <span className="text-faint">–</span> : <TierBadge tier={null} />;
}

function outcome({ outcome, fallbackReason }: RunSummary) {
  return <OutcomeBadge outcome={outcome} {...(fallbackReason ? { fallbackReason } : {})} />;
}

function tokens({ usage }: RunSummary) {
  const count = formatCount(usage.inputTokens + usage.outputTokens);
  const exact = usage.source === 'reported';
  return (
    <span
      className="font-mono text-xs"
      title={`${usage.source}: ${usage.inputTokens} in, ${usage.outputTokens} out`}
    >
      {exact ? count : <span className="text-faint">~{count}</span>}
    </span>
  );
}
