import { describeRoutes } from '../openapi.ts';
import type { Route } from '../route.ts';
import { VERSION } from '../version.ts';

/** @param routes the others; the description holds this one too */
export function openapiRoute(routes: readonly Route[]): Route {
  const route: Route = {
    method: 'GET',
    path: '/openapi.json',
    access: 'loopback',
    operation: 'getDescription',
    summary: 'This description.',
    answers: [{ status: 200, description: 'OpenAPI 3.1.', content: { type: 'application/json' } }],
    errors: [],
    handle() {
      description ??= describeRoutes([...routes, route], VERSION);
      return description;
    },
  };
  let description: object | null = null;
  return route;
}
