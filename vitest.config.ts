import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'apps/**/*.test.ts', 'console/**/*.test.ts'],
    // Real servers and a real database on two cores: a test that waits on a limit needs room, not retries.
    testTimeout: 20_000,
    hookTimeout: 40_000,
    maxWorkers: 2,
  },
});
