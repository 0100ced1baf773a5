import { z } from 'zod';
import { createLedgerView } from '../../runtime/ledger-view.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { ledgerSchema, verificationSchema } from '../trace-schemas.ts';

const verifyBody = z.strictObject({
  writer: z.uuid().exactOptional().describe('Only this chain.'),
  from: z.int().positive().exactOptional().describe('From this number of each chain.'),
  to: z.int().positive().exactOptional(),
});

export function ledgerRoutes({ runtime: { ledger, database } }: GatewayParts): Route[] {
  const view = createLedgerView(ledger, database);
  return [
    {
      method: 'GET',
      path: '/api/ledger',
      access: 'admin',
      operation: 'getLedger',
      summary: 'The ledger’s chains and where they stand, the latest checkpoints, and the last verification.',
      answers: [{ status: 200, description: 'The ledger.', content: ledgerSchema }],
      errors: ['not_ready'],
      handle: () => view.state(),
    },
    {
      method: 'POST',
      path: '/api/ledger/verify',
      access: 'admin',
      operation: 'verifyLedger',
      summary: 'Verify what is stored, against the anchor and the own key.',
      body: verifyBody,
      answers: [
        {
          status: 200,
          description: 'What was found; `intact` says whether all is well.',
          content: verificationSchema,
        },
      ],
      errors: ['invalid_request', 'not_ready'],
      handle: ({ body }) => view.verify(parse(verifyBody, body ?? {})),
    },
  ];
}
