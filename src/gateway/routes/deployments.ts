import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { definitionSchema, toDeploymentPath } from '../../config/deployment-change.ts';
import { toShownUrl } from '../../config/describe.ts';
import type { Deployment } from '../../config/settings.ts';
import { TiercelError } from '../../errors.ts';
import { findDeployment } from '../../runtime/deployments.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { asCallersFault } from '../callers-fault.ts';
import { toDeploymentView } from '../deployment-view.ts';
import { parse } from '../parse.ts';
import type { GatewayParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { probeSchema } from '../schemas.ts';
import { deploymentSchema } from '../setting-schemas.ts';

// The definition itself is checked by the rules, and with the messages, that tiercel.yaml has.
const definition = z.record(z.string(), z.unknown(), 'must be a deployment as in tiercel.yaml');
const withId = z.looseObject({ id: z.string().min(1) });
const candidate = z.looseObject({ id: z.string().min(1).default('candidate') });

const KEYS = 'Its key is named by variable or file, and is never taken here.';

/** Deployments as an operator sees and changes them. */
export function deploymentRoutes({ runtime }: GatewayParts): Route[] {
  const editor = createEditor(runtime);
  return [
    listRoute(runtime, editor),
    createRoute(editor),
    changeRoute(editor),
    removeRoute(editor),
    ...probeRoutes(runtime),
  ];
}

type View = z.input<typeof deploymentSchema>;

type Editor = {
  /** @throws TiercelError `deployment_not_found` */
  find(id: string): Deployment;
  has(id: string): boolean;
  /** @throws TiercelError `deployment_not_found` */
  view(id: string): View;
  /** Gives a deployment a definition, or with null takes the one that it got at run time away. */
  define(request: FastifyRequest, id: string, value: object | null): Promise<unknown>;
};

function createEditor(runtime: Runtime): Editor {
  const { settings, changes } = runtime;
  const find = (id: string) => findDeployment(settings.current(), id);
  return {
    find,
    has: (id) => settings.current().deployments.some((one) => one.id === id),
    view: (id) => toDeploymentView(runtime, find(id)),
    define(request, id, value) {
      const change = new Map([[toDeploymentPath(id), value]]);
      return asCallersFault(toDeploymentPath(id), () =>
        changes.apply(change, request.identity?.principal ?? 'local'),
      );
    },
  };
}

const ONE = { description: 'The deployment, in force from the next call on.', content: deploymentSchema };

function listRoute({ states, settings }: Runtime, { view }: Editor): Route {
  return {
    method: 'GET',
    path: '/api/deployments',
    access: 'admin',
    operation: 'listDeployments',
    summary: 'Every deployment, where it was defined, and how it does.',
    answers: [
      { status: 200, description: 'All.', content: z.object({ deployments: z.array(deploymentSchema) }) },
    ],
    errors: [],
    handle() {
      states.look();
      return { deployments: settings.current().deployments.map(({ id }) => view(id)) };
    },
  };
}

function createRoute({ has, define, view }: Editor): Route {
  return {
    method: 'POST',
    path: '/api/deployments',
    access: 'admin',
    operation: 'createDeployment',
    summary: `Add a deployment. ${KEYS}`,
    body: definitionSchema.extend({ id: z.string() }),
    answers: [{ status: 201, ...ONE }],
    errors: ['invalid_request'],
    async handle(request) {
      const { id, ...value } = parse(withId, request.body);
      if (has(id)) {
        const message = `There is a deployment "${id}" already. Change it with PUT, or use another id.`;
        throw new TiercelError('invalid_request', message, { param: 'id' });
      }
      await define(request, id, value);
      return view(id);
    },
  };
}

function changeRoute({ find, define, view }: Editor): Route {
  return {
    method: 'PUT',
    path: '/api/deployments/:id',
    access: 'admin',
    operation: 'changeDeployment',
    summary: `Define a deployment anew, as a whole, also one of tiercel.yaml. ${KEYS}`,
    body: definitionSchema,
    answers: [{ status: 200, ...ONE }],
    errors: ['invalid_request', 'deployment_not_found'],
    async handle(request) {
      const { baseUrl, id } = find(idOf(request));
      const value = parse(definition, request.body);
      // An editor that never saw the query sends back what it was shown.
      const isAsShown = value['baseUrl'] === toShownUrl(baseUrl);
      await define(request, id, isAsShown ? { ...value, baseUrl } : value);
      return view(id);
    },
  };
}

function removeRoute({ has, define, view }: Editor): Route {
  const removed = z.object({
    removed: z.string(),
    restored: deploymentSchema.nullable().describe('What holds again under this id, if anything.'),
  });
  return {
    method: 'DELETE',
    path: '/api/deployments/:id',
    access: 'admin',
    operation: 'removeDeployment',
    summary: 'Take away what was defined at run time; what tiercel.yaml or a variable defines holds again.',
    answers: [{ status: 200, description: 'Taken away.', content: removed }],
    errors: ['invalid_request', 'deployment_not_found'],
    async handle(request) {
      const { id, origin, removable } = view(idOf(request));
      if (!removable) {
        const by = origin.detail ?? origin.kind;
        const message = `"${id}" is defined by ${by}, not at run time. Take it out there, or out of its chains here.`;
        throw new TiercelError('invalid_request', message, { param: 'id' });
      }
      await define(request, id, null);
      return { removed: id, restored: has(id) ? view(id) : null };
    },
  };
}

function probeRoutes(runtime: Runtime): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/deployments/:id/probe',
      access: 'admin',
      operation: 'probeDeployment',
      summary: 'Ask a deployment for its models, which costs nothing.',
      answers: [{ status: 200, description: 'What it said, or how it failed.', content: probeSchema }],
      errors: ['deployment_not_found'],
      handle: (request) => runtime.probe(idOf(request)),
    },
    {
      method: 'POST',
      path: '/api/deployments/probe',
      access: 'admin',
      operation: 'probeCandidate',
      summary: 'Ask a deployment for its models before it is added. Nothing is stored.',
      body: definitionSchema.extend({ id: z.string().optional() }),
      answers: [{ status: 200, description: 'What it said, or how it failed.', content: probeSchema }],
      errors: ['invalid_request'],
      handle(request) {
        const { id, ...value } = parse(candidate, request.body);
        return asCallersFault(toDeploymentPath(id), () => runtime.probeCandidate(id, value));
      },
    },
  ];
}

function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id;
}
