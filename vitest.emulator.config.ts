/** The deployment on an emulator of AWS, apart from the tests because it installs and starts one: `npm run test:emulator`. */
import { defineConfig } from 'vitest/config';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { leftToWholeRun } from '#test/support/suites.ts';
import { summary } from '#test/support/summary.ts';

export default defineConfig({
  test: {
    include: ['test/emulator/**/*.test.ts'],
    // A second deployment takes a minute, and shows only that the checks of the first one find faults.
    exclude: IS_NIGHTLY ? [] : ['test/emulator/faults.test.ts', ...leftToWholeRun()],
    // Installing the components and the emulator and bundling every function takes a minute or two.
    globalSetup: ['test/emulator/deploy.ts'],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    pool: 'forks',
    isolate: false,
    // Each file has an emulator, which is one process: two keep two processors busy, and wait at the same time.
    maxWorkers: 2,
    reporters: ['default', summary],
  },
});
