import { z } from 'zod';
import { definitionSchema } from '../config/deployment-change.ts';
import { ERRORS, type ErrorCode } from '../errors.ts';
import { chatBodySchema, embeddingsBodySchema, messageSchema } from '../inference/chat-schema.ts';
import type { Access, Answer, Route } from './route.ts';
import * as schemas from './schemas.ts';
import * as settingSchemas from './setting-schemas.ts';
import * as trace from './trace-schemas.ts';

/** Schemas with a name of their own; the rest stands where it is used. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  ChatMessage: messageSchema,
  ChatCompletionRequest: chatBodySchema,
  ChatCompletion: schemas.chatCompletionSchema,
  EmbeddingsRequest: embeddingsBodySchema,
  Embeddings: schemas.embeddingsSchema,
  Model: schemas.modelSchema,
  Receipt: schemas.receiptSchema,
  Exclusion: schemas.exclusionSchema,
  Plan: schemas.planSchema,
  Settings: schemas.settingsSchema,
  SettingsPreview: settingSchemas.settingsPreviewSchema,
  SettingHistory: settingSchemas.settingHistorySchema,
  RoleMap: settingSchemas.roleMapSchema,
  Deployment: settingSchemas.deploymentSchema,
  DeploymentHealth: settingSchemas.deploymentHealthSchema,
  DeploymentDefinition: definitionSchema,
  Overview: settingSchemas.overviewSchema,
  Breaker: schemas.breakerSchema,
  Probe: schemas.probeSchema,
  Key: schemas.keySchema,
  Event: trace.eventSchema,
  CausalChain: trace.causalChainSchema,
  RunSummary: trace.runSummarySchema,
  Span: trace.spanSchema,
  Run: trace.runSchema,
  Ledger: trace.ledgerSchema,
  Verification: trace.verificationSchema,
  Error: schemas.errorSchema,
};

type Json = { [member: string]: unknown };

/** What any route may answer by its access. */
const ACCESS_ERRORS: Record<Access, readonly ErrorCode[]> = {
  open: [],
  loopback: ['invalid_api_key'],
  key: ['invalid_api_key'],
  admin: ['invalid_api_key', 'forbidden'],
};
const ALL_ERRORS: readonly ErrorCode[] = [
  'host_not_allowed',
  'origin_not_allowed',
  'stopping',
  'internal_error',
];

/** The OpenAPI 3.1 description of the routes. */
export function describeRoutes(routes: readonly Route[], version: string): Json {
  const toSchema = createSchemas();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, toSchema) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tiercel',
      version,
      description:
        'OpenAI’s API over live, local and simulated models, with a receipt for every answer. Any OpenAI client works with ' +
        'only its base URL set.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: toSchema.components,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `tcl_…`. On loopback none is needed.',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  };
}

type ToSchema = ((schema: z.ZodType) => Json) & { components: Json };

function createSchemas(): ToSchema {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas: components } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  });
  const names = new Map(Object.entries(NAMED).map(([id, schema]) => [schema, id]));
  const plain = Object.entries(components).map(([id, schema]) => [id, withoutMeta(schema)]);
  const toSchema = (schema: z.ZodType): Json => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const { $defs: _, ...inline } = z.toJSONSchema(schema, { io: 'input', metadata: registry });
    return withoutMeta(JSON.parse(JSON.stringify(inline).replaceAll('"#/$defs/', '"#/components/schemas/')));
  };
  return Object.assign(toSchema, { components: Object.fromEntries(plain) });
}

function withoutMeta({ $schema: _, $id: __, ...rest }: Json): Json {
  return rest;
}

function describe(route: Route, toSchema: ToSchema): Json {
  const { operation, summary, access, body, answers } = route;
  const responses: Record<string, Json> = {};
  for (const answer of answers) responses[answer.status] = describeAnswer(answer, toSchema);
  return {
    operationId: operation,
    summary,
    ...(access === 'open' ? {} : { security: [{}, { bearer: [] }, { apiKey: [] }] }),
    parameters: parametersOf(route, toSchema),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: toSchema(body) } } } }
      : {}),
    responses: { ...responses, ...describeErrors(route, toSchema) },
  };
}

function parametersOf({ path, query, requestHeaders = [] }: Route, toSchema: ToSchema): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties = {}, required = [] } = query ? toSchema(query) : {};
  const inQuery = Object.entries(properties as Record<string, Json>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (required as string[]).includes(name),
    schema,
  }));
  const inHeader = requestHeaders.map(({ name, description, schema }) => ({
    name,
    in: 'header',
    description,
    schema: toSchema(schema),
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function describeAnswer({ description, content, headers = {}, streamed }: Answer, toSchema: ToSchema): Json {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  return {
    description,
    ...(described.length > 0 ? { headers: Object.fromEntries(described) } : {}),
    content: {
      ...('type' in content && !('parse' in content)
        ? { [content.type]: {} }
        : { 'application/json': { schema: toSchema(content as z.ZodType) } }),
      ...(streamed ? { 'text/event-stream': {} } : {}),
    },
  };
}

function describeErrors({ access, errors }: Route, toSchema: ToSchema): Record<string, Json> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of [...errors, ...ACCESS_ERRORS[access], ...ALL_ERRORS]) {
    const { status } = ERRORS[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const content = { 'application/json': { schema: toSchema(schemas.errorSchema) } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      { description: [...codes].map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n'), content },
    ]),
  );
}
