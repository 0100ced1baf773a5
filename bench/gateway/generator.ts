import { fileURLToPath } from 'node:url';
import { startChild } from './child.ts';
import type { Figures, Job, JobAnswer } from './load.ts';

export type Generator = {
  /** One entry for each target of the job. */
  run(job: Job): Promise<Figures[]>;
  stop(): Promise<void>;
};

export function startGenerator(): Generator {
  const child = startChild(fileURLToPath(new URL('load.ts', import.meta.url)), [], {
    flags: ['--import', 'tsx'],
  });
  return {
    async run(job) {
      const answer = await child.ask<JobAnswer>(job);
      if ('error' in answer) throw new Error(`The load generator failed: ${answer.error}`);
      return answer.figures;
    },
    stop: () => child.stop(),
  };
}
