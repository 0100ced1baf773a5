import { z } from 'zod';
import { archiveInto } from '../../runtime/archive-folder.ts';
import { createLedgerView } from '../../runtime/ledger-view.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { ledgerSchema, verificationSchema } from '../trace-schemas.ts';

const verifyBody = z.strictObject({
  writer: z.uuid().exactOptional().describe('Only this chain.'),
  from: z.int().positive().exactOptional().describe('From this number of each chain.'),
  to: z.int().positive().exactOptional(),
  anchor: z
    .string()
    .min(1)
    .exactOptional()
    .describe('An anchor file on the server, instead of the configured one.'),
});

const archiveBody = z.strictObject({
  before: z.iso.datetime().describe('What happened before it is archived.'),
});

const archivesSchema = z.object({
  archives: z.array(z.object({ path: z.string(), writer: z.uuid(), first: z.int(), last: z.int() })),
});

export function ledgerRoutes({ runtime: { ledger, database }, folder }: GatewayParts): Route[] {
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
    {
      method: 'POST',
      path: '/api/ledger/archive',
      access: 'admin',
      operation: 'archiveLedger',
      summary:
        'Move closed segments, checkpoint to checkpoint, from the database to files in the data folder.',
      body: archiveBody,
      answers: [{ status: 200, description: 'The files.', content: archivesSchema }],
      errors: ['invalid_request', 'not_ready'],
      async handle({ body }) {
        const { before } = parse(archiveBody, body);
        return { archives: await archiveInto(folder, (into) => ledger.archive(new Date(before), into)) };
      },
    },
  ];
}
