import { createLiveSettings, type LiveSettings } from '../../src/config/live.ts';
import { readInputs } from '../../src/config/load.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { Egress } from '../../src/egress/model.ts';
import { type AdmissionPolicy, admitAll } from '../../src/governance/admission.ts';
import { type Breakers, createBreakers } from '../../src/inference/breaker.ts';
import type { ChatRequest } from '../../src/inference/chat.ts';
import type { Receipt } from '../../src/inference/receipt.ts';
import type { CallContents } from '../../src/inference/recording.ts';
import { createRepairMemory } from '../../src/inference/repair.ts';
import { createRouter, type Router } from '../../src/inference/router.ts';
import { createSimulation } from '../../src/inference/simulation/simulation.ts';
import { createCredentials, type TokenSource } from '../../src/inference/wire/credentials.ts';
import { createOpenAiWire } from '../../src/inference/wire/openai-wire.ts';
import type { TiercelConfig } from '../../src/runtime/tiercel.ts';
import type { TraceEvent } from '../../src/trace/event.ts';
import { EVENTS } from '../../src/trace/events.ts';
import { createTrace } from '../../src/trace/trace.ts';

export type OpenRouter = {
  router: Router;
  settings: LiveSettings;
  breakers: Breakers;
  egress: Egress;
  receipts: Receipt[];
  contents: CallContents[];
  events: TraceEvent[];
  close(): Promise<void>;
};

export type OpenRouterOptions = {
  env?: Record<string, string>;
  admission?: AdmissionPolicy;
  openTokenSource?: () => Promise<TokenSource>;
};

/** The inference room with a real gate and real connections, whose receipts are kept in an array. */
export function openRouter(config: TiercelConfig, options: OpenRouterOptions = {}): OpenRouter {
  const { env = {}, admission = admitAll, openTokenSource } = options;
  const settings = createLiveSettings(readInputs({ cwd: '/', env, configObject: config }));
  const receipts: Receipt[] = [];
  const contents: CallContents[] = [];
  const events: TraceEvent[] = [];
  const trace = createTrace({
    onListenerError(error) {
      throw error;
    },
  });
  trace.subscribe((event) => {
    // What the types promise, held at run time: a payload that is not of its schema fails the test that emitted it.
    EVENTS[event.type].payload.parse(event.payload);
    events.push(event);
  });
  const egress = createEgress({
    rules: () => {
      const { routing, egress: gate, deployments } = settings.current();
      const declared = deployments.map(({ baseUrl }) => new URL(baseUrl).origin);
      return { localOnly: routing === 'local_only', ...gate, declared };
    },
    observer: {
      denied({ host, port, purpose, reason }) {
        const payload = { host, port, purpose, reason };
        trace.emit('EGRESS_DENIED', { actor: 'egress', message: reason, payload });
      },
    },
  });
  const breakers = createBreakers(() => settings.current().breaker);
  const router = createRouter({
    settings: settings.current,
    wire: createOpenAiWire(egress, createCredentials(openTokenSource)),
    simulation: createSimulation({}),
    breakers,
    repairs: createRepairMemory(),
    admission,
    trace,
    sink: {
      append(receipt, content) {
        receipts.push(receipt);
        contents.push(content);
      },
    },
  });
  return { router, settings, breakers, egress, receipts, contents, events, close: () => egress.close() };
}

/** A live deployment `cloud` and a local one `ollama`, both at `baseUrl`, asked in the order of `routing`. */
export function twoTiers(baseUrl: string, more: TiercelConfig = {}): TiercelConfig {
  return {
    mode: 'live',
    routing: 'cloud_first',
    deployments: [
      { id: 'cloud', tier: 'live', baseUrl, model: 'gpt-x' },
      { id: 'ollama', tier: 'local', baseUrl, model: 'llama3.2:3b' },
    ],
    defaults: { live: ['cloud'], local: ['ollama'] },
    ...more,
  };
}

/** The same limits for both tiers, so that a test says in one place what is short. */
export function limitsOf(limits: {
  connectMs?: number;
  headerMs?: number;
  firstTokenMs?: number;
  idleMs?: number;
}) {
  return { live: limits, local: limits };
}

export function ask(text = 'Hello'): ChatRequest {
  return { messages: [{ role: 'user', content: text }] };
}
