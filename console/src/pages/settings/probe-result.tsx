import type { Probe } from '../../api/schema.ts';
import { formatDuration } from '../../kit/format.ts';
import { Glyph } from '../../kit/tier.tsx';

/** What a target said to a probe, or how it failed, as it came. */
export function ProbeResult({ probe, model }: { probe: Probe; model: string }) {
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
        <Glyph sign={servesModel === false ? 'degraded' : 'local'} />
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
        <p className="max-h-24 overflow-y-auto break-words pl-4.5 font-mono text-muted text-xs">
          {models.join('  ')}
        </p>
      ) : null}
    </div>
  );
}
