/** Ends a check: its problems one a line, and an exit code that says whether there were any. */
export function finish(name, problems) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(`${name}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
    process.exitCode = 1;
  }
}
