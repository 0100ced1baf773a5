import { ApiError } from '../../api/client.ts';

/**
 * What the server said is wrong, by the path that it names; what names none of the paths stands under the empty one. The
 * server writes one problem a line, as `limits.totalMs: 0 is not allowed. …`, and names the field itself where it is one.
 */
export function problemsOf(error: Error | null, paths: readonly string[]): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  if (error === null) return problems;
  const lines = error.message.split('\n').map((line) => line.trim());
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const line = lines.find((one) => one.includes(`${path}: `));
    if (line) problems.set(path, line.slice(line.indexOf(`${path}: `) + path.length + 2));
  }
  if (problems.size > 0) return problems;
  const param = error instanceof ApiError ? error.param : null;
  return problems.set(param !== null && paths.includes(param) ? param : '', error.message);
}
