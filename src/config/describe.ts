import type { Origin, ResolvedSettings } from './settings.ts';
import { toLeaves } from './tree.ts';

export type SettingRow = { path: string; value: unknown; origin: Origin };

/**
 * Every setting in force as a row, secrets as `[secret]`: single settings in the order of the example file, then each
 * deployment's fields, then each role's.
 */
export function describeSettings({ settings, origins }: ResolvedSettings): SettingRow[] {
  const { deployments, roles, ...single } = settings;
  const rows = toLeaves(single).map(([path, value]) => toRow(path, value, origins));
  for (const { id, ...fields } of deployments) {
    for (const [field, value] of Object.entries({ ...fields, baseUrl: toShownUrl(fields.baseUrl) })) {
      rows.push(toRow(`deployments.${id}.${field}`, value, origins));
    }
  }
  for (const { name, ...fields } of roles) {
    for (const [field, value] of Object.entries(fields))
      rows.push(toRow(`roles.${name}.${field}`, value, origins));
  }
  return rows;
}

/** A URL to show: what its query holds may be a credential, whatever its name, so only the names are shown. */
export function toShownUrl(url: string): string {
  const [base = '', query] = url.split('?', 2);
  if (query === undefined) return base;
  const names = [...new URLSearchParams(query).keys()].map((name) => `${name}=[secret]`);
  return `${base}?${names.join('&')}`;
}

function toRow(path: string, value: unknown, origins: ReadonlyMap<string, Origin>): SettingRow {
  // Through JSON a Secret becomes `[secret]`, whatever it is nested in.
  return { path, value: JSON.parse(JSON.stringify(value)), origin: origins.get(path) ?? { kind: 'default' } };
}
