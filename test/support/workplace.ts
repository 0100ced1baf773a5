import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { ensureBuilt, makeFolder, type Outcome, runTiercel, type ServingCommand, serve } from './command.ts';

/** A test's own folder and the server in it, if it started one; both are gone when the test has ended. */
export type Workplace = {
  readonly path: string;
  /** `tiercel` with these arguments, split at blanks. */
  run(args: string, options?: Parameters<typeof runTiercel>[2]): Promise<Outcome>;
  serve(args?: readonly string[]): Promise<ServingCommand>;
  /** Writes `tiercel.yaml`. */
  configure(settings: object): void;
};

/** Gives each test of the file a workplace. Each runs the command several times over, and so takes its time. */
export function setUpWorkplace(): Workplace {
  vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });
  let folder: ReturnType<typeof makeFolder>;
  let server: ServingCommand | null = null;
  beforeAll(ensureBuilt);
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(async () => {
    await server?.stop();
    server = null;
    folder.remove();
  });
  return {
    get path() {
      return folder.path;
    },
    run: (args, runOptions) => runTiercel(folder.path, args.split(' ').filter(Boolean), runOptions),
    async serve(args = []) {
      server = await serve(folder.path, args);
      return server;
    },
    configure: (settings) => writeFileSync(join(folder.path, 'tiercel.yaml'), JSON.stringify(settings)),
  };
}

/** Settings with one local deployment `box`, whose model name says how it behaves. */
export function localSettings(baseUrl: string, model: string): object {
  return {
    mode: 'local',
    deployments: [{ id: 'box', tier: 'local', baseUrl, auth: { type: 'none' }, model }],
    defaults: { local: ['box'] },
    roles: { narrator: {}, guide: { simulator: true } },
  };
}
