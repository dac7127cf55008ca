/**
 * How many faults the suites catch: draws one-line faults over the code, puts each into a copy of the last commit, and runs
 * the suites until one fails. Takes an hour or more; run by hand, before and after a change of many tests:
 * `npm run test:mutations -- --seed 1 --count 60`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { transformSync } from 'esbuild';
import * as fc from 'fast-check';
import { filesOf, ROOT, type Source } from '#test/support/sources.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string', default: '60' } } });
const seed = Number(values.seed ?? Date.now() % 100_000);

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

/** The suites in the order of the time that they take. */
const SUITES: readonly (readonly string[])[] = [
  ['tsc'],
  ['vitest', 'run', '--bail', '1'],
  ['vitest', 'run', '--bail', '1', '--config', 'vitest.stacks.config.ts'],
  ['vitest', 'run', '--bail', '1', '--config', 'vitest.slow.config.ts', 'test/slow'],
  ['vitest', 'run', '--bail', '1', '--config', 'vitest.slow.config.ts', 'test/endurance'],
];

const copy = mkdtempSync(join(tmpdir(), 'mutations-'));
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 1_000_000_000 });
execFileSync('tar', ['-x', '-C', copy], { input: archive });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
console.log(`seed ${seed}`);
let caught = 0;
for (const fault of drawFaults(Number(values.count))) {
  const file = join(copy, fault.path);
  const original = readFileSync(file);
  writeFileSync(file, withFault(fault));
  const failing = SUITES.find(
    ([command = '', ...args]) =>
      spawnSync(join('node_modules/.bin', command), args, { cwd: copy, stdio: 'ignore' }).status !== 0,
  );
  writeFileSync(file, original);
  if (failing) caught += 1;
  console.log(`${failing ? failing.join(' ') : 'MISSED'}\t${fault.path}:${fault.line + 1}`);
  if (!failing) console.log(`  - ${fault.before.trim()}\n  + ${fault.after.trim()}`);
}
rmSync(copy, { recursive: true });
console.log(`${caught} of ${values.count} faults were caught.`);
