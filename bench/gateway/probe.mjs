/**
 * Loaded into every measured server by `--import`: answers the bench with the process's own figures. Only for those of memory
 * is garbage collected first: a forced collection throws away what the compiler has learnt, and would slow the round after it.
 * Costs nothing between questions, and does not keep the process alive.
 */
process.on('disconnect', () => process.exit());
process.on('message', (question) => {
  if (question === 'memory') {
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    process.send?.({ rss, heapUsed, external });
  } else if (question === 'cpu') {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system });
  }
});
process.channel?.unref();
