import { z } from 'zod';
import { RUNTIME_PATHS } from '../../config/change.ts';
import { deploymentOfPath } from '../../config/deployment-change.ts';
import { describeSettings, toShownUrl } from '../../config/describe.ts';
import type { Plan } from '../../inference/plan.ts';
import { previewPlans } from '../../runtime/plan-preview.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { asCallersFault } from '../callers-fault.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { settingsSchema } from '../schemas.ts';
import { settingHistorySchema, settingsPreviewSchema } from '../setting-schemas.ts';

const changeBody = z.strictObject({
  changes: z
    .record(z.string(), z.unknown())
    .refine((changes) => Object.keys(changes).length > 0, 'must hold at least one change')
    .describe('New values by path; null takes an earlier change back.'),
  dryRun: z.boolean().default(false).describe('Answers how plans would change, and stores nothing.'),
});

const undoBody = z.strictObject({
  version: z.int().positive().optional().describe('Of the change to undo; the last one when absent.'),
});

const historyQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  before: z.coerce.number().int().positive().optional().describe('The last version of the page before.'),
});

export function settingsRoutes({ runtime }: GatewayParts): Route[] {
  const { settings, changes, history } = runtime;

  async function describe(): Promise<z.input<typeof settingsSchema>> {
    const resolved = settings.resolved();
    return {
      version: await history.latestVersion(),
      settings: describeSettings(resolved),
      warnings: [...resolved.warnings],
      changeable: [...RUNTIME_PATHS],
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
      answers: [
        {
          status: 200,
          description: 'The settings in force; with `dryRun` how plans would change.',
          content: z.union([settingsSchema, settingsPreviewSchema]),
        },
      ],
      errors: ['invalid_request'],
      async handle(request) {
        const { changes: wanted, dryRun } = parse(changeBody, request.body);
        const given = Object.entries(wanted);
        const author = request.identity?.principal ?? 'local';
        return asCallersFault(given.length === 1 ? given[0]?.[0] : undefined, async () => {
          if (dryRun) return preview(runtime, new Map(given), author);
          await changes.apply(new Map(given), author);
          return describe();
        });
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
        await asCallersFault('version', () => changes.undo(version, request.identity?.principal ?? 'local'));
        return describe();
      },
    },
    historyRoute(runtime),
  ];
}

function preview(
  { settings, changes, breakers }: Runtime,
  given: ReadonlyMap<string, unknown>,
  author: string,
): z.input<typeof settingsPreviewSchema> {
  const next = changes.preview(given, author);
  const plans = previewPlans(settings.current(), next.settings, breakers).map(({ model, ...plans }) => {
    const [before, after] = [toShortPlan(plans.before), toShortPlan(plans.after)];
    return { model, changed: JSON.stringify(before) !== JSON.stringify(after), before, after };
  });
  return { dryRun: true, plans, warnings: [...next.warnings] };
}

function toShortPlan({ label, candidates, excluded }: Plan) {
  return {
    label,
    candidates: candidates.map(({ tier, deployment, model }) => ({ tier, deployment, model })),
    excluded: [...excluded],
  };
}

function historyRoute({ changes }: Runtime): Route {
  return {
    method: 'GET',
    path: '/api/settings/history',
    access: 'admin',
    operation: 'listSettingChanges',
    summary: 'Changes made at run time, newest first: what, from what, by whom and when.',
    query: historyQuery,
    answers: [{ status: 200, description: 'A page.', content: settingHistorySchema }],
    errors: ['invalid_request'],
    async handle(request) {
      const { limit, before } = parse(historyQuery, request.query);
      const made = await changes.history({ limit, ...(before === undefined ? {} : { before }) });
      return {
        changes: made.map((change) => ({
          ...change,
          value: toShownValue(change.path, change.value),
          previous: toShownValue(change.path, change.previous),
        })),
      };
    },
  };
}

/** A stored value to show: the base URL of a deployment as it is shown elsewhere. */
function toShownValue(path: string, value: unknown): unknown {
  if (deploymentOfPath(path) === undefined || typeof value !== 'object' || value === null) return value;
  const { baseUrl } = value as { baseUrl?: unknown };
  return typeof baseUrl === 'string' ? { ...value, baseUrl: toShownUrl(baseUrl) } : value;
}
