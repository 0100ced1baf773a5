import type { DeploymentDiagnosis, Diagnosis, TargetDiagnosis } from '../diagnosis.ts';
import type { Paint } from '../output.ts';
import { toExclusions } from './receipt.ts';
import { toOriginText, toSettingsTable, toValueText } from './settings.ts';
import { type Cell, toTable } from './table.ts';
import { tierCell } from './tier.ts';
import { toDuration } from './units.ts';

/** What `tiercel doctor` prints: settings, database, the plan of each target with its origins, deployments, verdict. */
export function toDiagnosisText(diagnosis: Diagnosis, paint: Paint): string {
  const { server, database, basics, targets, deployments, warnings, problems } = diagnosis;
  const heading = (text: string) => paint('bold', text);
  const state = database.ok ? paint('green', database.message) : paint('red', database.message);
  const sections = [
    `${heading('server')}  ${server ?? 'none is running; the settings were read here'}`,
    `${heading('database')}  ${state}`,
    `${heading('settings')}\n${indent(toSettingsTable(basics, paint))}`,
    ...targets.map((target) => toTarget(target, paint)),
  ];
  if (deployments.length > 0)
    sections.push(`${heading('deployments')}\n${toDeployments(deployments, paint)}`);
  if (warnings.length > 0) {
    sections.push(warnings.map((text) => `${paint('yellow', 'warning')} ${text}`).join('\n'));
  }
  sections.push(
    problems.length === 0
      ? paint('green', 'All is well.')
      : problems.map((text) => `${paint('red', 'problem')} ${text}`).join('\n'),
  );
  return sections.join('\n\n');
}

function toTarget({ name, label, candidates, excluded, chains }: TargetDiagnosis, paint: Paint): string {
  const lines = [`${paint('bold', name)}  ${label}`];
  const order = candidates.map(({ tier, deployment, model }, index): Cell[] => [
    String(index + 1),
    tierCell(tier),
    deployment,
    model,
  ]);
  lines.push(order.length > 0 ? toTable(order, paint, '  ') : `  ${paint('red', 'no candidate')}`);
  const origins = chains.map(({ path, value, origin }): Cell[] => [
    `${path.split('.').at(-1)} chain`,
    toValueText(value),
    { text: toOriginText(origin), style: 'dim' },
  ]);
  lines.push(toTable(origins, paint, '  '));
  if (excluded.length > 0) lines.push(`  left out\n${indent(toExclusions(excluded, paint))}`);
  return lines.join('\n');
}

function toDeployments(deployments: readonly DeploymentDiagnosis[], paint: Paint): string {
  const rows = deployments.map((one): Cell[] => [
    tierCell(one.tier),
    one.deployment,
    one.model,
    one.baseUrl,
    probeCell(one),
  ]);
  return toTable(rows, paint, '  ');
}

function probeCell({ probe, needed, model }: DeploymentDiagnosis): Cell {
  if (probe === null) return { text: 'not probed', style: 'dim' };
  if (!probe.ok) {
    const { code, latencyMs } = probe;
    return { text: `▲ ${code} after ${toDuration(latencyMs)}`, style: needed ? 'red' : 'yellow' };
  }
  const latency = `answers in ${toDuration(probe.latencyMs)}`;
  if (probe.servesModel === false) return { text: `${latency}, but does not list ${model}`, style: 'yellow' };
  return { text: latency, style: 'green' };
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
