/** What may import what: the one place that says so. scripts/check-directions.mjs holds src/ to it. */

/** Rooms of src/, ground floor first. A room imports only from those before it, types included. */
export const ORDER = [
  'lib',
  'errors',
  'config',
  'storage',
  'egress',
  'trace',
  'governance',
  'inference',
  'decisions',
  'retrieval',
  'memory',
  'agents',
  'workflow',
  'publish',
  'runtime',
  'index',
  'gateway',
  'cli',
];

/** Implementations that stand beside each other and know nothing of each other; `*` stands for every entry of a folder. */
export const APART = [
  ['inference/wire', 'inference/simulation'],
  ['decisions/engines/*'],
  ['retrieval/stores/*'],
  ['gateway/routes/*'],
  ['cli/commands/*'],
];

/** Packages whose types stop at one place: a room, a folder or a file of src/. Tests may use them anywhere. */
export const VENDORS = {
  '@electric-sql/pglite': 'storage/embedded',
  commander: 'cli',
  fastify: 'gateway',
  'light-my-request': 'gateway',
  pg: 'storage',
  pino: 'cli/log.ts',
  'prom-client': 'gateway',
  undici: 'egress',
  yaml: 'config',
};
