import { type ReactNode, useId } from 'react';
import type { Setting } from '../../api/settings.ts';
import { OriginText } from './origin.tsx';
import type { Draft } from './use-draft.ts';

/** The settings by path and the changes to them, as every section takes them. */
export type Values = {
  settings: ReadonlyMap<string, Setting>;
  /** Of the settings in force. */
  warnings: readonly string[];
  draft: Draft;
};

export const CONTROL =
  'h-7 min-w-0 rounded border bg-canvas px-2 text-sm hover:border-faint placeholder:text-faint';

/** The edge of a control: in doubt, changed, or at rest. */
export function edgeOf(changed: boolean, wrong: boolean): string {
  return wrong ? 'border-failed' : changed ? 'border-ink' : 'border-line-strong';
}

export type ControlProps = {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
  className: string;
};

/** A setting: its name, its control, what it means, where its value comes from. */
export function Field({
  path,
  title,
  says,
  values: { settings, draft },
  children,
}: {
  path: string;
  title: string;
  /** What it does, in one line. */
  says: string;
  values: Values;
  children: (control: ControlProps, value: unknown) => ReactNode;
}) {
  const id = useId();
  const setting = settings.get(path);
  const changed = Object.hasOwn(draft.changes, path);
  const problem = draft.problems.get(path);
  const value = changed && draft.changes[path] !== null ? draft.changes[path] : setting?.value;
  const control: ControlProps = {
    id,
    'aria-describedby': `${id}-says ${id}-origin`,
    'aria-invalid': problem !== undefined,
    className: `${CONTROL} ${edgeOf(changed, problem !== undefined)}`,
  };
  return (
    <div className="grid gap-x-4 gap-y-0.5 border-line border-t px-4 py-2 wide:grid-cols-[11rem_15rem_minmax(0,1fr)]">
      <label htmlFor={id} className="pt-1">
        {title}
      </label>
      <div className="flex min-w-0 items-center gap-2 self-start">{children(control, value)}</div>
      <div className="min-w-0 text-xs wide:pt-1">
        <p id={`${id}-says`} className="max-w-[72ch] text-muted">
          {says}
        </p>
        <p id={`${id}-origin`} className={problem ? 'text-failed' : 'text-faint'}>
          {problem ?? <Standing path={path} setting={setting} draft={draft} />}
        </p>
      </div>
    </div>
  );
}

const LINK = 'text-ink underline underline-offset-2';

/** Where the value comes from, or what is about to become of it. */
export function Standing({
  path,
  setting,
  draft,
}: {
  path: string;
  setting: { value?: unknown; origin: Setting['origin'] } | undefined;
  draft: Draft;
}) {
  if (!setting) return null;
  const { value, origin } = setting;
  if (Object.hasOwn(draft.changes, path)) {
    if (draft.saving) return 'saving…';
    return (
      <>
        {draft.changes[path] === null ? 'will be taken back' : `now ${toShort(value)}`},{' '}
        <OriginText origin={origin} />{' '}
        <button type="button" className={LINK} onClick={() => draft.set(path, undefined)}>
          keep
        </button>
      </>
    );
  }
  return (
    <>
      <OriginText origin={origin} />
      {origin.kind === 'console' ? (
        <>
          {' '}
          <button
            type="button"
            className={LINK}
            aria-label={`Take back the change of ${path}`}
            onClick={() => draft.set(path, null)}
          >
            take back
          </button>
        </>
      ) : null}
    </>
  );
}

export function toShort(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.join(' → ');
  if (typeof value === 'object' && value !== null) return 'a definition';
  return String(value ?? 'not set');
}

type FieldProps = { path: string; title: string; says: string; values: Values };

export type Option = { value: string; title: string };

export function SelectField({ options, ...field }: FieldProps & { options: readonly Option[] }) {
  const { path, values } = field;
  return (
    <Field {...field}>
      {(control, value) => (
        <select
          {...control}
          value={String(value)}
          onChange={({ target }) =>
            values.draft.set(
              path,
              target.value === values.settings.get(path)?.value ? undefined : target.value,
            )
          }
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A whole number with its unit. What is typed goes to the server as it is, which says what is allowed. */
export function NumberField({ unit, ...field }: FieldProps & { unit: string }) {
  return (
    <Field {...field}>
      {(control) => <NumberInput {...control} path={field.path} values={field.values} unit={unit} />}
    </Field>
  );
}

type NumberInputProps = Partial<ControlProps> & {
  path: string;
  values: Values;
  unit: string;
  label?: string;
};

export function NumberInput({ path, values, unit, label, ...control }: NumberInputProps) {
  const { draft, settings } = values;
  const current = settings.get(path)?.value;
  const changed = Object.hasOwn(draft.changes, path);
  const change = draft.changes[path];
  const shown = changed ? (change === null ? '' : String(change)) : String(current ?? '');
  return (
    <>
      <input
        inputMode="numeric"
        aria-label={label}
        {...control}
        className={`${control.className ?? `${CONTROL} ${edgeOf(changed, draft.problems.has(path))}`} w-24 text-right font-mono`}
        value={shown}
        placeholder={changed && change === null ? String(current ?? '') : undefined}
        onChange={({ target }) => draft.set(path, toChange(target.value, current))}
      />
      <span className="text-muted text-xs">{unit}</span>
    </>
  );
}

/** Blank takes an earlier change back; the value that stands is no change. */
function toChange(typed: string, current: unknown): unknown {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d+$/.test(text) ? Number(text) : text;
  return value === current ? undefined : value;
}
