import type { GatewayParts } from './parts.ts';
import type { Route } from './route.ts';
import { chatRoutes } from './routes/chat.ts';
import { embeddingsRoutes } from './routes/embeddings.ts';

/** Every route of the gateway. */
export function allRoutes(parts: GatewayParts): Route[] {
  return [...chatRoutes(parts), ...embeddingsRoutes(parts)];
}
