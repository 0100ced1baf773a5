import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** What a list keeps in the URL: a name of these has a text or is absent. */
export type UrlState<Name extends string> = Readonly<Partial<Record<Name, string>>>;
export type SetUrlState<Name extends string> = (
  change: Partial<Record<Name, string | undefined>>,
  how?: { push: boolean },
) => void;

/**
 * The page's state in the URL's search. A change replaces the entry in the history, unless it is a step that "back"
 * should undo (`push`).
 */
export function useUrlState<Name extends string>(
  names: readonly Name[],
): [UrlState<Name>, SetUrlState<Name>] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const navigate = useNavigate();
  const key = names.map((name) => search[name] ?? '').join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the values named, joined, are what may change
  const state = useMemo(
    () => Object.fromEntries(names.filter((name) => search[name]).map((name) => [name, search[name]])),
    [key],
  ) as UrlState<Name>;
  const set = useCallback<SetUrlState<Name>>(
    (change, how) => {
      void navigate({
        to: '.',
        search: (current: Record<string, unknown>) => ({ ...current, ...change }) as never,
        hash: true,
        replace: !how?.push,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [state, set];
}
