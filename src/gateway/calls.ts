import type { ServerResponse } from 'node:http';

/** The calls under way. Each is aborted when its client goes away; a stop waits until all have ended. */
export interface Calls {
  /** Runs a call with a signal that fires when the response's connection is closed before the response was whole. */
  run<Result>(response: ServerResponse, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Lets no connection be used again once its answer is out, where that can still be told to the client. */
  lastOnes(): void;
  /** Resolves when no call is under way. */
  ended(): Promise<void>;
}

export function createCalls(): Calls {
  const underWay = new Set<ServerResponse>();
  const waiting: (() => void)[] = [];

  return {
    async run(response, work) {
      const controller = new AbortController();
      response.once('close', () => {
        if (!response.writableFinished) controller.abort();
      });
      underWay.add(response);
      try {
        return await work(controller.signal);
      } finally {
        underWay.delete(response);
        if (underWay.size === 0) for (const resolve of waiting.splice(0)) resolve();
      }
    },
    lastOnes() {
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    ended() {
      return underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
