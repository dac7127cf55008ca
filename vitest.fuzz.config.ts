/** The fuzz run, apart from the tests because it takes minutes: `npm run test:fuzz`. Settings are those of the tests. */
import { mergeConfig } from 'vitest/config';
import tests from './vitest.config.ts';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from there
export default mergeConfig(
  { ...tests, test: { ...tests.test, include: [] } },
  { test: { include: ['test/fuzz/**/*.fuzz.ts'], exclude: [] } },
);
