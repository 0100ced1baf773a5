import type { Probe } from '../../api/schema.ts';
import { formatDuration } from '../../kit/format.ts';
import { Glyph } from '../../kit/tier.tsx';

/** Of a hosted target's models, which may be hundreds. */
const SHOWN = 24;

/** What a target said to a probe, or how it failed, as it came. */
export function ProbeResult({ probe, model, tier }: { probe: Probe; model: string; tier: 'live' | 'local' }) {
  if (!probe.ok) {
    return (
      <p role="status" className="flex items-baseline gap-2 text-failed">
        <Glyph sign="failed" />
        <span className="min-w-0 break-words">
          {probe.message} <code className="font-mono text-xs">{probe.code}</code> after{' '}
          {formatDuration(probe.latencyMs)}
        </span>
      </p>
    );
  }
  const { models, servesModel, latencyMs } = probe;
  return (
    <div role="status" className="min-w-0">
      <p className="flex items-baseline gap-2">
        <Glyph sign={servesModel === false ? 'degraded' : tier} />
        <span className="min-w-0">
          Answered in {formatDuration(latencyMs)}
          {servesModel === false ? (
            <span className="text-degraded">, but it does not list {model}.</span>
          ) : servesModel ? (
            `; it serves ${model}.`
          ) : (
            '; it does not list its models.'
          )}
        </span>
      </p>
      {models.length > 0 ? (
        <p className="break-words pl-4.5 text-muted text-xs">
          <span className="font-mono">{models.slice(0, SHOWN).join('  ')}</span>
          {models.length > SHOWN ? ` and ${models.length - SHOWN} more` : null}
        </p>
      ) : null}
    </div>
  );
}
