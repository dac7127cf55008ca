/** The fuzz run, apart from the tests because it takes minutes: `npm run test:fuzz`. Other settings are those of the tests. */
import { defineConfig } from 'vitest/config';
import tests from './vitest.config.ts';

// One person of the fuzz run makes hundreds of organizations.
const env = { MAX_ORGANIZATIONS: '500' };

export default defineConfig({ test: { ...tests.test, include: ['test/fuzz/**/*.fuzz.ts'], exclude: [], env } });
