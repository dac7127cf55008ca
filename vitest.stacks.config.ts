/** The tests of the deployment, apart from the others because they install SST's components: `npm run test:stacks`. */
import { defineConfig } from 'vitest/config';
import { summary } from '#test/support/summary.ts';

export default defineConfig({
  test: {
    include: ['test/deployment/**/*.test.ts'],
    globalSetup: ['test/deployment/synthesis/set-up.ts'],
    // The type check of the components takes half a minute on a busy machine.
    testTimeout: 180_000,
    // Installing the components and bundling every function takes a minute or two.
    hookTimeout: 600_000,
    pool: 'forks',
    isolate: false,
    // Of long lists, only what differs.
    diff: { expand: false, contextLines: 1 },
    reporters: ['default', summary],
  },
});
