/** The tests of the areas that take longest: `npm run test:areas`. Other settings are those of the tests. */
import { defineConfig } from 'vitest/config';
import { AREAS, leftToWholeRun } from '#test/support/suites.ts';
import tests from './vitest.config.ts';

export default defineConfig({ test: { ...tests.test, include: AREAS, exclude: leftToWholeRun() } });
