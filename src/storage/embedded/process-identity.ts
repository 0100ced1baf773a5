import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process started, as an opaque text that no later process with the same number has. Null when there is no such
 * process, or on a system that does not say.
 */
export function processStart(pid: number): string | null {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** Whether the process `pid` that started at `start` still runs. When the start is not known, the number alone decides. */
export function isRunning(pid: number, start: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, but another user's.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return start === null || processStart(pid) === start;
}

/** proc(5): field 22 of `stat` is the start in clock ticks since boot. A zombie (state Z) holds nothing any more. */
function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold anything, also spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

/** macOS and the BSDs. To the second, in words that depend on locale and zone, so both are fixed. */
function startByPs(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}
