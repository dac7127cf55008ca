/** The slow suites, apart from the tests because they take minutes: `npm run test:slow`. Other settings are those of the tests. */
import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

export default defineConfig({
  test: { ...tests.test, include: ['test/slow/**/*.test.ts'], exclude: [], testTimeout: 400_000 },
});
