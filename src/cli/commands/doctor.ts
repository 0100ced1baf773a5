import type { Command } from 'commander';
import { TiercelError } from '../../errors.ts';
import type { Probe } from '../../inference/probe.ts';
import { silentLog } from '../../lib/log.ts';
import type { Inspection } from '../backend/backend.ts';
import { toOwnBackend } from '../backend/own.ts';
import { openOwnRuntime } from '../backend/own-runtime.ts';
import { toRemoteBackend } from '../backend/remote.ts';
import { findServer } from '../backend/running-server.ts';
import { openSettingsOnly } from '../backend/settings-only.ts';
import { diagnose } from '../diagnosis.ts';
import { toDiagnosisText } from '../format/diagnosis.ts';
import { toDuration } from '../format/units.ts';
import { type LocationOptions, toLoadInputs, withLocation } from '../location.ts';
import { note, paintFor, print, printJson } from '../output.ts';

type DoctorOptions = LocationOptions & { json?: boolean; probe: boolean };

export function addDoctor(program: Command): void {
  withLocation(program.command('doctor'))
    .description('show who would serve which call and why, and whether everything answers')
    .option('--no-probe', 'connect to no deployment')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(doctor);
}

const HELP = `
Exit codes: 0 all is well; 1 the database or a needed deployment does not answer, or a role has no candidate;
2 the settings are wrong.

Example:
  $ tiercel doctor --json | jq .problems`;

async function doctor({ json, probe, ...location }: DoctorOptions): Promise<void> {
  const inspection = await openInspection(location);
  try {
    const diagnosis = await diagnose(inspection, { probing: probe, onProbe: tellProbe });
    if (json) printJson(diagnosis);
    else print(toDiagnosisText(diagnosis, paintFor(process.stdout)));
    if (diagnosis.problems.length > 0) process.exitCode = 1;
  } finally {
    await inspection.close();
  }
}

async function openInspection(location: LocationOptions): Promise<Inspection> {
  const inputs = toLoadInputs(location);
  const server = await findServer(inputs);
  if (server) return toRemoteBackend(server);
  try {
    return toOwnBackend(await openOwnRuntime({ ...inputs, log: silentLog }));
  } catch (error) {
    const isSettings = error instanceof TiercelError && error.code.startsWith('config_');
    if (!(error instanceof TiercelError) || isSettings) throw error;
    return openSettingsOnly(inputs, error);
  }
}

function tellProbe(probe: Probe): void {
  const took = toDuration(probe.latencyMs);
  note(probe.ok ? `${probe.deployment} answers in ${took}` : `${probe.deployment}: ${probe.message}`);
}
