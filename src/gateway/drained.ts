import type { ServerResponse } from 'node:http';

/** Resolves when more may be written, or when nobody is left to write to. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
    if (response.destroyed) done();
  });
}
