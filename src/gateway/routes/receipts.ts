import { z } from 'zod';
import { TIERS } from '../../config/settings.ts';
import { TiercelError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import type { Identity } from '../access.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { receiptSchema, receiptWithContentsSchema } from '../schemas.ts';

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  before: z.uuid().optional().describe('The last id of the page before.'),
  principal: z.string().optional(),
  tier: z.enum(TIERS).optional(),
  outcome: receiptSchema.shape.outcome.optional(),
  role: z.string().optional(),
});

const oneQuery = z.strictObject({
  contents: z.enum(['true', 'false']).default('false').describe('Adds what was asked and answered.'),
});

export function receiptRoutes({ runtime: { receipts } }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/receipts',
      access: 'key',
      operation: 'listReceipts',
      summary: 'Receipts, newest first. Without an admin key only one’s own.',
      query: listQuery,
      answers: [
        { status: 200, description: 'A page.', content: z.object({ receipts: z.array(receiptSchema) }) },
      ],
      errors: ['invalid_request', 'forbidden'],
      async handle(request) {
        const { limit, ...filter } = parse(listQuery, request.query);
        const given = Object.entries(filter).filter(([, value]) => value !== undefined);
        const own = ownOnly(request.identity, filter.principal);
        return { receipts: await receipts.list({ limit, ...Object.fromEntries(given), ...own }) };
      },
    },
    {
      method: 'GET',
      path: '/api/receipts/:id',
      access: 'key',
      operation: 'getReceipt',
      summary: 'What happened to one call. Without an admin key only to one’s own.',
      query: oneQuery,
      answers: [{ status: 200, description: 'The receipt.', content: receiptWithContentsSchema }],
      errors: ['invalid_request', 'receipt_not_found'],
      async handle(request) {
        const { contents } = parse(oneQuery, request.query);
        const { id } = request.params as { id: string };
        const receipt = isId(id) ? await receipts.get(id, { contents: contents === 'true' }) : null;
        const { identity } = request;
        // Another's receipt is answered as one that does not exist, so that ids cannot be tried out.
        if (receipt && (identity?.admin || receipt.principal === identity?.principal)) return receipt;
        throw new TiercelError('receipt_not_found', 'There is no receipt with this id.', { param: 'id' });
      },
    },
  ];
}

function ownOnly(identity: Identity | null, asked: string | undefined): { principal?: string } {
  if (identity === null || identity.admin) return {};
  if (asked !== undefined && asked !== identity.principal) {
    throw new TiercelError('forbidden', 'Receipts of others need an admin key.', { param: 'principal' });
  }
  return { principal: identity.principal };
}
