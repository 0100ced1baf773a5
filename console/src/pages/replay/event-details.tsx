import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TraceEvent } from '../../api/types.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { formatExact } from '../../kit/format.ts';
import { Payload } from '../../kit/payload.tsx';
import { Badge, signOfTier } from '../../kit/tier.tsx';
import { Id } from '../../kit/values.tsx';
import { CausalChainView } from './causal-chain.tsx';
import type { FilterName } from './event-filters.tsx';

type DetailsProps = {
  event: TraceEvent;
  chain: boolean;
  onChain: (shown: boolean) => void;
  onFilter: (filter: Partial<Record<FilterName, string>>) => void;
};

/** All that an event holds, and the ways on from it. */
export function EventDetails({ event, chain, onChain, onFilter }: DetailsProps) {
  const { id, type, actor, runId, payload } = event;
  return (
    <section
      aria-label={`Event ${id}`}
      className="flex flex-col gap-2 border-line border-b bg-chrome px-4 py-2.5"
    >
      <Facts event={event} />
      <div className="-ml-2.5 flex flex-wrap gap-x-1 wide:ml-0 wide:gap-x-2">
        <Button
          aria-expanded={chain}
          className="ml-2.5 aria-expanded:bg-selected wide:ml-0"
          onClick={() => onChain(!chain)}
        >
          {chain ? 'Hide chain' : 'Show chain'}
        </Button>
        <Link to="/runs/$runId" params={{ runId }} search={{ event: id }} className={buttonClass('plain')}>
          Open run
        </Link>
        <Button look="quiet" onClick={() => onFilter({ runId })}>
          Only this run
        </Button>
        <Button look="quiet" onClick={() => onFilter({ type })}>
          Only this type
        </Button>
        <Button look="quiet" onClick={() => onFilter({ actor })}>
          Only by {actor}
        </Button>
      </div>
      {chain ? <CausalChainView event={event} /> : null}
      <Payload label="payload" value={payload} />
    </section>
  );
}

function Facts({ event }: { event: TraceEvent }) {
  const { id, ts, actor, tier, runId, traceId, causeId, writer, hash, prevHash } = event;
  return (
    <dl className="grid grid-cols-1 gap-x-8 gap-y-0.5 text-xs wide:grid-cols-[repeat(3,auto)] wide:justify-start">
      <Fact name="at">
        <span className="font-mono">{formatExact(ts)}</span>
      </Fact>
      <Fact name="event">
        <Id id={id} name="event id" />
      </Fact>
      <Fact name="hash">
        <Id id={hash} name="hash" />
      </Fact>
      <Fact name="by">
        {actor}
        {tier ? <Badge sign={signOfTier(tier)} word={tier} /> : null}
      </Fact>
      <Fact name="run">
        <Id id={runId} name="run id" />
      </Fact>
      <Fact name="follows">
        <Id id={prevHash} name="hash of the event before" />
      </Fact>
      <Fact name="caused by">
        {causeId ? (
          <Id id={causeId} name="id of the cause" />
        ) : (
          <span className="text-faint">nothing recorded</span>
        )}
      </Fact>
      <Fact name="trace">
        <Id id={traceId} name="trace id" />
      </Fact>
      <Fact name="writer">
        <Id id={writer} name="id of the chain’s writer" />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center">
      <dt className="text-muted">{name}</dt>
      <dd className="flex min-w-0 items-center gap-2">{children}</dd>
    </div>
  );
}
