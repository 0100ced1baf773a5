import { createContext, Script } from 'node:vm';

// Node has no other way to end synchronous work from outside: a script's `timeout` ends whatever it called, a regular expression
// that backtracks without end included. The script itself only calls the function that it is given.
const script = new Script('work()');
const context: { work: () => unknown } = { work: () => undefined };
createContext(context);

export class BoundExceeded extends Error {
  override readonly name = 'BoundExceeded';
}

/**
 * Runs synchronous work that a caller's input may make endless. It blocks this thread for `limitMs` at the most.
 *
 * @throws BoundExceeded when the time is over; whatever `work` throws
 */
export function runBounded<Result>(work: () => Result, limitMs: number): Result {
  context.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new BoundExceeded(`The work took longer than ${limitMs} ms.`);
    throw error;
  } finally {
    context.work = () => undefined;
  }
}
