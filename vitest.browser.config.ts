/** Tests in a real browser, apart from the others because they need one: `npm run test:browser`. */
import { defineConfig } from 'vitest/config';
import { leftToWholeRun } from '#test/support/suites.ts';
import { summary } from '#test/support/summary.ts';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    exclude: leftToWholeRun(),
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/own-table.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    // A browser that busy processors share is sometimes late.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Files share the modules and the browser of their worker: to start these takes three seconds for each file.
    isolate: false,
    maxWorkers: '100%',
    maxConcurrency: 3,
    reporters: ['default', summary],
  },
});
