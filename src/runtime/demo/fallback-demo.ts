import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { createEgress } from '../../egress/egress.ts';
import { createBreakers } from '../../inference/breaker.ts';
import type { Receipt } from '../../inference/receipt.ts';
import { createRepairMemory } from '../../inference/repair.ts';
import { createRouter, type Router, type RouterParts } from '../../inference/router.ts';
import { createCredentials } from '../../inference/wire/credentials.ts';
import { createOpenAiWire } from '../../inference/wire/openai-wire.ts';
import { type Fault, type FaultyTarget, startFaultyTarget } from './faulty-target.ts';

/** A call of the demonstration, which is a run of its own. */
export type DemoStep = {
  runId: string;
  /** What the model did. */
  what: string;
  servedBy: string | null;
  fallbackReason: string | null;
};

const DEPLOYMENT = 'demo-upstream';
const COOL_DOWN_MS = 400;
const SILENCE_MS = 700;
const QUESTION = 'Plan a launch for a bike repair shop';

/** The breaker opens at the third failure, so the call after it is not even tried on the model. */
const STORY: readonly { fault: Fault; what: string; pauseMs?: number }[] = [
  { fault: 'none', what: 'answers' },
  { fault: 'busy', what: 'answers 429' },
  { fault: 'silent', what: 'does not answer' },
  { fault: 'cut', what: 'is cut off in the middle of its answer' },
  { fault: 'none', what: 'is left alone: its breaker is open' },
  { fault: 'none', what: 'has recovered', pauseMs: COOL_DOWN_MS + 50 },
];

/**
 * Shows what happens when a live model fails: starts one that does, sends it requests, and lets simulation take over. It has settings,
 * breakers and a way out of its own, so nothing of the user's is touched and no model of theirs is asked; receipts and events are kept
 * as always. One at a time: who asks while one is under way gets that one.
 *
 * @param parts of the process's router
 */
export function createFallbackDemo(parts: RouterParts): () => Promise<DemoStep[]> {
  let underWay: Promise<DemoStep[]> | null = null;
  return () => {
    underWay ??= tell(parts).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function tell(parts: RouterParts): Promise<DemoStep[]> {
  const target = await startFaultyTarget();
  const declared = [new URL(target.baseUrl).origin];
  const rules = { localOnly: true, allow: [], allowPrivate: [], declared };
  const egress = createEgress({ rules: () => rules });
  const settings = demoSettings(parts.settings(), target);
  const router = createRouter({
    ...parts,
    settings: () => settings,
    wire: createOpenAiWire(egress, createCredentials()),
    breakers: createBreakers(() => settings.breaker),
    repairs: createRepairMemory(),
  });
  try {
    const steps: DemoStep[] = [];
    for (const { fault, what, pauseMs = 0 } of STORY) {
      target.play(fault);
      await delay(pauseMs);
      steps.push(toStep(what, await ask(router)));
    }
    return steps;
  } finally {
    await egress.close();
    await target.close();
  }
}

/** Held until it is whole (`commit: complete`), so that even a cut in the middle is rescued. */
async function ask(router: Router): Promise<Receipt> {
  const request = { messages: [{ role: 'user' as const, content: QUESTION }] };
  const { chunks, receipt } = await router.stream({ model: 'auto', request, commit: 'complete' });
  for await (const _ of chunks);
  return receipt;
}

function toStep(what: string, { id, served, fallbackReason }: Receipt): DemoStep {
  return { runId: id, what, servedBy: served?.deployment ?? null, fallbackReason: fallbackReason ?? null };
}

function demoSettings(current: Settings, { baseUrl }: FaultyTarget): Settings {
  const auth = { type: 'none' } as const;
  return {
    ...current,
    mode: 'live',
    routing: 'cloud_first',
    floor: 'always',
    deployments: [{ id: DEPLOYMENT, tier: 'live', baseUrl, auth, model: 'demo-model', capabilities: {} }],
    defaults: { live: [DEPLOYMENT], local: [] },
    roles: [],
    breaker: { failures: 3, windowMs: 60_000, coolDownMs: COOL_DOWN_MS },
    limits: {
      ...current.limits,
      retriesPerTarget: 0,
      live: { ...current.limits.live, headerMs: SILENCE_MS },
    },
  };
}
