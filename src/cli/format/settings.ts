import type { SettingRow } from '../../config/describe.ts';
import type { Origin } from '../../config/settings.ts';
import type { Paint } from '../output.ts';
import { toTable } from './table.ts';

/** `path  value  origin`, one setting a line. */
export function toSettingsTable(rows: readonly SettingRow[], paint: Paint): string {
  return toTable(
    rows.map(({ path, value, origin }) => [
      path,
      toValueText(value),
      { text: toOriginText(origin), style: 'dim' },
    ]),
    paint,
  );
}

/** As in YAML's flow style where that is plain to read; `–` for what is not set. */
export function toValueText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(toValueText).join(', ')}]`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a value came from, in words. */
export function toOriginText({ kind, detail }: Origin): string {
  if (detail === undefined) return kind;
  return kind === 'inherited' ? `inherited from ${detail}` : `${kind}: ${detail}`;
}
