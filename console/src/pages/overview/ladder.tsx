import { Link } from '@tanstack/react-router';
import type { DeploymentHealth, Overview, Tier } from '../../api/types.ts';
import { formatClock, formatDuration } from '../../kit/format.ts';
import { Glyph, type Sign } from '../../kit/tier.tsx';
import { EXCLUSIONS, LABELS, STATES } from '../../kit/words.ts';

/** The plan of a call named `auto`, as rungs: those that will be asked in their order, then the closed ones and why. */
export function Ladder({ overview }: { overview: Overview }) {
  const { plan, deployments } = overview;
  const health = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  return (
    <div className="px-4 pt-1 pb-3">
      <p className="mb-2 text-muted">
        <b className="font-semibold text-ink">{LABELS[overview.label]}</b>: mode {overview.mode},{' '}
        {overview.routing.replace('_', ' ')}; {FLOORS[overview.floor]}.
      </p>
      <ol>
        {plan.candidates.map(({ deployment, tier, model }, index) => (
          <Rung
            key={deployment}
            place={String(index + 1)}
            sign={signOf(tier, health.get(deployment))}
            hollow={false}
            name={deployment}
            model={model}
            says={index === 0 ? 'serves now' : 'next if it fails'}
            detail={healthWords(health.get(deployment))}
          />
        ))}
        {plan.excluded.map(({ deployment, tier, reason }) => (
          <Rung
            key={deployment}
            place="–"
            sign={reason === 'breaker_open' ? 'degraded' : tier}
            hollow
            name={deployment}
            model={health.get(deployment)?.model ?? ''}
            says={EXCLUSIONS[reason]}
            detail={whyClosed(health.get(deployment))}
          />
        ))}
      </ol>
      {plan.candidates.length === 0 ? (
        <p className="mt-1 text-failed">
          No deployment may serve a call that names none.{' '}
          <Link to="/settings" hash="deployments" className="underline underline-offset-2">
            Connect a model
          </Link>
        </p>
      ) : null}
    </div>
  );
}

const FLOORS: Readonly<Record<Overview['floor'], string>> = {
  always: 'simulation ends every plan',
  roles: 'roles with a simulator end in simulation',
  never: 'nothing ends in simulation',
};

function signOf(tier: Tier, health: DeploymentHealth | undefined): Sign {
  return health?.state === 'unreachable' ? 'failed' : health?.state === 'breaker_open' ? 'degraded' : tier;
}

function healthWords(health: DeploymentHealth | undefined): string {
  if (!health) return '';
  const { state, latencyMs, detail } = health;
  if (state === 'connected' && latencyMs !== undefined) return `connected in ${formatDuration(latencyMs)}`;
  return detail ? `${STATES[state]}: ${detail}` : STATES[state];
}

function whyClosed(health: DeploymentHealth | undefined): string {
  const parts = [health?.detail, health?.until ? `probed at ${formatClock(health.until, false)}` : undefined];
  return parts.filter((part) => part !== undefined).join('; ');
}

type RungProps = {
  place: string;
  sign: Sign;
  hollow: boolean;
  name: string;
  model: string;
  says: string;
  detail: string;
};

function Rung({ place, sign, hollow, name, model, says, detail }: RungProps) {
  return (
    <li
      className={`grid min-h-10 grid-cols-[1rem_0.75rem_minmax(0,1fr)_minmax(0,1.1fr)] items-center gap-2 border-line border-t py-1 ${hollow ? 'text-muted' : ''}`}
    >
      <span className="font-mono text-faint text-xs">{place}</span>
      <Glyph sign={sign} hollow={hollow} />
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        <span className="block truncate font-mono text-faint text-xs" title={model}>
          {model}
        </span>
      </span>
      <span className="min-w-0">
        <span className="block truncate">{says}</span>
        <span className="block truncate text-faint text-xs" title={detail}>
          {detail}
        </span>
      </span>
    </li>
  );
}
