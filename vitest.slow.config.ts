/**
 * The suites that take minutes: `npm run test:slow` (behaviour), `npm run test:endurance` (sizes, faults, chance),
 * `npm run test:nightly` (killed processes, volume, the speed of pages in a browser). Other settings are those of the tests.
 */
import { defineConfig } from 'vitest/config';
import { leftToWholeRun } from '#test/support/suites.ts';
import tests from './vitest.config.ts';

export default defineConfig({
  test: {
    ...tests.test,
    include: ['test/{slow,endurance,nightly}/**/*.test.ts'],
    exclude: leftToWholeRun(),
    testTimeout: 400_000,
  },
});
