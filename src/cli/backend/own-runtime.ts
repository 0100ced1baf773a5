import { loadSettings } from '../../config/load.ts';
import { TiercelError } from '../../errors.ts';
import { openRuntime, type Runtime, type RuntimeInputs } from '../../runtime/runtime.ts';

/**
 * Opens the runtime, and says how to get out when it is a stored change that makes the settings invalid: nothing of
 * tiercel.yaml or the environment could mend that.
 *
 * @throws TiercelError as `openRuntime`
 */
export async function openOwnRuntime(inputs: RuntimeInputs): Promise<Runtime> {
  try {
    return await openRuntime(inputs);
  } catch (error) {
    if (!(error instanceof TiercelError) || error.code !== 'config_invalid') throw error;
    // Throws itself when the file or a variable is at fault.
    loadSettings(inputs);
    throw new TiercelError(
      'config_invalid',
      `${error.message}\nThis was set at run time. Take it back with: tiercel config unset ${error.details.param ?? '<path>'}`,
      error.details,
    );
  }
}
