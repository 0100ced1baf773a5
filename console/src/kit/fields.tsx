import { type RefObject, useEffect, useState } from 'react';

const FIELD =
  'h-7 min-w-0 rounded border border-line-strong bg-canvas px-2 text-sm hover:border-faint placeholder:text-faint';

export type Choice = { value: string; title: string };

/** A choice from a few; the empty value is "no choice" and is named by `any`. */
export function Select({
  label,
  any,
  choices,
  value,
  onChange,
}: {
  label: string;
  any?: string;
  choices: readonly Choice[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <select
      aria-label={label}
      className={`${FIELD} ${value === undefined ? 'text-muted' : ''}`}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      {any === undefined ? null : <option value="">{any}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}

const PAUSE_MS = 250;

/** A search field that tells of its text when the typing pauses. `value` set from outside replaces what is typed. */
export function SearchField({
  label,
  value,
  onChange,
  fieldRef,
  className = '',
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  fieldRef?: RefObject<HTMLInputElement | null>;
  className?: string;
}) {
  const [typed, setTyped] = useState(value ?? '');
  useEffect(() => setTyped(value ?? ''), [value]);
  useEffect(() => {
    if (typed === (value ?? '')) return;
    const timer = setTimeout(() => onChange(typed === '' ? undefined : typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <input
      ref={fieldRef}
      type="search"
      aria-label={label}
      placeholder={label}
      className={`${FIELD} ${className}`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
