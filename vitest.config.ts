import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process a file: the SDK's native runtime and its signal handlers are one for each process.
    pool: 'forks',
    // Two files at once: each may run workers and share one server, more only makes all of them slow.
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/plain-line-reporter.ts'],
    // Long for a run with many turns on a busy machine. Nothing waits this long unless it hangs.
    testTimeout: 60_000,
    // The first test that needs the server may have to fetch it.
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
  },
});
