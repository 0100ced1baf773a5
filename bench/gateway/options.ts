import { parseArgs } from 'node:util';
import type { Effort } from './measure.ts';
import type { MemoryEffort } from './memory.ts';

export const PARTS = ['speed', 'memory', 'start'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  help: boolean;
  json: boolean;
  quick: boolean;
  parts: readonly Part[];
};

/** `starts`: how often it is started again after the first time. */
export type Extent = { speed: Effort; memory: MemoryEffort; starts: number };

export const FULL: Extent = {
  speed: { rounds: 7, roundMs: 2000, warmUpMs: 5000, turns: 3000 },
  memory: { requests: 100_000, abandoned: 10_000 },
  starts: 3,
};

export const QUICK: Extent = {
  speed: { rounds: 3, roundMs: 500, warmUpMs: 1500, turns: 400 },
  memory: { requests: 20_000, abandoned: 2000 },
  starts: 1,
};

export const HELP = `Usage: npm run bench:gateway -- [--quick] [--only speed,memory,start] [--json]

Measures Tiercel as a gateway in front of one upstream, on this machine, beside the upstream alone, a bare proxy
(node:http and undici) and Portkey's gateway, which is installed from npm into a temporary folder.

  --quick   about a minute; the figures are rough
  --only    parts to run: speed, memory, start
  --json    figures as JSON on stdout; progress stays on stderr
  --help

Exit code: 0 when every limit is met, 1 when one is missed, 2 when the bench could not run.
`;

/** @throws Error with the words for the user */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: PARTS.join(',') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return { ...values, parts: values.only.split(',').map(toPart) };
}

function toPart(name: string): Part {
  const part = PARTS.find((one) => one === name);
  if (part) return part;
  throw new Error(`--only takes ${PARTS.join(', ')}; not "${name}".`);
}
