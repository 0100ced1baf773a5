import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { TiercelError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { drained } from '../drained.ts';
import { sendEvents } from '../event-stream.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { causalChainSchema, eventSchema } from '../trace-schemas.ts';

const filter = {
  type: z
    .string()
    .transform((text) => text.split(','))
    .optional()
    .describe('One type, or several with commas.'),
  actor: z.string().optional(),
  tier: z.string().optional(),
  runId: z.uuid().optional(),
  traceId: z.string().optional(),
  q: z.string().max(200).optional().describe('Text in type, actor, message or payload.'),
};

const listQuery = z.strictObject({
  ...filter,
  after: z.string().optional().describe('ISO 8601: not before.'),
  before: z.string().optional().describe('ISO 8601: before.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: z.uuid().optional().describe('`next` of the page before.'),
});
const streamQuery = z.strictObject(filter);
const exportQuery = z.strictObject({
  writer: z.uuid().optional().describe('Only this chain.'),
  from: z.coerce.number().int().min(1).optional().describe('From this number of the chain.'),
  to: z.coerce.number().int().min(1).optional(),
});

export function eventRoutes(parts: GatewayParts): Route[] {
  return [...pagedRoutes(parts), ...streamedRoutes(parts)];
}

function pagedRoutes({ runtime: { ledger } }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/events',
      access: 'admin',
      operation: 'listEvents',
      summary:
        'Events of the ledger, newest first. New ones neither repeat nor hide any on the pages to come.',
      query: listQuery,
      answers: [
        {
          status: 200,
          description:
            'A page. It may be short, and even empty, before the end, when a search goes through many events.',
          content: z.object({
            data: z.array(eventSchema),
            next: z.uuid().nullable().describe('The next page’s `cursor`; null at the end.'),
          }),
        },
      ],
      errors: ['invalid_request', 'not_ready'],
      async handle({ query }) {
        const { events: data, cursor: next } = await ledger.events(given(parse(listQuery, query)));
        return { data, next };
      },
    },
    {
      method: 'GET',
      path: '/api/events/:id/chain',
      access: 'admin',
      operation: 'getCausalChain',
      summary: 'What led to an event, and what it led to.',
      answers: [{ status: 200, description: 'The chain of causes.', content: causalChainSchema }],
      errors: ['event_not_found'],
      async handle({ params }) {
        const { id } = params as { id: string };
        const chain = isId(id) ? await ledger.chainOf(id) : null;
        if (chain) return chain;
        throw new TiercelError('event_not_found', 'There is no event with this id.', { param: 'id' });
      },
    },
  ];
}

function streamedRoutes({ runtime: { ledger }, calls, stopping }: GatewayParts): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/events/stream',
      access: 'admin',
      operation: 'streamEvents',
      summary: 'Events as they are stored, as server-sent events with ids.',
      query: streamQuery,
      requestHeaders: [
        {
          name: 'last-event-id',
          description: 'The last event that was received; what came after it is sent first.',
          schema: z.uuid(),
        },
      ],
      answers: [{ status: 200, description: 'An event each.', content: { type: 'text/event-stream' } }],
      errors: ['invalid_request', 'invalid_header'],
      async handle(request, reply) {
        const afterId = lastEventId(request.headers['last-event-id']);
        const options = { ...given(parse(streamQuery, request.query)), ...(afterId ? { afterId } : {}) };
        reply.hijack();
        await sendEvents(reply.raw, request.id, ledger, { options, stopping });
      },
    },
    {
      method: 'GET',
      path: '/api/events/export',
      access: 'admin',
      operation: 'exportEvents',
      summary: 'The ledger as JSON lines, chain by chain, for `tiercel ledger verify`.',
      query: exportQuery,
      answers: [
        { status: 200, description: 'An event each line.', content: { type: 'application/x-ndjson' } },
      ],
      errors: ['invalid_request', 'not_ready'],
      async handle(request, reply) {
        const lines = ledger.export(given(parse(exportQuery, request.query)));
        // What fails before the first line is answered as an error.
        const first = await lines.next();
        reply.hijack();
        const head = { 'content-type': 'application/x-ndjson', 'x-request-id': request.id };
        reply.raw.writeHead(200, { ...head, 'content-disposition': 'attachment; filename="ledger.jsonl"' });
        await calls.run(reply.raw, () => sendLines(reply.raw, first, lines));
      },
    },
  ];
}

/** A line cut short, or an end without the terminating chunk, tells the client that this is not all. */
async function sendLines(
  response: ServerResponse,
  first: IteratorResult<string>,
  lines: AsyncGenerator<string>,
): Promise<void> {
  try {
    for (let next = first; !next.done && !response.destroyed; next = await lines.next()) {
      if (!response.write(next.value)) await drained(response);
    }
    response.end();
  } catch {
    response.destroy();
  } finally {
    await lines.return(undefined);
  }
}

function lastEventId(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  if (typeof header === 'string' && isId(header)) return header;
  throw new TiercelError('invalid_header', 'last-event-id is not the id of an event.', {
    param: 'last-event-id',
  });
}

type Given<Query> = { [Name in keyof Query]?: Exclude<Query[Name], undefined> };

/** Without what was left out. */
function given<Query extends object>(query: Query): Given<Query> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Given<Query>;
}
