import type { Command } from 'commander';
import type { LoadInputs } from '../config/load.ts';

/** The options with which every command finds its settings and its data folder. */
export type LocationOptions = { config?: string; dataDir?: string };

export function withLocation(command: Command): Command {
  return command
    .option('--config <file>', 'the configuration file, instead of tiercel.yaml')
    .option('--data-dir <folder>', 'the data folder, instead of the setting dataDir');
}

/** What settings are loaded from: the working directory, the environment, and these flags. */
export function toLoadInputs<Flags extends LocationOptions>(flags: Flags): LoadInputs & { flags: Flags } {
  return { cwd: process.cwd(), env: process.env, flags };
}
