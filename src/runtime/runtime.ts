import { resolve } from 'node:path';
import { createLiveSettings, type LiveSettings } from '../config/live.ts';
import { type LoadInputs, readInputs } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { createEgress } from '../egress/egress.ts';
import type { Egress, EgressObserver, EgressRules } from '../egress/model.ts';
import { type AdmissionPolicy, admitAll } from '../governance/admission.ts';
import { type BreakerChange, type Breakers, createBreakers } from '../inference/breaker.ts';
import { type Probe, probe } from '../inference/probe.ts';
import { createRepairMemory } from '../inference/repair.ts';
import { createRouter, type Router, type RouterParts } from '../inference/router.ts';
import type { SimulationScript } from '../inference/simulation/script.ts';
import { createSimulation } from '../inference/simulation/simulation.ts';
import { createCredentials } from '../inference/wire/credentials.ts';
import { createOpenAiWire } from '../inference/wire/openai-wire.ts';
import { type Log, silentLog } from '../lib/log.ts';
import type { Database } from '../storage/database.ts';
import { createKeyStore, type KeyStore } from '../storage/key-store.ts';
import { openDatabase } from '../storage/open-database.ts';
import type { ReceiptStore } from '../storage/receipt.ts';
import { createReceiptStore } from '../storage/receipt-store.ts';
import { createSettingChangeStore, type SettingChangeStore } from '../storage/setting-change-store.ts';
import type { Trace } from '../trace/event.ts';
import type { Ledger } from '../trace/ledger.ts';
import { createFallbackDemo, type DemoStep } from './demo/fallback-demo.ts';
import { createDeploymentStates, type DeploymentStates } from './deployment-states.ts';
import { createCandidateProbe, findDeployment, resetChangedBreakers } from './deployments.ts';
import { withKeyEvents } from './key-events.ts';
import { createLedgerSink, openRuntimeLedger } from './ledger-parts.ts';
import { createOverview, type Overview } from './overview.ts';
import { createReceiptSink, createReceipts, type Receipts } from './receipts.ts';
import { createRuns, type Runs } from './runs/runs.ts';
import { createSettingChanges, type SettingChanges } from './setting-changes.ts';
import { createTelemetry, type Telemetry } from './telemetry.ts';

export type RuntimeInputs = LoadInputs & {
  log?: Log;
  admission?: AdmissionPolicy;
  /** Scripts of the simulation, by role. */
  scripts?: Record<string, SimulationScript>;
};

/** Everything that runs, put together: what the gateway, the command line and the library stand on. */
export type Runtime = {
  settings: LiveSettings;
  changes: SettingChanges;
  history: SettingChangeStore;
  router: Router;
  breakers: Breakers;
  receipts: Receipts;
  keys: KeyStore;
  trace: Trace;
  ledger: Ledger;
  egress: Egress;
  database: Database;
  log: Log;
  states: DeploymentStates;
  runs: Runs;
  /** Of the last minutes, of all calls or of one principal's. @throws TiercelError `not_ready` */
  overview(asked: { minutes: number; principal?: string }): Promise<Overview>;
  /** @throws TiercelError `deployment_not_found` */
  probe(deployment: string): Promise<Probe>;
  /** Probes a deployment before it is added, and stores nothing. @throws TiercelError `config_invalid` */
  probeCandidate(id: string, definition: object): Promise<Probe>;
  /** Lets a model fail on this machine, and gives the runs that showed it. */
  runFallbackDemo(): Promise<DemoStep[]>;
  /** @throws TiercelError `not_ready` when the database does not answer */
  ready(): Promise<void>;
  /** Stores what is pending and frees everything. */
  close(): Promise<void>;
};

/**
 * Reads the settings, opens the database, applies the stored changes, and puts the rooms together.
 *
 * @throws TiercelError of `config` and of `storage`
 */
