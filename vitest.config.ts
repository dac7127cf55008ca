import { defineConfig } from 'vitest/config';
import { leftToAreas } from '#test/support/suites.ts';
import { summary } from '#test/support/summary.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{browser,slow,endurance,nightly,deployment,emulator,upgrade}/**', ...leftToAreas()],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/own-table.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A machine that does something else is late.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Files share the modules of their worker: loading the SDK again for each file is a third of the whole run.
    isolate: false,
    maxWorkers: '100%',
    reporters: ['default', summary],
  },
});
