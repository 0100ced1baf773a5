import { queryOptions } from '@tanstack/react-query';
import { ask } from './client.ts';
import type {
  Breaker,
  Deployment,
  DeploymentDefinition,
  Probe,
  RoleMap,
  SettingHistory,
  Settings,
  SettingsPreview,
} from './schema.ts';

export type Setting = Settings['settings'][number];
export type Origin = Setting['origin'];
export type Change = SettingHistory['changes'][number];
export type PlanChange = SettingsPreview['plans'][number];
/** New values by path; null takes an earlier change back. */
export type Changes = Readonly<Record<string, unknown>>;
export type Session = { principal: string; admin: boolean; keyless: boolean };

/** What every query of this page begins with, so that a change makes all of them old at once. */
export const SETTINGS_KEY = ['settings'] as const;

export const settingsQuery = queryOptions({
  queryKey: [...SETTINGS_KEY, 'values'],
  queryFn: ({ signal }) => ask<Settings>('/api/settings', { signal }),
});

export const rolesQuery = queryOptions({
  queryKey: [...SETTINGS_KEY, 'roles'],
  queryFn: ({ signal }) => ask<RoleMap>('/api/roles', { signal }),
});

/** Probes and breakers move it without a change. */
export const deploymentsQuery = queryOptions({
  queryKey: [...SETTINGS_KEY, 'deployments'],
  queryFn: async ({ signal }) =>
    (await ask<{ deployments: Deployment[] }>('/api/deployments', { signal })).deployments,
  refetchInterval: 5_000,
});

export const historyQuery = queryOptions({
  queryKey: [...SETTINGS_KEY, 'history'],
  queryFn: async ({ signal }) =>
    (await ask<SettingHistory>('/api/settings/history', { query: { limit: 100 }, signal })).changes,
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask<Session>('/api/session', { signal }),
});

/** How plans would change; nothing is stored. */
export function previewChanges(changes: Changes, signal: AbortSignal): Promise<SettingsPreview> {
  return ask('/api/settings', { method: 'PUT', body: { changes, dryRun: true }, signal });
}

/** All of them or none. */
export function applyChanges(changes: Changes): Promise<Settings> {
  return ask('/api/settings', { method: 'PUT', body: { changes } });
}

export function undoChange(version: number): Promise<Settings> {
  return ask('/api/settings/undo', { body: { version } });
}

const pathOf = (id: string) => `/api/deployments/${encodeURIComponent(id)}`;

export function changeDeployment(id: string, definition: DeploymentDefinition): Promise<Deployment> {
  return ask(pathOf(id), { method: 'PUT', body: definition });
}

export function removeDeployment(id: string): Promise<{ removed: string; restored: Deployment | null }> {
  return ask(pathOf(id), { method: 'DELETE' });
}

export function probeDeployment(id: string): Promise<Probe> {
  return ask(`${pathOf(id)}/probe`, { body: {} });
}

/** Asks a target that is not stored. */
export function probeDefinition(id: string, definition: DeploymentDefinition): Promise<Probe> {
  return ask('/api/deployments/probe', { body: { ...definition, ...(id === '' ? {} : { id }) } });
}

export function resetBreaker(id: string): Promise<Breaker> {
  return ask(`/api/breakers/${encodeURIComponent(id)}/reset`, { body: {} });
}
