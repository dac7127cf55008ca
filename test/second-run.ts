/**
 * Runs a suite; arguments are those of `vitest run`, such as `--config` and the name of a file. What waits for a browser or
 * another process is sometimes late when others share the processors, so each file that fails runs a second time, from its
 * beginning, with data of its own. What fails twice is broken, and so is a run in which many files fail: the exit code is 1.
 */
import { relative } from 'node:path';
import { createVitest, parseCLI, type TestModule } from 'vitest/node';

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
const vitest = await createVitest({ ...options, watch: false });

/** More files than this are not late. */
const MAX_LATE = 5;

const nameOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);
const listFailed = (modules: readonly TestModule[]): TestModule[] => modules.filter((module) => !module.ok());

const first = await vitest.start(filter);
const late = listFailed(first.testModules);
// What fails outside of all files is not known to pass in a second run.
const isOutside = first.unhandledErrors.length > 0;
let failed = late;
if (late.length > 0 && late.length <= MAX_LATE && !isOutside) {
  console.log(`\nThese files run a second time: ${late.map(nameOf).join(', ')}\n`);
  const second = await vitest.runTestSpecifications(late.map((module) => module.toTestSpecification()));
  failed = second.unhandledErrors.length > 0 ? late : listFailed(second.testModules);
  const passed = late.map(nameOf).filter((name) => !failed.map(nameOf).includes(name));
  if (passed.length > 0) console.log(`\nPassed in the second run only: ${passed.join(', ')}`);
  if (failed.length > 0) console.log(`\nFailed twice: ${failed.map(nameOf).join(', ')}`);
}
await vitest.close();
process.exitCode = failed.length > 0 || isOutside || first.testModules.length === 0 ? 1 : 0;
