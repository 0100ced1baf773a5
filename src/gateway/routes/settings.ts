import { z } from 'zod';
import { RUNTIME_PATHS } from '../../config/change.ts';
import { describeSettings } from '../../config/describe.ts';
import { TiercelError } from '../../errors.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { settingsSchema } from '../schemas.ts';

const changeBody = z.strictObject({
  changes: z
    .record(z.string(), z.unknown())
    .refine((changes) => Object.keys(changes).length > 0, 'must hold at least one change')
    .describe('New values by path; null takes an earlier change back.'),
});

const undoBody = z.strictObject({
  version: z.int().positive().optional().describe('Of the change to undo; the last one when absent.'),
});

export function settingsRoutes({ runtime: { settings, changes, history } }: GatewayParts): Route[] {
  async function describe(): Promise<object> {
    const resolved = settings.resolved();
    return {
      version: await history.latestVersion(),
      settings: describeSettings(resolved),
      warnings: resolved.warnings,
      changeable: RUNTIME_PATHS,
    };
  }
  const answers = [{ status: 200, description: 'The settings in force.', content: settingsSchema }];

  return [
    {
      method: 'GET',
      path: '/api/settings',
      access: 'admin',
      operation: 'getSettings',
      summary: 'Every setting in force and where its value comes from.',
      answers,
      errors: [],
      handle: describe,
    },
    {
      method: 'PUT',
      path: '/api/settings',
      access: 'admin',
      operation: 'changeSettings',
      summary: 'Change settings, all of them or none, from the next call on.',
      body: changeBody,
      answers,
      errors: ['invalid_request'],
      async handle(request) {
        const given = Object.entries(parse(changeBody, request.body).changes);
        await asCallersFault(given.length === 1 ? given[0]?.[0] : undefined, () =>
          changes.apply(new Map(given), request.identity?.principal ?? 'local'),
        );
        return describe();
      },
    },
    {
      method: 'POST',
      path: '/api/settings/undo',
      access: 'admin',
      operation: 'undoSettingChange',
      summary: 'Give a setting the value that it had before a change.',
      body: undoBody,
      answers,
      errors: ['invalid_request'],
      async handle(request) {
        const { version } = parse(undoBody, request.body ?? {});
        const undone = version ?? (await history.latestVersion());
        await asCallersFault('version', () => changes.undo(undone, request.identity?.principal ?? 'local'));
        return describe();
      },
    },
  ];
}

/** At start-up a wrong setting stops the server; in a request it is the request that is wrong. */
async function asCallersFault(param: string | undefined, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TiercelError) || error.code !== 'config_invalid') throw error;
    throw new TiercelError('invalid_request', error.message, param === undefined ? {} : { param });
  }
}
