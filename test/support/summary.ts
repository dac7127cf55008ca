/** A vitest reporter that ends a run with one plain line: `N passed, N failed`. */
import type { Reporter, TestModule } from 'vitest/node';

/** Used beside the default reporter. */
export const summary: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && [...module.children.allTests()].length === 0,
    ).length;
    const failed = states.filter((state) => state === 'failed').length + brokenFiles + errors.length;
    const skipped = states.filter((state) => state === 'skipped').length;
    const passed = states.filter((state) => state === 'passed').length;
    console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  },
};