export async function openRuntime(inputs: RuntimeInputs): Promise<Runtime> {
  const { log = silentLog, admission = admitAll, scripts = {} } = inputs;
  const settings = createLiveSettings(readInputs(inputs));
  const { dataDir, databaseUrl } = settings.current();
  const observer = storageObserver(log);
  const folder = resolve(inputs.cwd, dataDir);
  const database = await openDatabase({ dataDir: folder, databaseUrl, observer });
  try {
    const ledger = await openRuntimeLedger(database, folder, { settings, log });
    const { trace } = ledger;
    const history = createSettingChangeStore(database);
    const changes = await createSettingChanges(settings, history, { database, trace, log });
    const store = createReceiptStore(database, observer);
    const gate = { rules: egressRules(settings), observer: egressObserver(trace, log) };
    const egress = createEgress(gate);
    const breakers = createBreakers(() => settings.current().breaker, breakerObserver(trace, log));
    resetChangedBreakers(settings, breakers);
    const credentials = createCredentials();
    const states = createDeploymentStates({
      settings: settings.current,
      breakers,
      probe: (deployment) => probe(egress, credentials, deployment, settings.current().limits),
    });
    const telemetry = createTelemetry({ settings, egress, trace, log });
    const sink = createReceiptSink(store, [states.observe, telemetry.observe]);
    const routerParts: RouterParts = {
      settings: settings.current,
      wire: createOpenAiWire(egress, credentials),
      simulation: createSimulation({ scripts }),
      breakers,
      repairs: createRepairMemory(),
      admission,
      trace,
      sink: createLedgerSink(sink, { ledger, store, settings }),
    };
    const router = createRouter(routerParts);
    const receipts = createReceipts(store);
    return {
      settings,
      changes,
      history,
      router,
      breakers,
      receipts,
      runs: createRuns(ledger, receipts),
      keys: withKeyEvents(createKeyStore(database), trace),
      trace,
      ledger,
      egress,
      database,
      log,
      states,
      overview: createOverview({ settings, router, states, store, database }),
      probe: async (id) => states.probe(findDeployment(settings.current(), id)),
      probeCandidate: createCandidateProbe({ ...gate, settings, changes, credentials }),
      runFallbackDemo: createFallbackDemo(routerParts),
      ready: () => database.ping(),
      close: () => closeAll({ changes, telemetry, egress, store, ledger, database }),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function closeAll(parts: {
  changes: SettingChanges;
  telemetry: Telemetry;
  egress: Egress;
  store: ReceiptStore;
  ledger: Ledger;
  database: Database;
}): Promise<void> {
  const { changes, telemetry, egress, store, ledger, database } = parts;
  changes.close();
  await telemetry.close();
  await egress.close();
  try {
    await store.flush();
    await ledger.close();
  } finally {
    await database.close();
  }
}

/** Derived from the settings in force, and made anew only when they have changed. */
export function egressRules(settings: LiveSettings): () => EgressRules {
  let from: Settings | null = null;
  let rules: EgressRules | null = null;
  return () => {
    const current = settings.current();
    if (rules && from === current) return rules;
    const live = current.deployments.filter(({ tier }) => tier === 'live');
    const endpoints = [current.telemetry.otlpEndpoint].filter((url) => url !== undefined);
    from = current;
    rules = {
      localOnly: current.routing === 'local_only',
      allow: current.egress.allow,
      allowPrivate: current.egress.allowPrivate,
      declared: [...new Set([...live.map(({ baseUrl }) => baseUrl), ...endpoints].map(originOf))],
    };
    return rules;
  };
}

function egressObserver(trace: Trace, log: Log): EgressObserver {
  return {
    denied(denial) {
      const { host, port, purpose, reason } = denial;
      const message = `${host}:${port} was refused: ${reason}`;
      trace.emit('EGRESS_DENIED', { actor: 'egress', message, payload: { host, port, purpose, reason } });
      log.warn(denial, 'egress denied');
    },
  };
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function breakerObserver(trace: Trace, log: Log): (change: BreakerChange) => void {
  return ({ deployment, to, until }) => {
    if (to === 'opened') {
      const at = new Date(until ?? Date.now()).toISOString();
      const message = `${deployment} is left alone until ${at}`;
      trace.emit('BREAKER_OPENED', { actor: 'breaker', message, payload: { deployment, until: at } });
      log.warn({ deployment, until: at }, 'breaker opened');
    } else {
      const type = to === 'probed' ? 'BREAKER_PROBED' : 'BREAKER_CLOSED';
      const message = to === 'probed' ? `One call probes ${deployment}` : `${deployment} is asked again`;
      trace.emit(type, { actor: 'breaker', message, payload: { deployment } });
      log.info({ deployment }, `breaker ${to}`);
    }
  };
}

function storageObserver(log: Log) {
  return {
    connectionLost: (error: Error) => log.error({ error: error.message }, 'database connection lost'),
    receiptsDelayed: (rows: number, error: Error) =>
      log.warn({ rows, error: error.message }, 'receipts wait for the database'),
    receiptsLost: (rows: number, error: Error) => log.error({ rows, error: error.message }, 'receipts lost'),
  };
}
