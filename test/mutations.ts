/**
 * How many faults the suites catch: draws one-line faults over the code, puts each into a copy of the last commit, and runs
 * the type check and the tests nearest to it; all that pass these together are then tried with all tests, and each with those
 * that fail. Takes about an hour; run by hand, before and after a change of many tests:
 * `npm run test:mutations -- --seed 1 --count 60`, with `--only 3,17` to draw the same and try
 * some, and with `--together` when the nearest tests are known to pass.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import * as fc from 'fast-check';
import { filesOf, ROOT, type Source } from '#test/support/sources.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '60' },
    only: { type: 'string' },
    together: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 100_000);
const only = values.only?.split(',').map(Number);

type Fault = Source & { line: number; before: string; after: string };

/** What is searched in a line of code, and what a hurried hand would write instead. */
const SLIPS: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ <= /, ' < '],
  [/ >= /, ' > '],
  [/ < /, ' <= '],
  [/ > /, ' >= '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \?\? /, ' && '],
  [/(?<![\w.])!(?=[\w(])/, ''],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\.some\(/, '.every('],
  [/\.every\(/, '.some('],
  [/(?<![\w.#])\d[\d_]*(?![\w.])/, (found) => String(Number(found.replaceAll('_', '')) + 1)],
  [/^\s+(?:await )?[a-z][\w.]*\(.*\);$/, ''],
];

/** Lines that hold no code that runs: comments, imports, types, texts. */
const NO_CODE = /^\s*(?:\*|\/\*|\/\/|import |export type |type |\}|\| |['"`])|`|\bdescribe\(/;
/** Texts and regular expressions within a line. */
const LITERAL = /'(?:[^'\\]|\\.)*'|\/(?![*/ ])(?:[^/\\]|\\.)+\/[gimsuy]*|\s\/\/.*$/g;

/** Draws faults of one line each. */
function drawFaults(count: number): Fault[] {
  const candidates = filesOf('{core,functions,stacks}/**/*.ts')
    .filter(({ path }) => !path.endsWith('.d.ts') && !path.includes('/text/'))
    .flatMap((source) =>
      source.text
        .split('\n')
        .flatMap((before, line) =>
          NO_CODE.test(before) ? [] : slipsOf(before).map((after) => ({ before, after, line })),
        )
        .map((fault): Fault => ({ ...source, ...fault })),
    );
  const [order = []] = fc.sample(
    fc.shuffledSubarray([...candidates.keys()], { minLength: 2 * count, maxLength: 2 * count }),
    {
      seed,
      numRuns: 1,
    },
  );
  return order
    .map((index) => candidates[index])
    .filter((fault) => fault !== undefined)
    .filter(isCode)
    .slice(0, count);
}

/** A line with each of the slips that are possible in it. */
function slipsOf(line: string): string[] {
  const code = line.replace(LITERAL, (literal) => ' '.repeat(literal.length));
  return SLIPS.flatMap(([pattern, instead]) => {
    const found = pattern.exec(code);
    if (!found) return [];
    const [old] = found;
    const next = typeof instead === 'string' ? instead : instead(old);
    return [line.slice(0, found.index) + next + line.slice(found.index + old.length)];
  });
}

const withFault = ({ text, line, after }: Fault): string => text.split('\n').with(line, after).join('\n');

/** Whether the file can still be parsed, and does something else. */
function isCode(fault: Fault): boolean {
  try {
    const [before, after] = [fault.text, withFault(fault)].map(
      (text) => transformSync(text, { loader: 'ts', minify: true }).code,
    );
    return before !== after;
  } catch {
    return false;
  }
}

/** The suites: a configuration of vitest, the folders of its tests, and how many of the nearest a fault is tried with alone. */
const SUITES = [
  { config: 'vitest.config.ts', folders: 'test/{architecture,core,operations,pages,stacks}', near: 12 },
  { config: 'vitest.stacks.config.ts', folders: 'test/deployment', near: 2 },
  { config: 'vitest.slow.config.ts', folders: 'test/slow', near: 4 },
  { config: 'vitest.slow.config.ts', folders: 'test/endurance', near: 2 },
  { config: 'vitest.slow.config.ts', folders: 'test/nightly', near: 2 },
] as const;

/** A fault may be a loop without end. A busy machine must not look like a fault, so that the limits are generous. */
const [MAX_TEST_MS, MAX_SUITE_MS] = [200_000, 1_500_000];

const WORDS = /[a-z]+/g;

/** The tests of a suite that import a file, are named like it, or lie in a folder of its name; the nearest first. */
function listNearest(path: string, { tests, near }: { tests: readonly Source[]; near: number }): string[] {
  const words = new Set(path.replace(/^core|\.ts$/g, '').match(WORDS));
  const name = basename(path, '.ts');
  return tests
    .map((test) => {
      const shared = new Set((test.path.match(WORDS) ?? []).filter((word) => words.has(word))).size;
      const nearness = shared + (test.path.includes(name) ? 3 : 0) + (test.text.includes(`#${path}'`) ? 5 : 0);
      return { path: test.path, nearness };
    })
    .filter(({ nearness }) => nearness > 0)
    .toSorted((a, b) => b.nearness - a.nearness)
    .slice(0, near)
    .map((test) => test.path);
}

type Outcome = { failed: boolean; files: readonly string[] };

/** Runs a command in the copy. Returns whether it fails, and the files of tests that do. */
async function run(command: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(join('node_modules/.bin', command), args, {
    cwd: copy,
    detached: true,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), MAX_SUITE_MS);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(timer);
  const files = new Set([...(output + errors).matchAll(/FAIL\s+(\S+\.test\.ts)/g)].map(([, file = '']) => file));
  return { failed: code !== 0, files: [...files] };
}

const runTests = (config: string, paths: readonly string[], bail = 1) =>
  run('vitest', ['run', '--bail', `${bail}`, '--testTimeout', `${MAX_TEST_MS}`, '--config', config, ...paths]);

/** Runs `work` with faults in the copy. */
async function withFaults<T>(faults: readonly Fault[], work: () => Promise<T>): Promise<T> {
  const originals = new Map(faults.map(({ path, text }) => [path, text]));
  for (const [path, original] of originals) {
    const lines = original.split('\n');
    for (const fault of faults) if (fault.path === path) lines[fault.line] = fault.after;
    writeFileSync(join(copy, path), lines.join('\n'));
  }
  try {
    return await work();
  } finally {
    for (const [path, original] of originals) writeFileSync(join(copy, path), original);
  }
}

/** Tries a fault with the type check and the nearest tests of each suite. Returns what catches it, or null. */
const tryAlone = (fault: Fault): Promise<string | null> =>
  withFaults([fault], async () => {
    if ((await run('tsc', [])).failed) return 'tsc';
    for (const suite of suites) {
      const nearest = listNearest(fault.path, suite);
      const outcome = nearest.length > 0 ? await runTests(suite.config, nearest) : undefined;
      if (outcome?.failed) return outcome.files[0] ?? suite.config;
    }
    return null;
  });

/**
 * Tries faults together with all tests, and in ever smaller groups with the files that failed. Reports what catches a fault,
 * or null.
 */
async function tryTogether(faults: readonly Fault[], report: (fault: Fault, by: string | null) => void): Promise<void> {
  const caught = new Set<Fault>();
  /** Finds which faults of a group make tests fail. */
  const search = async (config: string, paths: readonly string[], group: readonly Fault[]): Promise<void> => {
    const { failed, files } = await withFaults(group, () => runTests(config, paths, 0));
    const [first] = group;
    if (!failed || !first) return;
    if (group.length === 1) {
      caught.add(first);
      return report(first, files[0] ?? config);
    }
    // A suite that does not even start names no file.
    const failing = files.length > 0 ? files : paths;
    const half = group.length >> 1;
    await search(config, failing, group.slice(0, half));
    await search(config, failing, group.slice(half));
  };
  for (const { config, tests } of suites) {
    const left = faults.filter((fault) => !caught.has(fault));
    await search(
      config,
      tests.map(({ path }) => path),
      left,
    );
  }
  for (const fault of faults) if (!caught.has(fault)) report(fault, null);
}

const suites = SUITES.map(({ folders, ...suite }) => ({ ...suite, tests: filesOf(`${folders}/**/*.test.ts`) }));
const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1_000_000_000 });
execFileSync('tar', ['-x', '-C', copy], { input: archive });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
console.log(`seed ${seed}`);
const faults = drawFaults(Number(values.count));
const chosen = faults.filter((_, index) => only?.includes(index + 1) ?? true);
let caught = 0;
const report = (fault: Fault, by: string | null): void => {
  if (by) caught += 1;
  console.log(`${faults.indexOf(fault) + 1}\t${fault.path}:${fault.line + 1}\t${by ?? 'MISSED'}`);
  if (!by) console.log(`  - ${fault.before.trim()}\n  + ${fault.after.trim()}`);
};
const left: Fault[] = [];
for (const fault of chosen) {
  const by = values.together ? null : await tryAlone(fault);
  if (by) report(fault, by);
  else left.push(fault);
}
console.log(`${left.length} are tried with all tests: ${left.map((fault) => faults.indexOf(fault) + 1).join(', ')}`);
if (left.length > 0) await tryTogether(left, report);
rmSync(copy, { recursive: true });
console.log(`${caught} of ${chosen.length} faults were caught.`);
