/** The tests of the pages and of the operations of each area: `npm run test:areas`. Other settings are those of `npm test`. */
import { defineConfig } from 'vitest/config';
import { AREAS, leftToWholeRun } from '#test/support/suites.ts';
import tests from './vitest.config.ts';

export default defineConfig({ test: { ...tests.test, include: AREAS, exclude: leftToWholeRun() } });
