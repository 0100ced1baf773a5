import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { overviewQuery } from '../../api/queries.ts';
import type { Settings, SettingsPreview } from '../../api/schema.ts';
import {
  applyChanges,
  type Changes,
  previewChanges,
  SETTINGS_KEY,
  settingsQuery,
  undoChange,
} from '../../api/settings.ts';
import { problemsOf } from './problems.ts';

/** Changes that are not in force yet, and what the server says of them. */
export type Draft = {
  changes: Changes;
  paths: readonly string[];
  /** Undefined drops the change of the path. */
  set: (path: string, value: unknown) => void;
  discard: () => void;
  /** Of these changes; undefined while it is asked for. */
  preview: SettingsPreview | undefined;
  /** By path; the empty path is for what names none. */
  problems: ReadonlyMap<string, string>;
  apply: () => void;
  saving: boolean;
  /** The versions that were made last here, newest first, until another change begins. */
  applied: readonly number[];
  undo: () => void;
  undoing: boolean;
};

const PAUSE_MS = 200;

/** Marks all that settings decide as old. */
export function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: SETTINGS_KEY }),
      client.invalidateQueries({ queryKey: overviewQuery.queryKey }),
    ]);
}

export function useDraft(): Draft {
  const client = useQueryClient();
  const refresh = useRefresh();
  const [changes, setChanges] = useState<Changes>({});
  const [applied, setApplied] = useState<readonly number[]>([]);
  const settle = (settings: Settings) => {
    client.setQueryData(settingsQuery.queryKey, settings);
    return refresh();
  };
  const saved = useMutation({
    mutationFn: applyChanges,
    async onSuccess(settings, made) {
      await settle(settings);
      setChanges({});
      // Each path makes a version of its own.
      setApplied(Object.keys(made).map((_, index) => settings.version - index));
    },
  });
  const undone = useMutation({
    async mutationFn(versions: readonly number[]) {
      for (const version of versions) await undoChange(version);
    },
    async onSettled(_, error) {
      await refresh();
      if (error === null) setApplied([]);
    },
  });
  const asked = usePreview(changes);
  const paths = useMemo(() => Object.keys(changes), [changes]);
  const error = saved.error ?? undone.error ?? asked.error;
  return {
    changes,
    paths,
    set(path, value) {
      saved.reset();
      undone.reset();
      setApplied([]);
      setChanges(({ [path]: _, ...others }) => (value === undefined ? others : { ...others, [path]: value }));
    },
    discard() {
      saved.reset();
      undone.reset();
      setApplied([]);
      setChanges({});
    },
    preview: asked.data,
    problems: useMemo(() => problemsOf(error, paths), [error, paths]),
    apply: () => saved.mutate(changes),
    saving: saved.isPending,
    applied,
    undo: () => undone.mutate(applied),
    undoing: undone.isPending,
  };
}

/** The plans under the changes, asked for when the typing pauses. */
export function usePreview(changes: Changes) {
  const key = JSON.stringify(changes);
  const [settled, setSettled] = useState(key);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const { data, error } = useQuery({
    queryKey: [...SETTINGS_KEY, 'preview', settled],
    queryFn: ({ signal }) => previewChanges(JSON.parse(settled) as Changes, signal),
    enabled: settled !== '{}' && settled === key,
    retry: false,
  });
  return settled === key && key !== '{}' ? { data, error } : { data: undefined, error: null };
}
