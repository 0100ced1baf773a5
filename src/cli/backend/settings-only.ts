import { describeSettings } from '../../config/describe.ts';
import { createLiveSettings } from '../../config/live.ts';
import { type LoadInputs, readInputs } from '../../config/load.ts';
import { createEgress } from '../../egress/egress.ts';
import type { TiercelError } from '../../errors.ts';
import { plan } from '../../inference/plan.ts';
import { resolveTarget } from '../../inference/target.ts';
import { createCredentials } from '../../inference/wire/credentials.ts';
import { probeById } from '../../runtime/deployments.ts';
import { egressRules } from '../../runtime/runtime.ts';
import type { Inspection } from './backend.ts';
import { toPlanView } from './own.ts';

const NEEDS = { kind: 'chat', inputTokens: 0, tools: false } as const;

/**
 * The settings of file, environment and flags, without those changed at run time, for when the database cannot be opened.
 *
 * @param reason why it cannot, as `ready` then says
 */
export function openSettingsOnly(inputs: LoadInputs, reason: TiercelError): Inspection {
  const settings = createLiveSettings(readInputs(inputs));
  const egress = createEgress({ rules: egressRules(settings) });
  const credentials = createCredentials();
  return {
    server: null,
    async settings() {
      const resolved = settings.resolved();
      const unread = 'settings changed at run time could not be read and are not taken into account.';
      return { rows: describeSettings(resolved), warnings: [...resolved.warnings, unread] };
    },
    async plan(model) {
      const current = settings.current();
      const breaker = () => ({ state: 'closed', failures: 0 }) as const;
      return toPlanView(plan(current, resolveTarget(current, model), NEEDS, { breaker }));
    },
    probe: (deployment) => probeById(settings.current(), egress, credentials, deployment),
    ready: () => Promise.reject(reason),
    close: () => egress.close(),
  };
}
