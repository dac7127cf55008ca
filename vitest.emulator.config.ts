/** The deployment on an emulator of AWS, apart from the tests because it installs and starts one: `npm run test:emulator`. */
import { defineConfig } from 'vitest/config';
import { summary } from '#test/support/summary.ts';

export default defineConfig({
  test: {
    include: ['test/emulator/**/*.test.ts'],
    testTimeout: 120_000,
    // Installing the components and the emulator and bundling every function takes a minute or two.
    hookTimeout: 600_000,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    reporters: ['default', summary],
  },
});
