import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveState } from '../api/live.ts';
import { overviewQuery } from '../api/queries.ts';
import type { DeploymentState, Overview } from '../api/types.ts';
import { formatClock } from '../kit/format.ts';
import { Glyph, type Sign } from '../kit/tier.tsx';
import { LABELS, STATES } from '../kit/words.ts';
import { spokesmanOf } from './tier-status.ts';

/** What is true now, on every page; a click leads to where it can be changed. */
export function StatusStrip() {
  const { data, error } = useQuery(overviewQuery);
  return (
    <div className="flex h-9 shrink-0 items-center justify-between gap-3 border-line border-b bg-chrome px-4 text-sm">
      <Link to="/settings" className="flex min-w-0 items-center gap-4 wide:gap-5">
        {data && !error ? <Pills overview={data} /> : <Unknown failed={error !== null} />}
        <span className="sr-only">; opens Settings</span>
      </Link>
      <Following />
    </div>
  );
}

const GOOD: readonly DeploymentState[] = ['connected', 'standby'];

function Pills({ overview }: { overview: Overview }) {
  const { floor, label, mode, routing } = overview;
  return (
    <>
      <TierPill overview={overview} tier="live" />
      <TierPill overview={overview} tier="local" />
      <Pill sign="simulation" hollow={floor === 'never'} name="floor" said={floor} />
      <span className="truncate" title={`mode ${mode}, routing ${routing.replace('_', ' ')}`}>
        <b className={`font-semibold ${label === 'none' ? 'text-failed' : ''}`}>{LABELS[label]}</b>
        <span className="hidden text-muted full:inline">
          {' '}
          = mode {mode}, {routing.replace('_', ' ')}
        </span>
      </span>
    </>
  );
}

function TierPill({ overview, tier }: { overview: Overview; tier: 'live' | 'local' }) {
  const { state, until, detail } = spokesmanOf(overview, tier) ?? { state: 'not_configured' as const };
  const trouble = state === 'unreachable' || state === 'breaker_open';
  const said =
    state === 'breaker_open' && until ? `breaker open until ${formatClock(until, false)}` : STATES[state];
  return (
    <Pill
      sign={state === 'unreachable' ? 'failed' : state === 'breaker_open' ? 'degraded' : tier}
      hollow={!trouble && !GOOD.includes(state)}
      name={tier}
      said={said}
      {...(detail === undefined ? {} : { title: detail })}
    />
  );
}

function Pill({
  sign,
  hollow,
  name,
  said,
  title,
}: {
  sign: Sign;
  hollow: boolean;
  name: string;
  said: string;
  title?: string;
}) {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap" title={title ?? `${name}: ${said}`}>
      <Glyph sign={sign} hollow={hollow} />
      <span>{name}</span>
      {/* On a narrow screen the shape, filled or hollow, says what can serve; the words stay for screen readers. */}
      <span className="sr-only text-muted wide:not-sr-only">{said}</span>
    </span>
  );
}

function Unknown({ failed }: { failed: boolean }) {
  return failed ? (
    <span className="flex items-center gap-1.5 text-failed">
      <Glyph sign="failed" /> The server does not answer
    </span>
  ) : (
    <span className="pulse h-2.5 w-64 rounded bg-selected" />
  );
}

function Following(): ReactNode {
  const state = useLiveState();
  return (
    <span role="status" className="whitespace-nowrap text-muted text-xs">
      {state === 'open' ? 'following' : state === 'connecting' ? 'connecting' : 'reconnecting'}
    </span>
  );
}
