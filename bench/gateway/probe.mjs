/**
 * Loaded into every measured server by `--import`: answers the bench with the process's own figures, after a garbage
 * collection where `--expose-gc` is given. Costs nothing between questions, and does not keep the process alive.
 */
process.on('disconnect', () => process.exit());
process.on('message', (question) => {
  if (question !== 'figures') return;
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss, heapUsed, external, cpuMicros: user + system });
});
process.channel?.unref();
