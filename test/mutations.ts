/**
 * How many faults the suites catch: draws one-line faults over the code, puts each into a copy of the last commit, and runs
 * the type check and the tests until one fails, the tests nearest to the fault first. A fault that is caught takes seconds
 * to a minute, one that is missed as long as all suites. Run by hand, before and after a change of many tests:
 * `npm run test:mutations -- --seed 1 --count 60`, and `--only 3,17` to draw the same and try some.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import * as fc from 'fast-check';
import { filesOf, ROOT, type Source } from '#test/support/sources.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '60' }, only: { type: 'string' } },
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

/** The suites in the order of the time that they take: a configuration of vitest, and the folders of its tests. */
const SUITES = [
  { config: 'vitest.config.ts', folders: 'test/{architecture,core,operations,pages,stacks}' },
  { config: 'vitest.stacks.config.ts', folders: 'test/deployment' },
  { config: 'vitest.slow.config.ts', folders: 'test/slow' },
  { config: 'vitest.slow.config.ts', folders: 'test/endurance' },
] as const;

/** How many tests of a suite run first. */
const NEAREST = 12;
/** A fault may be a loop without end. A busy machine must not look like a fault, so that the limits are generous. */
const [MAX_TEST_MS, MAX_SUITE_MS] = [300_000, 2_400_000];

const WORDS = /[a-z]+/g;

/** The tests of a suite that import a file, are named like it, or lie in a folder of its name; the nearest first. */
function listNearest(path: string, tests: readonly Source[]): string[] {
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
    .slice(0, NEAREST)
    .map((test) => test.path);
}

/** Runs a command in the copy. Returns what failed, or null. */
async function run(command: string, args: readonly string[]): Promise<string | null> {
  const child = spawn(join('node_modules/.bin', command), args, {
    cwd: copy,
    detached: true,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), MAX_SUITE_MS);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(timer);
  return code === 0 ? null : (/FAIL\s+(\S+)/.exec(output + errors)?.[1] ?? `${command} ${args.join(' ')}`);
}

/** The first test that fails, or null. */
async function findFailure({ path }: Fault): Promise<string | null> {
  const vitest = (config: string, paths: readonly string[]) =>
    run('vitest', ['run', '--bail', '1', '--testTimeout', `${MAX_TEST_MS}`, '--config', config, ...paths]);
  const invalid = await run('tsc', []);
  if (invalid) return invalid;
  for (const { config, tests } of suites) {
    const nearest = listNearest(path, tests);
    const failing = nearest.length > 0 ? await vitest(config, nearest) : null;
    if (failing) return failing;
  }
  for (const { config, tests } of suites) {
    const failing = await vitest(
      config,
      tests.map((test) => test.path),
    );
    if (failing) return failing;
  }
  return null;
}

const suites = SUITES.map(({ config, folders }) => ({ config, tests: filesOf(`${folders}/**/*.test.ts`) }));
const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1_000_000_000 });
execFileSync('tar', ['-x', '-C', copy], { input: archive });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
console.log(`seed ${seed}`);
let [tried, caught] = [0, 0];
for (const [index, fault] of drawFaults(Number(values.count)).entries()) {
  if (only && !only.includes(index + 1)) continue;
  const file = join(copy, fault.path);
  const original = readFileSync(file);
  const startedAt = Date.now();
  writeFileSync(file, withFault(fault));
  const failure = await findFailure(fault);
  writeFileSync(file, original);
  tried += 1;
  if (failure) caught += 1;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`${index + 1}\t${fault.path}:${fault.line + 1}\t${failure ?? 'MISSED'}\t${seconds} s`);
  if (!failure) console.log(`  - ${fault.before.trim()}\n  + ${fault.after.trim()}`);
}
rmSync(copy, { recursive: true });
console.log(`${caught} of ${tried} faults were caught.`);
