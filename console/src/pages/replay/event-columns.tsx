import type { TraceEvent } from '../../api/types.ts';
import { formatClock, formatCount, formatExact } from '../../kit/format.ts';
import type { Column } from '../../kit/row-cells.tsx';
import { Glyph } from '../../kit/tier.tsx';
import { ShortId } from '../../kit/values.tsx';
import { signOf } from './event-sign.ts';

/** An event in a list: when, what, who, and in which run. */
export const EVENT_COLUMNS: readonly Column<TraceEvent>[] = [
  { key: 'time', title: 'Time', width: '6.5rem', narrow: 'second-end', cell: time },
  { key: 'type', title: 'Type', width: '12.5rem', narrow: 'second', cell: type },
  { key: 'message', title: 'What happened', width: 'minmax(10rem, 1fr)', narrow: 'first', cell: message },
  { key: 'actor', title: 'By', width: '6rem', narrow: 'hidden', cell: ({ actor }) => actor },
  {
    key: 'run',
    title: 'Run',
    width: '5.5rem',
    narrow: 'hidden',
    cell: ({ runId }) => <ShortId id={runId} />,
  },
  { key: 'seq', title: 'No.', width: '5rem', align: 'end', narrow: 'first-end', cell: number },
];

function time({ ts }: TraceEvent) {
  return (
    <time dateTime={ts} title={formatExact(ts)} className="whitespace-nowrap font-mono text-xs">
      {formatClock(ts)}
    </time>
  );
}

function type(event: TraceEvent) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Glyph sign={signOf(event)} />
      <span className="truncate font-mono text-xs" title={event.type}>
        {event.type}
      </span>
    </span>
  );
}

function message(event: TraceEvent) {
  return (
    <span className={signOf(event) === 'failed' ? 'text-failed' : ''} title={event.message}>
      {event.message}
    </span>
  );
}

function number({ seq }: TraceEvent) {
  return <span className="font-mono text-faint text-xs">{formatCount(seq)}</span>;
}
