import { type RefObject, useMemo } from 'react';
import type { TraceEvent } from '../../api/types.ts';
import { Button } from '../../kit/button.tsx';
import { type Choice, SearchField, Select } from '../../kit/fields.tsx';
import type { SetUrlState, UrlState } from '../../kit/url-state.ts';
import { TIERS } from '../../kit/words.ts';
import { CORE_TYPES } from './event-types.ts';

export const FILTER_NAMES = ['type', 'actor', 'tier', 'runId', 'q'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

const TIER_CHOICES = Object.entries(TIERS).map(([value, title]) => ({ value, title }));
const NONE = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));
/** Actors and types are few; they are looked for in so many of the latest events. */
const LOOKED_AT = 2_000;

type FiltersProps = {
  state: UrlState<FilterName>;
  set: SetUrlState<FilterName | 'at'>;
  rows: readonly TraceEvent[];
  searchRef: RefObject<HTMLInputElement | null>;
};

export function EventFilters({ state, set, rows, searchRef }: FiltersProps) {
  const change = useMemo(
    () =>
      Object.fromEntries(
        FILTER_NAMES.map((name) => [name, (value?: string) => set({ [name]: value, at: undefined })]),
      ) as Record<FilterName, (value: string | undefined) => void>,
    [set],
  );
  const latest = rows.slice(0, LOOKED_AT);
  const types = choicesOf([...CORE_TYPES, ...latest.map(({ type }) => type), state.type]);
  const actors = choicesOf(latest.map(({ actor }) => actor).concat(state.actor ?? []));
  const filtered = FILTER_NAMES.some((name) => state[name] !== undefined);
  return (
    <search
      aria-label="Filter events"
      className="grid min-w-0 basis-full grid-cols-3 items-center gap-2 wide:flex wide:basis-auto wide:flex-wrap"
    >
      <Select label="Type" any="Any type" choices={types} value={state.type} onChange={change.type} />
      <Select label="By" any="By anyone" choices={actors} value={state.actor} onChange={change.actor} />
      <Select label="Tier" any="Any tier" choices={TIER_CHOICES} value={state.tier} onChange={change.tier} />
      <SearchField
        label="Run id"
        value={state.runId}
        onChange={change.runId}
        className="w-full font-mono wide:w-24"
      />
      <SearchField
        label="Search text"
        value={state.q}
        onChange={change.q}
        fieldRef={searchRef}
        className="w-full wide:w-40"
      />
      <Button look="quiet" disabled={!filtered} onClick={() => set({ ...NONE, at: undefined })}>
        Clear
      </Button>
    </search>
  );
}

function choicesOf(values: readonly (string | undefined)[]): Choice[] {
  const known = new Set(values.filter((value) => value !== undefined));
  return [...known].map((value) => ({ value, title: value }));
}
