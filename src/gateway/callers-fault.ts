import { TiercelError } from '../errors.ts';

/**
 * At start-up a wrong setting stops the server; in a request it is the request that is wrong.
 *
 * @param param the field at fault, where one is known
 * @throws TiercelError `invalid_request` in the place of `config_invalid`
 */
export async function asCallersFault<Result>(
  param: string | undefined,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TiercelError) || error.code !== 'config_invalid') throw error;
    throw new TiercelError('invalid_request', error.message, param === undefined ? {} : { param });
  }
}
