import type { Tier } from '../../config/settings.ts';
import type { Exclusion, ExclusionReason } from '../../inference/receipt.ts';
import { type Html, html } from './html.ts';

// Each tier has a shape and a word besides its colour, so that colour never stands alone.
const SHAPES: Readonly<Record<Tier | 'none', string>> = { live: '●', local: '■', simulation: '◆', none: '▲' };

export function tierMark(tier: Tier | 'none'): Html {
  return html`<span class="mark ${tier}" aria-hidden="true">${SHAPES[tier]}</span>`;
}

const REASONS: Readonly<Record<ExclusionReason, string>> = {
  routing_forbids: 'mode or routing does not allow this tier',
  not_configured: 'its key is not set',
  breaker_open: 'its breaker is open',
  policy_denied: 'a policy forbids it',
  context_too_small: 'its context window is too small',
  capability_missing: 'it cannot do what is asked',
  suspended: 'it is suspended',
};

export function reasonWords({ reason }: Exclusion): string {
  return REASONS[reason];
}

/** Three significant digits, with the unit that keeps them short. */
export function durationWords(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${Number(ms.toPrecision(3))} ms`;
  const seconds = ms / 1000;
  return seconds < 100 ? `${seconds.toPrecision(3)} s` : `${Math.round(seconds)} s`;
}

/** Thousands are parted by thin spaces. */
export function countWords(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

export function agoWords(iso: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}

/** An id with its middle left out: its ends tell it apart. */
export function shortId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** `cloud_first` as it is said. */
export function spoken(value: string): string {
  return value.replaceAll('_', ' ');
}
