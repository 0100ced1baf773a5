import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, startGateway } from '../../src/gateway/start-gateway.ts';
import type { Log } from '../../src/lib/log.ts';
import { openRuntime, type Runtime, type RuntimeInputs } from '../../src/runtime/runtime.ts';
import type { TiercelConfig } from '../../src/runtime/tiercel.ts';

export type OpenGateway = {
  url: string;
  runtime: Runtime;
  gateway: Gateway;
  /** The data folder, removed at the end. */
  folder: string;
  /** Every line logged, as JSON text. */
  logged: string[];
  close(): Promise<void>;
};

/** The whole product in this process: embedded database in a folder of its own, a free port, its log in an array. */
export async function openGateway(
  config: TiercelConfig,
  inputs: Partial<RuntimeInputs> = {},
): Promise<OpenGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'tiercel-test-'));
  const logged: string[] = [];
  const take = (level: string) => (fields: object, message: string) => {
    logged.push(JSON.stringify({ level, message, ...fields }));
  };
  const log: Log = { debug: take('debug'), info: take('info'), warn: take('warn'), error: take('error') };
  const server = { port: 0, ...config.server };
  const runtime = await openRuntime({
    cwd: folder,
    env: {},
    log,
    configObject: { dataDir: folder, ...config, server },
    ...inputs,
  });
  const gateway = await startGateway(runtime, { cwd: folder });
  return {
    url: gateway.url,
    runtime,
    gateway,
    folder,
    logged,
    async close() {
      await gateway.close();
      await runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
