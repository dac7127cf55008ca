/**
 * No regular expression of the service takes more than linear time: texts come from strangers, and a search blocks the
 * whole process. `scslre` analyses each expression. It does not find a search for several characters that starts again
 * at each of their occurrences; `test/endurance/linear-time.test.ts` measures the parsers of requests.
 */
import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { filesOf, type Source } from '#test/support/sources.ts';

/** Expressions that are slow for long texts, by their beginning, with what keeps the texts short. */
const BOUNDED: Readonly<Record<string, string>> = {
  '(?<quoted>': 'the tokens of a pattern, which has at most 500 characters',
};

/** Files that compose expressions, which cannot be analysed, with what they are made of. */
const COMPOSED: Readonly<Record<string, string>> = {
  'core/accounts/invitation-code.ts': 'digits of a fixed number from end to end',
  'core/accounts/model.ts': 'one class of characters from end to end',
  'core/http/multipart.ts': 'an escaped boundary between fixed texts',
  'core/organizations/model.ts': 'one class of characters from end to end',
  'core/schema/text.ts': 'one class of characters from end to end',
  'core/structure/pattern-literal.ts': 'an escaped text from end to end',
  'stacks/build/bundle.ts': 'names of modules, at build time',
};

type Expression = { source: string; flags: string };

/** The regular expressions of a file; `undefined` for one that is composed when the program runs. */
function expressionsIn({ path, text }: Source): (Expression | undefined)[] {
  const found: (Expression | undefined)[] = [];
  visit(parseAst(text, { lang: 'ts' }, path));
  return found;

  function visit(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && isRegex(node.regex)) found.push({ source: node.regex.pattern, flags: node.regex.flags });
    else if (callsRegExp(node)) {
      const [source, flags] = node.arguments.map(textOf);
      found.push(source === undefined ? undefined : { source, flags: flags ?? '' });
    }
    for (const child of Object.values(node)) visit(child);
  }
}

const isRegex = (value: unknown): value is { pattern: string; flags: string } =>
  typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value;

const callsRegExp = (node: object): node is { arguments: unknown[] } =>
  'callee' in node &&
  typeof node.callee === 'object' &&
  node.callee !== null &&
  'name' in node.callee &&
  node.callee.name === 'RegExp' &&
  'arguments' in node &&
  Array.isArray(node.arguments);

const textOf = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
    ? node.value
    : undefined;

/** Why an expression takes more than linear time: the kinds of backtracking, none for a fast one. */
const faultsOf = (expression: Expression): string[] => analyse(expression).reports.map(({ type }) => type);

const files = filesOf('{core,functions,stacks}/**/*.ts', '*.ts');

test('every regular expression takes linear time', () => {
  const slow = files.flatMap((file) =>
    expressionsIn(file)
      .filter((each) => each !== undefined)
      .filter(({ source }) => !Object.keys(BOUNDED).some((start) => source.startsWith(start)))
      .filter((each) => faultsOf(each).length > 0)
      .map(({ source, flags }) => `${file.path}: /${source}/${flags}`),
  );
  expect(slow).toEqual([]);
});

test('expressions are composed in known places only', () => {
  const composing = files.filter((file) => expressionsIn(file).includes(undefined)).map(({ path }) => path);
  expect(composing).toEqual(Object.keys(COMPOSED));
});

describe('the analysis', () => {
  test.for([
    ['nested repetitions', /^(?:a+)+$/],
    ['repetitions that share a character', /<!doctype\s+[^>[]*>/i],
    ['repetitions with an optional part between', /^a*b?a*$/],
    ['a repetition that is searched from each of its characters', /\/+$/],
    ['a repetition that contains its own beginning', /<([^>]+)>;/],
  ] as const)('finds %s', ([, { source, flags }]) => {
    expect(faultsOf({ source, flags })).not.toEqual([]);
  });

  test('finds expressions in calls and literals', () => {
    const text = "const a = /x+/g as RegExp; new RegExp('y+', 'u'); RegExp('z' + a.source);";
    expect(expressionsIn({ path: 'a.ts', text })).toEqual([
      { source: 'x+', flags: 'g' },
      { source: 'y+', flags: 'u' },
      undefined,
    ]);
  });
});
