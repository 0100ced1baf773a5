import { targetNames } from '../../inference/target.ts';
import type { Identity } from '../access.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { CONTENT_SECURITY_POLICY, renderKeyPage, renderPage } from '../start-page/page.ts';
import { plannedNames } from '../targets.ts';

const ROWS = 12;

export function startPageRoutes({ runtime, url, keyless }: GatewayParts): Route[] {
  const { settings, router, breakers, receipts, database } = runtime;

  async function render({ admin, principal }: Identity): Promise<string> {
    const current = settings.current();
    return renderPage({
      settings: current,
      breakers,
      plans: plannedNames(current).map((model) => ({ model, plan: router.plan(model) })),
      models: targetNames(current),
      receipts: await receipts.list({ limit: ROWS, ...(admin ? {} : { principal }) }),
      url: url(),
      keyless,
      database: database.kind,
    });
  }

  return [
    {
      method: 'GET',
      path: '/',
      access: 'page',
      operation: 'getStartPage',
      summary: 'A page that shows what is running, who would serve, and the last receipts.',
      answers: [{ status: 200, description: 'The page.', content: { type: 'text/html' } }],
      errors: [],
      async handle({ identity }, reply) {
        const text = identity ? await render(identity) : renderKeyPage();
        await reply
          .headers({
            'content-security-policy': CONTENT_SECURITY_POLICY,
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
            'cache-control': 'no-store',
          })
          .type('text/html; charset=utf-8')
          .send(text);
      },
    },
  ];
}
