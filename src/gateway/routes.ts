import type { GatewayParts } from './parts.ts';
import type { Route } from './route.ts';
import { breakerRoutes } from './routes/breakers.ts';
import { chatRoutes } from './routes/chat.ts';
import { consoleRoutes } from './routes/console.ts';
import { demoRoutes } from './routes/demo.ts';
import { deploymentRoutes } from './routes/deployments.ts';
import { embeddingsRoutes } from './routes/embeddings.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { keyRoutes } from './routes/keys.ts';
import { ledgerRoutes } from './routes/ledger.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { modelRoutes } from './routes/models.ts';
import { openapiRoute } from './routes/openapi.ts';
import { overviewRoutes } from './routes/overview.ts';
import { planRoutes } from './routes/plan.ts';
import { receiptRoutes } from './routes/receipts.ts';
import { roleRoutes } from './routes/roles.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionRoutes } from './routes/session.ts';
import { settingsRoutes } from './routes/settings.ts';

/** Every route of the gateway. */
export function allRoutes(parts: GatewayParts): Route[] {
  const routes = [
    chatRoutes,
    embeddingsRoutes,
    modelRoutes,
    receiptRoutes,
    runRoutes,
    eventRoutes,
    ledgerRoutes,
    planRoutes,
    settingsRoutes,
    deploymentRoutes,
    breakerRoutes,
    roleRoutes,
    overviewRoutes,
    demoRoutes,
    keyRoutes,
    sessionRoutes,
    healthRoutes,
    metricsRoutes,
  ].flatMap((make) => make(parts));
  // The console is no part of the API and is not described with it.
  return [...routes, openapiRoute(routes), ...consoleRoutes()];
}
