import type { Receipt } from '../api/schema.ts';
import type { Cost } from '../api/types.ts';
import { useNow } from './clock.ts';
import { useCopy } from './copy.tsx';
import { formatAgo, formatCount, formatDuration, formatExact, formatId, formatMoney } from './format.ts';
import { Tip } from './tip.tsx';

export function Duration({ ms }: { ms: number | null }) {
  return (
    <span className="whitespace-nowrap font-mono text-xs">{ms === null ? '–' : formatDuration(ms)}</span>
  );
}

type Usage = Receipt['usage'];

/** All tokens of a call; on hover or focus their parts and where the numbers come from. */
export function Tokens({ usage, unit = true }: { usage: Usage; unit?: boolean }) {
  const total = usage.inputTokens + usage.outputTokens;
  return (
    <Tip content={<TokenParts usage={usage} />}>
      <span className="whitespace-nowrap">
        <span className="font-mono text-xs">{formatCount(total)}</span>
        {unit ? ' tokens' : null}
        {usage.source === 'reported' ? null : <span className="text-faint"> {usage.source}</span>}
      </span>
    </Tip>
  );
}

function TokenParts({ usage }: { usage: Usage }) {
  const parts = [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
    ...(usage.reasoningTokens === undefined ? [] : [['of it reasoning', usage.reasoningTokens] as const]),
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_auto] gap-x-4">
      {parts.map(([name, count]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right font-mono">{formatCount(count)}</dd>
        </div>
      ))}
      <dt className="text-muted">source</dt>
      <dd className="text-right">{usage.source}</dd>
    </dl>
  );
}

export function Money({ cost }: { cost: Cost | null | undefined }) {
  return (
    <span className="whitespace-nowrap font-mono text-xs">
      {cost ? formatMoney(cost.amount, cost.currency) : '–'}
    </span>
  );
}

/** How long ago, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatExact(at)} className="whitespace-nowrap">
      {formatAgo(at, now)}
    </time>
  );
}

/** An id shortened in the middle, which a click copies whole. */
export function Id({ id, name = 'id' }: { id: string; name?: string }) {
  const { state, copy } = useCopy();
  return (
    <button
      type="button"
      title={id}
      className="relative -mx-1 whitespace-nowrap rounded px-1 align-baseline font-mono text-xs hover:bg-hover"
      onClick={() => copy(id)}
    >
      <span className="sr-only">Copy {name} </span>
      <span className={state === 'idle' ? '' : 'invisible'}>{formatId(id)}</span>
      <output className="absolute inset-0 text-center font-sans">
        {state === 'idle' ? '' : state === 'copied' ? 'copied' : 'refused'}
      </output>
    </button>
  );
}

/** The same where a row is the thing to click. */
export function ShortId({ id }: { id: string }) {
  return (
    <span title={id} className="whitespace-nowrap font-mono text-xs">
      {formatId(id)}
    </span>
  );
}
