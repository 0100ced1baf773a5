import type { RefObject } from 'react';
import { Button } from '../../kit/button.tsx';
import { SearchField, Select } from '../../kit/fields.tsx';
import type { SetUrlState, UrlState } from '../../kit/url-state.ts';
import { OUTCOMES, TIERS } from '../../kit/words.ts';

export const FILTER_NAMES = ['tier', 'outcome', 'role', 'q'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

const TIER_CHOICES = Object.entries(TIERS).map(([value, title]) => ({ value, title }));
const OUTCOME_CHOICES = Object.entries(OUTCOMES).map(([value, title]) => ({ value, title }));
const NONE = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));

export function RunFilters({
  state,
  set,
  roles,
  searchRef,
}: {
  state: UrlState<FilterName>;
  set: SetUrlState<FilterName | 'row'>;
  roles: readonly string[];
  searchRef: RefObject<HTMLInputElement | null>;
}) {
  const change = (name: FilterName) => (value: string | undefined) => set({ [name]: value, row: undefined });
  const filtered = FILTER_NAMES.some((name) => state[name] !== undefined);
  const known = [...new Set([...roles, ...(state.role ? [state.role] : [])])].sort();
  return (
    <search aria-label="Filter runs" className="flex min-w-0 flex-wrap items-center gap-2">
      <Select
        label="Tier"
        any="Any tier"
        choices={TIER_CHOICES}
        value={state.tier}
        onChange={change('tier')}
      />
      <Select
        label="Outcome"
        any="Any outcome"
        choices={OUTCOME_CHOICES}
        value={state.outcome}
        onChange={change('outcome')}
      />
      <Select
        label="Role"
        any="Any role"
        choices={known.map((role) => ({ value: role, title: role }))}
        value={state.role}
        onChange={change('role')}
      />
      <SearchField
        label="Search runs"
        value={state.q}
        onChange={change('q')}
        fieldRef={searchRef}
        className="w-36 wide:w-48"
      />
      <Button look="quiet" disabled={!filtered} onClick={() => set(NONE)}>
        Clear
      </Button>
    </search>
  );
}
