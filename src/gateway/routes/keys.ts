import { z } from 'zod';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { keySchema } from '../schemas.ts';

const name = z.string().regex(/^\P{Cc}{1,100}$/u, 'must be text in one line of at most 100 characters');

const createBody = z.strictObject({
  name,
  principal: name.optional().describe('Who the key’s holder is; the key’s name when absent.'),
  admin: z.boolean().default(false),
});

const createdSchema = keySchema
  .pick({ id: true, name: true, principal: true, admin: true })
  .extend({ key: z.string().describe('Shown here and never again.') });

export function keyRoutes({ runtime: { keys } }: GatewayParts): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/keys',
      access: 'admin',
      operation: 'createKey',
      summary: 'Make an API key.',
      body: createBody,
      answers: [{ status: 201, description: 'The key.', content: createdSchema }],
      errors: ['invalid_request'],
      async handle(request) {
        const { name, admin, principal = name } = parse(createBody, request.body);
        const { id, key } = await keys.create({ name, principal, admin });
        return { id, name, principal, admin, key };
      },
    },
    {
      method: 'GET',
      path: '/api/keys',
      access: 'admin',
      operation: 'listKeys',
      summary: 'All API keys, newest first, revoked ones included; the keys themselves are not kept.',
      answers: [{ status: 200, description: 'All.', content: z.object({ keys: z.array(keySchema) }) }],
      errors: [],
      handle: async () => ({ keys: await keys.list() }),
    },
    {
      method: 'DELETE',
      path: '/api/keys/:idOrName',
      access: 'admin',
      operation: 'revokeKey',
      summary: 'Revoke an API key, at once here and within two seconds in other processes.',
      answers: [{ status: 200, description: 'Revoked.', content: z.object({ revoked: z.string() }) }],
      errors: ['key_not_found'],
      async handle(request) {
        const { idOrName } = request.params as { idOrName: string };
        await keys.revoke(idOrName);
        return { revoked: idOrName };
      },
    },
  ];
}
