import { isSameTarget } from '../config/same-target.ts';
import type { Deployment, Settings } from '../config/settings.ts';
import { ERRORS } from '../errors.ts';
import type { Breakers } from '../inference/breaker.ts';
import { allowedTiers } from '../inference/plan.ts';
import type { Probe } from '../inference/probe.ts';
import type { Attempt, Receipt } from '../inference/receipt.ts';

/**
 * `standby`: mode and routing forbid it, so it is not asked. `not_configured`: its key is missing. `unknown`: nobody has asked
 * it yet.
 */
export type DeploymentState =
  | 'connected'
  | 'not_configured'
  | 'unreachable'
  | 'standby'
  | 'breaker_open'
  | 'unknown';

export type DeploymentHealth = {
  id: string;
  tier: Deployment['tier'];
  model: string;
  state: DeploymentState;
  /** Why, in words for people. */
  detail?: string;
  /** From the request to the header of its last answer. */
  latencyMs?: number;
  /** ISO 8601: when an open breaker lets a call through. */
  until?: string;
};

/** `at` is ISO 8601. */
export type LastProbe = Probe & { at: string };

/** How each deployment does: by what calls met, and by probes of those that calls have not met lately. */
export interface DeploymentStates {
  /**
   * Every deployment as it is known now. Also asks those of the plans whose last word is older than 15 seconds, in the
   * background: looking never waits, and nobody is asked while nobody looks.
   */
  look(): DeploymentHealth[];
  /** As `look`, of one, and without asking. */
  view(deployment: Deployment): DeploymentHealth;
  /** Null before the first probe of this target. */
  lastProbe(deployment: Deployment): LastProbe | null;
  /** Probes now and keeps what it says. */
  probe(deployment: Deployment): Promise<Probe>;
  /** Learns from a call that has ended. */
  observe(receipt: Receipt): void;
}

export type DeploymentStatesParts = {
  settings: () => Settings;
  breakers: Breakers;
  probe: (deployment: Deployment) => Promise<Probe>;
  /** Milliseconds since the epoch. */
  now?: () => number;
};

const FRESH_MS = 15_000;

/** The last word of a target. `failure` is null when it answered. */
type Word = { target: Deployment; at: number; failure: string | null; note?: string; latencyMs?: number };

/**
 * State, by deployment id: the last word, from whatever source; the last probe; and the probe under way, of which there is one
 * at most. What was learnt of another target under the same id does not count.
 */
export function createDeploymentStates(parts: DeploymentStatesParts): DeploymentStates {
  const { settings, breakers, now = Date.now } = parts;
  const words = new Map<string, Word>();
  const probes = new Map<string, { target: Deployment; probe: LastProbe }>();
  const underWay = new Map<string, Deployment>();

  function wordOf(deployment: Deployment): Word | null {
    const word = words.get(deployment.id);
    return word && isSameTarget(word.target, deployment) ? word : null;
  }

  function view(deployment: Deployment): DeploymentHealth {
    const { id, tier, model } = deployment;
    return { id, tier, model, ...condition(deployment) };
  }

  function condition(deployment: Deployment): Omit<DeploymentHealth, 'id' | 'tier' | 'model'> {
    const closed = closedTo(deployment, settings());
    if (closed) return closed;
    const word = wordOf(deployment);
    const said = word?.failure ?? word?.note;
    const detail = said === undefined ? {} : { detail: said };
    const breaker = breakers.view(deployment.id);
    if (breaker.state === 'open') {
      return { state: 'breaker_open', until: new Date(breaker.until).toISOString(), ...detail };
    }
    if (word === null) return { state: 'unknown', detail: 'Nobody has asked it yet.' };
    const latency = word.latencyMs === undefined ? {} : { latencyMs: word.latencyMs };
    return { state: word.failure === null ? 'connected' : 'unreachable', ...detail, ...latency };
  }

  async function probe(deployment: Deployment): Promise<Probe> {
    underWay.set(deployment.id, deployment);
    try {
      const said = await parts.probe(deployment);
      const at = now();
      probes.set(deployment.id, { target: deployment, probe: { ...said, at: new Date(at).toISOString() } });
      words.set(deployment.id, { target: deployment, at, ...toWord(said, deployment) });
      return said;
    } finally {
      if (underWay.get(deployment.id) === deployment) underWay.delete(deployment.id);
    }
  }

  function isDue(deployment: Deployment): boolean {
    const asked = underWay.get(deployment.id);
    if (asked && isSameTarget(asked, deployment)) return false;
    return now() - (wordOf(deployment)?.at ?? Number.NEGATIVE_INFINITY) >= FRESH_MS;
  }

  return {
    look() {
      const current = settings();
      const planned = plannedIds(current);
      for (const deployment of current.deployments) {
        const mayAsk = planned.has(deployment.id) && closedTo(deployment, current) === null;
        // A probe returns its failures, so there is none to catch.
        if (mayAsk && isDue(deployment)) void probe(deployment);
      }
      return current.deployments.map(view);
    },
    view,
    lastProbe(deployment) {
      const last = probes.get(deployment.id);
      return last && isSameTarget(last.target, deployment) ? last.probe : null;
    },
    probe,
    observe({ attempts }) {
      for (const attempt of attempts) {
        const target = settings().deployments.find(({ id }) => id === attempt.deployment);
        const word = target?.model === attempt.model ? fromAttempt(attempt) : null;
        if (target && word) words.set(target.id, { target, at: now(), ...word });
      }
    },
  };
}

/** Why a deployment is not asked at all; null when it may be. */
function closedTo(
  { tier, auth }: Deployment,
  settings: Settings,
): { state: DeploymentState; detail: string } | null {
  if (auth.type === 'api_key' && auth.key === null) {
    return { state: 'not_configured', detail: `There is no key in ${auth.source}.` };
  }
  if (allowedTiers(settings).includes(tier)) return null;
  return {
    state: 'standby',
    detail: `Mode ${settings.mode} with routing ${settings.routing} does not ask the ${tier} tier.`,
  };
}

/** The deployments that stand in a chain; others are asked by their id only. */
function plannedIds({ defaults, roles }: Settings): ReadonlySet<string> {
  return new Set([defaults, ...roles].flatMap(({ live, local }) => [...live, ...local]));
}

function toWord(probe: Probe, { model }: Deployment): Pick<Word, 'failure' | 'note' | 'latencyMs'> {
  const { latencyMs } = probe;
  if (!probe.ok) return { failure: probe.message };
  const note = probe.servesModel === false ? { note: `It does not list the model ${model}.` } : {};
  return { failure: null, latencyMs, ...note };
}

/** What an attempt says of its target; null when it says nothing. An answer that blames the caller is an answer. */
function fromAttempt(attempt: Attempt): Pick<Word, 'failure' | 'latencyMs'> | null {
  const { outcome, errorCode, httpStatus, headerMs } = attempt;
  if (outcome === 'cancelled') return null;
  const isFault = errorCode !== undefined && ERRORS[errorCode].fault === 'upstream';
  if (outcome === 'served' || (outcome === 'failed' && errorCode !== undefined && !isFault)) {
    return { failure: null, ...(headerMs === undefined ? {} : { latencyMs: headerMs }) };
  }
  const status = httpStatus === undefined ? '' : ` (HTTP ${httpStatus})`;
  return { failure: `${errorCode ? ERRORS[errorCode].meaning : 'Its answer was cut short.'}${status}` };
}
