import type { SettingRow } from '../config/describe.ts';
import type { Tier } from '../config/settings.ts';
import { TiercelError } from '../errors.ts';
import type { Probe } from '../inference/probe.ts';
import type { Inspection, PlanView } from './backend/backend.ts';

/** Who would serve calls of one name, and the chains that this follows from. */
export type TargetDiagnosis = PlanView & { name: string; chains: SettingRow[] };

export type DeploymentDiagnosis = {
  deployment: string;
  tier: Tier;
  baseUrl: string;
  model: string;
  /** Whether a plan has it among its candidates. */
  needed: boolean;
  /** Null when it was not probed. */
  probe: Probe | null;
};

export type Diagnosis = {
  /** The address of the running server that was asked; null when there was none. */
  server: string | null;
  database: { ok: boolean; message: string };
  /** The settings that decide which tiers may serve. */
  basics: SettingRow[];
  targets: TargetDiagnosis[];
  deployments: DeploymentDiagnosis[];
  warnings: readonly string[];
  /** What keeps calls from being served. Empty when all is well. */
  problems: string[];
};

const BASICS = ['mode', 'routing', 'floor', 'dataDir', 'databaseUrl'];

/** Looks at everything that a call depends on. `probing: false` connects to no deployment. */
export async function diagnose(
  inspection: Inspection,
  { probing, onProbe }: { probing: boolean; onProbe(probe: Probe): void },
): Promise<Diagnosis> {
  const { rows, warnings } = await inspection.settings();
  const database = await checkDatabase(inspection);
  const targets = await Promise.all(
    targetsOf(rows).map(async ({ name, prefix }) => ({
      name,
      ...(await inspection.plan(name)),
      chains: rows.filter(({ path }) => path === `${prefix}.live` || path === `${prefix}.local`),
    })),
  );
  const needed = new Set(targets.flatMap(({ candidates }) => candidates.map(({ deployment }) => deployment)));
  const deployments = await Promise.all(
    deploymentsOf(rows).map(async (one) => {
      const probe = probing ? await inspection.probe(one.deployment) : null;
      if (probe) onProbe(probe);
      return { ...one, needed: needed.has(one.deployment), probe };
    }),
  );
  const problems = [
    ...(database.ok ? [] : [`database: ${database.message}`]),
    ...targets
      .filter(({ candidates }) => candidates.length === 0)
      .map(({ name }) => `${name} has no candidate`),
    ...deployments.flatMap(({ deployment, needed, probe }) =>
      needed && probe && !probe.ok ? [`${deployment} is needed and fails: ${probe.message}`] : [],
    ),
  ];
  const basics = rows.filter(({ path }) => BASICS.includes(path));
  return { server: inspection.server, database, basics, targets, deployments, warnings, problems };
}

async function checkDatabase(inspection: Inspection): Promise<Diagnosis['database']> {
  try {
    await inspection.ready();
    return { ok: true, message: 'answers' };
  } catch (error) {
    if (!(error instanceof TiercelError)) throw error;
    return { ok: false, message: error.message };
  }
}

/** `auto` and every role, with the place of their chains among the settings. */
function targetsOf(rows: readonly SettingRow[]): { name: string; prefix: string }[] {
  const roles = new Set(rows.flatMap(({ path }) => /^roles\.([^.]+)\./.exec(path)?.[1] ?? []));
  return [
    { name: 'auto', prefix: 'defaults' },
    ...[...roles].map((role) => ({ name: `role:${role}`, prefix: `roles.${role}` })),
  ];
}

/** Every deployment, from its rows. An id may hold dots, a field's name holds none. */
function deploymentsOf(rows: readonly SettingRow[]): Omit<DeploymentDiagnosis, 'needed' | 'probe'>[] {
  const fields = new Map(rows.map(({ path, value }) => [path, value]));
  const ids = rows.flatMap(({ path }) => /^deployments\.(.+)\.tier$/.exec(path)?.[1] ?? []);
  return ids.map((deployment) => ({
    deployment,
    tier: fields.get(`deployments.${deployment}.tier`) as Tier,
    baseUrl: String(fields.get(`deployments.${deployment}.baseUrl`)),
    model: String(fields.get(`deployments.${deployment}.model`)),
  }));
}
