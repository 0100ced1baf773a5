import type { Deployment, Role, Settings, Tier } from '../config/settings.ts';
import type { BreakerView } from './breaker.ts';
import type { Candidate } from './model.ts';
import type { Exclusion, ExclusionReason, Label } from './receipt.ts';

/** What a caller names as `model`, once it is known to exist. */
export type Target =
  | { kind: 'auto' }
  | { kind: 'role'; role: Role }
  | { kind: 'deployment'; deployment: Deployment }
  | { kind: 'simulation' };

/** What of a request bears on the choice of candidates. */
export type RequestNeeds = {
  kind: 'chat' | 'embeddings';
  /** Tokens of the input, estimated; 0 when unknown. */
  inputTokens: number;
  tools: boolean;
};

/** The state of the world that a plan takes into account; given to it, so that it stays pure. */
export type Health = {
  breaker(deployment: string): BreakerView;
  /** A policy's or an operator's word on one deployment. */
  restriction?(deployment: Deployment): 'policy_denied' | 'suspended' | null;
};

export type Plan = {
  label: Label;
  /** In the order in which they are asked. */
  candidates: readonly Candidate[];
  excluded: readonly Exclusion[];
  /** Why the order's natural first is not the first candidate, when it was left out for a passing reason. */
  displaced: ExclusionReason | null;
};

export const SIMULATION_ID = 'simulation';
export const SIMULATION_MODEL = 'tiercel-simulation';

const FLOOR: Candidate = {
  tier: 'simulation',
  deployment: SIMULATION_ID,
  model: SIMULATION_MODEL,
  target: null,
};

// An estimate from character counts can be half off; only what is surely too large is left out unasked.
const SURE_FRACTION = 0.5;

/**
 * Decides who may serve a call and in which order. Pure: the label shown anywhere, the client used and the model
 * name sent all come from this one value, so none can disagree with another.
 */
export function plan(settings: Settings, target: Target, needs: RequestNeeds, health: Health): Plan {
  if (target.kind === 'simulation') return simulationByName(settings, needs);
  const allowed = allowedTiers(settings);
  const excluded: Exclusion[] = [];
  const open: Candidate[] = [];
  const candidates: Candidate[] = [];
  let displaced: ExclusionReason | null = null;
  for (const deployment of inOrder(settings, target, allowed)) {
    const reason = exclusion(deployment, allowed, needs, health);
    const candidate = toCandidate(deployment);
    if (reason === null) {
      candidates.push(candidate);
      continue;
    }
    excluded.push({ deployment: deployment.id, tier: deployment.tier, reason });
    if (reason === 'breaker_open') open.push(candidate);
    const passing = reason !== 'routing_forbids' && reason !== 'not_configured';
    if (passing && candidates.length === 0) displaced ??= reason;
  }
  if (mayFloor(settings, target, needs)) candidates.push(FLOOR);
  const probe = candidates.length === 0 ? open[0] : undefined;
  if (probe) {
    // Every breaker is open and no floor is allowed: ask rather than refuse unseen.
    candidates.push(probe);
    const at = excluded.findIndex((one) => one.deployment === probe.deployment);
    excluded.splice(at, 1);
    if (at === 0) displaced = null;
  }
  return { label: labelOf(candidates), candidates, excluded, displaced };
}

function simulationByName(settings: Settings, needs: RequestNeeds): Plan {
  // Simulated text is honest when it was asked for by name, unless the operator wants none at all.
  const allowed = needs.kind === 'chat' && (settings.mode === 'simulation' || settings.floor !== 'never');
  return {
    label: allowed ? 'simulation' : 'none',
    candidates: allowed ? [FLOOR] : [],
    excluded: allowed
      ? []
      : [{ deployment: SIMULATION_ID, tier: 'simulation', reason: exclusionOfFloor(needs) }],
    displaced: null,
  };
}

function exclusionOfFloor(needs: RequestNeeds): ExclusionReason {
  return needs.kind === 'embeddings' ? 'capability_missing' : 'routing_forbids';
}

/** The tiers besides the floor that mode and routing let a call reach, in their order. */
export function allowedTiers(settings: Pick<Settings, 'mode' | 'routing'>): ('live' | 'local')[] {
  if (settings.mode === 'simulation') return [];
  if (settings.mode === 'local') return settings.routing === 'cloud_only' ? [] : ['local'];
  switch (settings.routing) {
    case 'local_first':
      return ['local', 'live'];
    case 'cloud_first':
      return ['live', 'local'];
    case 'local_only':
      return ['local'];
    case 'cloud_only':
      return ['live'];
  }
}

/** Deployments of the target's chains: allowed tiers first, the forbidden ones after, only to be named as excluded. */
function inOrder(settings: Settings, target: Target, allowed: readonly Tier[]): Deployment[] {
  if (target.kind === 'deployment') return [target.deployment];
  if (target.kind === 'simulation') return [];
  const chains = target.kind === 'role' ? target.role : settings.defaults;
  const tiers = [...allowed, ...(['live', 'local'] as const).filter((tier) => !allowed.includes(tier))];
  const byId = new Map(settings.deployments.map((deployment) => [deployment.id, deployment]));
  const ordered: Deployment[] = [];
  for (const tier of tiers) {
    for (const id of tier === 'simulation' ? [] : chains[tier]) {
      const deployment = byId.get(id);
      if (deployment) ordered.push(deployment);
    }
  }
  return ordered;
}

function exclusion(
  deployment: Deployment,
  allowed: readonly Tier[],
  needs: RequestNeeds,
  health: Health,
): ExclusionReason | null {
  if (!allowed.includes(deployment.tier)) return 'routing_forbids';
  if (deployment.auth.type === 'api_key' && deployment.auth.key === null) return 'not_configured';
  const restriction = health.restriction?.(deployment);
  if (restriction) return restriction;
  const { capabilities, contextWindow } = deployment;
  if (needs.tools && capabilities.tools === false) return 'capability_missing';
  if (needs.kind === 'embeddings' && capabilities.embeddings === false) return 'capability_missing';
  if (contextWindow !== undefined && needs.inputTokens * SURE_FRACTION > contextWindow)
    return 'context_too_small';
  return health.breaker(deployment.id).state === 'open' ? 'breaker_open' : null;
}

function mayFloor(settings: Settings, target: Target, needs: RequestNeeds): boolean {
  if (needs.kind === 'embeddings' || target.kind === 'deployment') return false;
  if (settings.mode === 'simulation') return true;
  if (settings.floor === 'roles') return target.kind === 'role' && target.role.simulator;
  return settings.floor === 'always';
}

function toCandidate(deployment: Deployment): Candidate {
  return { tier: deployment.tier, deployment: deployment.id, model: deployment.model, target: deployment };
}

function labelOf(candidates: readonly Candidate[]): Label {
  const live = candidates.some((candidate) => candidate.tier === 'live');
  const local = candidates.some((candidate) => candidate.tier === 'local');
  if (live && local) return 'hybrid';
  if (live) return 'live';
  if (local) return 'local';
  return candidates.length > 0 ? 'simulation' : 'none';
}
