import type { Span } from '../../api/types.ts';
import type { Sign } from '../../kit/tier.tsx';
import { placeOf, type View } from './axis.ts';
import { endOf, isBad, type Row } from './rows.ts';

const FILLS: Readonly<Record<Sign, string>> = {
  live: 'bg-live-fill',
  local: 'bg-local-fill',
  simulation: 'bg-simulation-fill',
  failed: 'bg-failed-fill',
  degraded: 'bg-degraded-fill',
  neutral: 'bg-faint',
};

/** The colour of a span: its tier's, unless it went wrong. */
export function signOf({ tier, outcome, kind }: Span): Sign {
  if (outcome === 'truncated') return 'degraded';
  if (isBad(outcome)) return 'failed';
  if (kind === 'approval') return 'degraded';
  return tier ?? 'neutral';
}

const percent = (share: number) => `${(share * 100).toFixed(4)}%`;

/** The bars of a line, and dots where it waited between them. */
export function Bars({ row: { spans }, view, extent }: { row: Row; view: View; extent: number }) {
  return spans.map((span, index) => {
    const before = spans[index - 1];
    const end = endOf(span, extent);
    return (
      <div key={span.id}>
        {before?.endMs != null && before.endMs < span.startMs ? (
          <Waiting from={before.endMs} to={span.startMs} view={view} />
        ) : null}
        {span.kind === 'approval' ? (
          <Waiting from={span.startMs} to={end} view={view} person />
        ) : (
          <Bar span={span} end={end} view={view} />
        )}
      </div>
    );
  });
}

function Waiting({
  from,
  to,
  view,
  person = false,
}: {
  from: number;
  to: number;
  view: View;
  person?: boolean;
}) {
  const left = placeOf(from, view);
  return (
    <div
      className={`absolute top-1/2 h-0 border-t-2 border-dotted ${person ? 'border-degraded-fill' : 'border-line-strong'}`}
      style={{ left: percent(left), width: percent(placeOf(to, view) - left), minWidth: 2 }}
    />
  );
}

// How dark each part of an attempt is: waiting for the header, for the first token, then the answer itself.
const SHADES = ['opacity-30', 'opacity-60', ''] as const;

function Bar({ span, end, view }: { span: Span; end: number; view: View }) {
  const fill = FILLS[signOf(span)];
  // What failed is shown whole: that it failed matters more than on what it waited.
  const shaded = !isBad(span.outcome) || span.outcome === 'truncated';
  const left = placeOf(span.startMs, view);
  const width = placeOf(end, view) - left;
  const at = (name: string) => span.marks?.find((mark) => mark.name === name)?.at;
  const header = at('header') ?? span.startMs;
  const cuts = [span.startMs, header, at('first_token') ?? header, end];
  const length = Math.max(end - span.startMs, 1e-6);
  return (
    <div
      className={`absolute top-1/2 flex h-3 -translate-y-1/2 ${span.endMs === null ? 'pulse' : ''}`}
      // Never thinner than can be seen and hit.
      style={{ left: percent(left), width: percent(width), minWidth: 2 }}
    >
      {SHADES.map((shade, part) => {
        const share = ((cuts[part + 1] ?? end) - (cuts[part] ?? end)) / length;
        const last = part === SHADES.length - 1;
        return share <= 0 && !last ? null : (
          <div
            key={shade}
            className={`h-full ${fill} ${shaded ? shade : ''}`}
            style={last ? { flex: 1 } : { width: percent(share) }}
          />
        );
      })}
    </div>
  );
}
