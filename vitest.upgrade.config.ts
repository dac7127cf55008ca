/** The steps of `test/upgrade/upgrade.ts`, which names one of them: `npm run test:upgrade`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/upgrade/**/*.test.ts'],
    setupFiles: ['test/upgrade/connect.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
  },
});
