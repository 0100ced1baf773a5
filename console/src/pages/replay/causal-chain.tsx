import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getChain } from '../../api/events.ts';
import type { TraceEvent } from '../../api/types.ts';
import { formatCount } from '../../kit/format.ts';
import { Payload } from '../../kit/payload.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { Glyph } from '../../kit/tier.tsx';
import { type Step, stepsOf } from './causal-tree.ts';
import { signOf } from './event-sign.ts';

/** The largest chain that is written out here; the run's Inspector holds any. */
const MOST_STEPS = 200;
const INDENT_PX = 14;
const MOST_INDENTS = 8;

/** What led to an event and what came of it. */
export function CausalChainView({ event }: { event: TraceEvent }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['chain', event.id],
    queryFn: ({ signal }) => getChain(event.id, signal),
  });
  if (error) {
    return <ErrorState title="The chain could not be read" error={error} retry={() => void refetch()} />;
  }
  const steps = data ? stepsOf(data) : [];
  const [root] = steps;
  // Around the event asked for, so that it is there even where much led to it.
  const from = Math.max(0, (data?.path.length ?? 1) - MOST_STEPS / 2);
  const shown = steps.slice(from, from + MOST_STEPS);
  return (
    <figure className="min-w-0">
      <figcaption className="min-h-4 text-muted text-xs">
        {data
          ? `chain · ${formatCount(data.path.length - 1)} before, ${formatCount(data.effects.length)} after`
          : 'chain'}
      </figcaption>
      <ol className="mt-1 rounded border border-line bg-canvas py-1">
        {root === undefined ? <li className="pulse h-6.5 px-2.5 text-muted">reading the chain</li> : null}
        {shown.map((step) => (
          <StepRow
            key={step.event.id}
            step={step}
            startedAt={Date.parse(root?.event.ts ?? event.ts)}
            asked={step.event.id === event.id}
          />
        ))}
      </ol>
      {steps.length > shown.length ? (
        <p className="mt-1 text-muted text-xs">
          {formatCount(steps.length - shown.length)} more in{' '}
          <Link
            to="/runs/$runId"
            params={{ runId: event.runId }}
            className="text-ink underline underline-offset-2"
          >
            the run
          </Link>
        </p>
      ) : null}
    </figure>
  );
}

function StepRow({
  step: { event, depth },
  startedAt,
  asked,
}: {
  step: Step;
  startedAt: number;
  asked: boolean;
}) {
  const offset = (Date.parse(event.ts) - startedAt) / 1000;
  const sign = signOf(event);
  return (
    <li aria-current={asked ? 'step' : undefined}>
      <details>
        <summary
          className={`grid min-h-6.5 list-none grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-2 border-l-2 px-2 hover:bg-hover [&::-webkit-details-marker]:hidden ${
            asked ? 'border-ink bg-selected' : 'border-transparent'
          }`}
        >
          <span className="whitespace-nowrap font-mono text-faint text-xs">+{offset.toFixed(3)} s</span>
          <span
            className="flex min-w-0 items-center gap-2"
            style={{ paddingLeft: Math.min(depth, MOST_INDENTS) * INDENT_PX }}
          >
            <Glyph sign={sign} />
            <span className="hidden shrink-0 font-mono text-xs wide:inline">{event.type}</span>
            <span
              className={`min-w-0 truncate ${sign === 'failed' ? 'text-failed' : ''}`}
              title={event.message}
            >
              {event.message}
            </span>
          </span>
        </summary>
        <div className="px-2.5 py-1">
          <Payload label={`${event.type}, payload`} value={event.payload} />
        </div>
      </details>
    </li>
  );
}
