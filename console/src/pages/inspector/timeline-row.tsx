import type { TraceEvent } from '../../api/types.ts';
import { Payload } from '../../kit/payload.tsx';
import { Glyph, signOfTier } from '../../kit/tier.tsx';
import { Id } from '../../kit/values.tsx';
import { isBadEvent } from './selection.ts';

type TimelineRowProps = {
  id: string;
  event: TraceEvent;
  index: number;
  total: number;
  top: number;
  /** Milliseconds since the epoch: the run's start. */
  startedAt: number;
  chosen: boolean;
  /** Belongs to the span that is chosen. */
  related: boolean;
  measure: (element: Element | null) => void;
  onChoose: (event: TraceEvent) => void;
};

export function TimelineRow(props: TimelineRowProps) {
  const { id, event, index, total, top, startedAt, chosen, related, measure, onChoose } = props;
  const offset = (Date.parse(event.ts) - startedAt) / 1000;
  const bad = isBadEvent(event);
  return (
    <li
      ref={measure}
      id={id}
      aria-posinset={index + 1}
      aria-setsize={total}
      data-index={index}
      className="absolute inset-x-0"
      style={{ transform: `translateY(${top}px)` }}
    >
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={chosen}
        className={`grid h-6.5 w-full grid-cols-[5rem_0.75rem_minmax(0,1fr)] items-center gap-x-2 border-l-2 pr-4 pl-3.5 text-left wide:grid-cols-[5rem_0.75rem_11rem_minmax(0,1fr)] ${
          chosen ? 'bg-selected' : 'hover:bg-hover'
        } ${related ? 'border-ink' : 'border-transparent'}`}
        onClick={() => onChoose(event)}
      >
        <span className="whitespace-nowrap font-mono text-faint text-xs">+{offset.toFixed(3)} s</span>
        <Glyph sign={bad ? 'failed' : signOfTier(event.tier)} />
        <span className="hidden truncate font-mono text-xs wide:block" title={event.type}>
          {event.type}
        </span>
        <span className={`truncate ${bad ? 'text-failed' : ''}`} title={event.message}>
          {event.message}
        </span>
      </button>
      {chosen ? <Opened event={event} /> : null}
    </li>
  );
}

function Opened({ event: { id, seq, type, actor, causeId, hash, payload } }: { event: TraceEvent }) {
  return (
    <div className="border-line border-y bg-chrome px-4 py-2">
      <dl className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-xs [&_dt]:text-muted [&>div]:flex [&>div]:items-center [&>div]:gap-1.5">
        <div className="wide:hidden">
          <dt>type</dt>
          <dd className="font-mono">{type}</dd>
        </div>
        <div>
          <dt>actor</dt>
          <dd>{actor}</dd>
        </div>
        <div>
          <dt>event</dt>
          <dd>
            <Id id={id} name="event id" />
          </dd>
        </div>
        {causeId ? (
          <div>
            <dt>caused by</dt>
            <dd>
              <Id id={causeId} name="cause" />
            </dd>
          </div>
        ) : null}
        <div>
          <dt>no.</dt>
          <dd className="font-mono">{seq}</dd>
        </div>
        <div>
          <dt>hash</dt>
          <dd>
            <Id id={hash} name="hash" />
          </dd>
        </div>
      </dl>
      <Payload label="payload" value={payload} />
    </div>
  );
}
