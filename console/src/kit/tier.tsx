import type { Outcome, Tier } from '../api/types.ts';
import { OUTCOMES, TIERS, toWords } from './words.ts';

/** A tier, or what stands beside the tiers: `failed` served by none, `degraded` served but not as planned. */
export type Sign = Tier | 'failed' | 'degraded' | 'neutral';

const SHAPES: Readonly<Record<Sign, string>> = {
  live: 'M5 1a4 4 0 1 1 0 8a4 4 0 1 1 0-8Z',
  local: 'M1.4 1.4h7.2v7.2H1.4Z',
  simulation: 'M5 .4 9.6 5 5 9.6.4 5Z',
  failed: 'M5 .9 9.7 9H.3Z',
  degraded: 'M.3 1h9.4L5 9.1Z',
  neutral: 'M1 4.2h8v1.6H1Z',
};

const INKS: Readonly<Record<Sign, string>> = {
  live: 'text-live',
  local: 'text-local',
  simulation: 'text-simulation',
  failed: 'text-failed',
  degraded: 'text-degraded',
  neutral: 'text-faint',
};

/** An event's tier as a sign: apps may write tiers of their own, which have none. */
export function signOfTier(tier: string | undefined): Sign {
  return tier !== undefined && tier in TIERS ? (tier as Tier) : 'neutral';
}

/** The shape of a sign in its colour; always beside its word, so hidden from screen readers. */
export function Glyph({ sign, hollow = false }: { sign: Sign; hollow?: boolean }) {
  return (
    <svg className={`size-2.5 shrink-0 ${INKS[sign]}`} viewBox="0 0 10 10" aria-hidden="true">
      <path
        d={SHAPES[sign]}
        fill={hollow ? 'none' : 'currentColor'}
        stroke="currentColor"
        strokeWidth={hollow ? 1.4 : 0}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Shape, word and colour of a sign. `word` stands for the sign's own name. */
export function Badge({ sign, word, hollow = false }: { sign: Sign; word: string; hollow?: boolean }) {
  return (
    <span
      className={`inline-flex min-w-0 max-w-full items-center gap-1.5 whitespace-nowrap align-top ${INKS[sign]}`}
    >
      <Glyph sign={sign} hollow={hollow} />
      <span className="truncate">{word}</span>
    </span>
  );
}

/** Who served: `● live`. Null is nobody. */
export function TierBadge({ tier }: { tier: Tier | null }) {
  return tier === null ? <Badge sign="failed" word="none" /> : <Badge sign={tier} word={TIERS[tier]} />;
}

type Ended = { outcome: Outcome | 'running'; fallbackReason?: string };

/** How a call ended, told only as far as it is not plain: an answer as planned says nothing. */
export function OutcomeBadge({ outcome, fallbackReason }: Ended) {
  if (outcome === 'running') {
    return (
      <span className="pulse inline-flex items-center gap-1.5 align-top text-muted">
        <Glyph sign="neutral" />
        {OUTCOMES.running}
      </span>
    );
  }
  if (outcome === 'error') return <Badge sign="failed" word={OUTCOMES.error} />;
  if (outcome === 'cancelled') return <Badge sign="neutral" word={OUTCOMES.cancelled} />;
  if (outcome === 'truncated') return <Badge sign="degraded" word={OUTCOMES.truncated} />;
  if (fallbackReason === undefined) return <span className="text-faint">{OUTCOMES.ok}</span>;
  return <Badge sign="degraded" word={`fell back: ${toWords(fallbackReason)}`} />;
}
