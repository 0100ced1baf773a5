import { isSameTarget } from '../config/same-target.ts';
import type { Settings } from '../config/settings.ts';
import type { Breakers, BreakerView } from '../inference/breaker.ts';
import { type Plan, plan } from '../inference/plan.ts';
import { resolveTarget } from '../inference/target.ts';

/** How a change of settings would change the plan of `auto` or of a role, `role:<name>`. */
export type PlanChange = { model: string; before: Plan; after: Plan };

const NEEDS = { kind: 'chat', inputTokens: 0, tools: false } as const;

/** The plans under both settings, of `auto` and of every role. */
export function previewPlans(before: Settings, after: Settings, breakers: Breakers): PlanChange[] {
  const former = new Map(before.deployments.map((deployment) => [deployment.id, deployment]));
  const redefined = new Set(
    after.deployments.flatMap((deployment) => {
      const earlier = former.get(deployment.id);
      return earlier && !isSameTarget(earlier, deployment) ? [deployment.id] : [];
    }),
  );
  // A deployment that is pointed elsewhere begins with a closed breaker.
  const breakerAfter = (id: string): BreakerView =>
    redefined.has(id) ? { state: 'closed', failures: 0 } : breakers.view(id);
  const models = ['auto', ...before.roles.map(({ name }) => `role:${name}`)];
  return models.map((model) => ({
    model,
    before: plan(before, resolveTarget(before, model), NEEDS, { breaker: breakers.view }),
    after: plan(after, resolveTarget(after, model), NEEDS, { breaker: breakerAfter }),
  }));
}
