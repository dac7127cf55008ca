/**
 * Patterns of conditions are RE2, searched for and bounded. What they are searched in is tested in
 * `workflow-path.test.ts`.
 */
import * as fc from 'fast-check';
import { RE2JS, RE2JSException, RE2Set } from 're2js';
import { expect, test, vi } from 'vitest';
import {
  checkPattern,
  countCachedPatterns,
  MAX_CACHED_PATTERNS,
  MAX_CACHED_STEPS,
  MAX_PATTERN_STEPS,
  matches,
  patternFault,
  patternSteps,
} from '#core/structure/pattern.ts';
import { readLiteral } from '#core/structure/pattern-literal.ts';
import { MAX_CONDITIONS } from '#core/structure/workflow-model.ts';

const uuid = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${'9'.repeat(12)}`;
/** An id in a list. */
const ID = uuid(1);

test('searches for a pattern anywhere in the subject rather than matching it in full', () => {
  expect(matches('ell', 'Hello')).toBe(true);
  expect(matches('^ell', 'Hello')).toBe(false);
  expect(matches('', 'anything')).toBe(true);
});

test.each([
  ['\\u4e2d', '中文', true],
  ['(?<year>\\d{4})-(?<month>\\d\\d)', 'on 2026-05', true],
  ['[^]', '\n', true],
  ['a/b', 'a/b', true],
  ['(?i)YES', 'yes', true],
  ['\\p{Han}{2}', '中文', true],
  ['^.$', '😀', true],
])('understands %s as people write it', (pattern, subject, found) => {
  expect(checkPattern(pattern)).toBeNull();
  expect(matches(pattern, subject)).toBe(found);
});

test.each([
  ['(?=a)b', 'look-around ((?=)'],
  ['(?!a)b', 'look-around ((?!)'],
  ['(?<=a)b', 'look-around ((?<=)'],
  ['(?<!a)b', 'look-around ((?<!)'],
  ['(a)\\1', 'a back-reference (\\1)'],
  ['(a)\\9', 'a back-reference (\\9)'],
  ['(?<n>a)\\k<n>', 'a back-reference (\\k)'],
])('refuses %s and says that RE2 has no %s', (pattern, named) => {
  expect(patternFault(pattern)).toEqual({
    kind: 'syntax',
    message: `The pattern uses ${named}, which RE2 patterns do not have.`,
  });
});

test('distinguishes an escaped backslash before a k from a back-reference', () => {
  expect(checkPattern('\\\\k<n>')).toBeNull();
  expect(matches('\\\\k<n>', '\\k<n>')).toBe(true);
});

test.each([
  ['(', 'missing closing )'],
  ['[a', 'missing closing ]'],
  ['*', 'missing argument'],
  ['a{2,1}', 'invalid repeat count'],
  ['\\', 'trailing backslash'],
])('refuses %s, which does not compile, and says why', (pattern, why) => {
  const fault = patternFault(pattern);
  expect(fault?.kind).toBe('syntax');
  expect(fault?.message).toContain(why);
});

test('does not repeat 500 parentheses back to the person who wrote them', () => {
  const fault = patternFault('('.repeat(500));
  expect(fault?.kind).toBe('syntax');
  expect(fault?.message.length).toBeLessThan(200);
});

test('refuses a pattern of more than 500 characters, counted as people count them', () => {
  expect(checkPattern('字'.repeat(500))).toBeNull();
  expect(checkPattern('😀'.repeat(500))).toBeNull();
  expect(patternFault('a'.repeat(2_000), 'CHOICE')).toBeNull();
  expect(patternFault('a'.repeat(2_001), 'CHOICE')).toMatchObject({ kind: 'size' });
  expect(patternFault('a'.repeat(501))).toEqual({
    kind: 'size',
    message: 'The pattern is longer than 500 characters.',
  });
});

test.each([
  ['', 2],
  ['yes', 3],
  ['a{3}', 3],
  ['^[a-z]{2,}$', 4],
  ['(?:ab){3}', 12],
  ['(?:(?:a|b){2}c){3}', 39],
  ['\\x{1000}\\u{1F600}\\p{Greek}', 3],
  ['[{9}]{,9}', 5],
  ['\\{9}', 3],
  ['[A-z中-字]', 1],
  ['(?i)[A-z中-字]', 51],
  ['a{30}(?i){9}', 270],
  ['a(?i-s)*', 2],
])('counts the steps of %s as %d', (pattern, steps) => {
  expect(patternSteps(pattern)).toBe(steps);
});

test('refuses a pattern of more than 600 steps with its counts written out, and says what to change', () => {
  expect(MAX_PATTERN_STEPS).toBe(600);
  expect(checkPattern('.{600}')).toBeNull();
  expect(patternFault('.{1,601}')).toEqual({
    kind: 'size',
    message:
      'The pattern is too big: with its counts written out it has 601 steps, at most 600 are allowed. ' +
      'Lower or remove the counts in braces, such as {1,30}.',
  });
});

test.each([
  ['nested counts', '(?:.{1,30}){1,30}'],
  ['nested counts beyond what RE2 itself allows', '(?:.{1,500}){1,500}'],
  ['twenty groups a thousand times', '(?:abc|bcd|cde){1000}'.repeat(20)],
  ['a count behind a quoted bracket', '\\Q[\\E(?:abc|bcd){1000}]'],
  ['a count behind a class of all characters', '[^].{1000}]'],
  ['a count behind an empty class', '[].{1000}]'],
  ['a second count behind flags', '(?:.{1,30})(?i){1,30}'],
  ['a hundred ranges to fold', `(?i)[${'B-𞥂'.repeat(120)}]`],
])('refuses %s, which would be slow', (_, pattern) => {
  expect(patternFault(pattern)).toMatchObject({ kind: 'size', message: expect.stringContaining('too big') });
});

test.each([
  ['(a+)+$', '(a+)+$', `${'a'.repeat(9_999)}!`, false],
  ['(a|aa)+$', '(a|aa)+$', `${'a'.repeat(9_999)}!`, false],
  ['(.*)*=', '(.*)*=', 'a'.repeat(10_000), false],
  ['(?:a?){40}a{40}$', '(?:a?){40}a{40}$', 'a'.repeat(10_000), true],
  ['[ab]*a[ab]{590}[cd]', '[ab]*a[ab]{590}[cd]', 'aab'.repeat(3_333), false],
  ['(a*)* twenty times over', `${'(a*)*'.repeat(20)}[yz]`, 'a'.repeat(10_000), false],
])('answers the hostile %s, which would hang a backtracking engine', (_, pattern, subject, found) => {
  expect(checkPattern(pattern)).toBeNull();
  expect(matches(pattern, subject)).toBe(found);
});

test('accepts a list of as many choice ids as fit into 500 characters', () => {
  const ids = Array.from({ length: 13 }, (_, n) => uuid(n * 7_919_317));
  const pattern = `^(?:${ids.join('|')})$`;
  expect(checkPattern(pattern)).toBeNull();
  for (const id of ids) expect(matches(pattern, id)).toBe(true);
  expect(matches(pattern, uuid(13 * 7_919_317))).toBe(false);
});

test.each([
  '.{100,}',
  '^.{0,500}$',
  '^(?:\\d{3}-){2}\\d{4}$',
  '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$',
  '(?i)\\b(?:yes|yeah|ok)\\b',
])('accepts %s, which people do write', (pattern) => {
  expect(checkPattern(pattern)).toBeNull();
});

test('searches the first 10,000 characters of a subject and no more', () => {
  expect(matches('z', `${'a'.repeat(9_999)}z`)).toBe(true);
  expect(matches('z', `${'a'.repeat(10_000)}z`)).toBe(false);
  expect(matches('z', `${'😀'.repeat(9_999)}z`)).toBe(true);
  expect(matches('z', `${'😀'.repeat(10_000)}z`)).toBe(false);
});

test('does not search for a pattern with a fault', () => {
  expect(() => matches('(', 'a')).toThrow('missing closing )');
});

test('keeps the patterns that were used last, as many as a form may have conditions', () => {
  const pattern = (n: number): string => `^n+${n}$`;
  const use = (from: number, count: number): number => {
    for (let n = from; n < from + count; n += 1) expect(matches(pattern(n), `n${n}`)).toBe(true);
    return countCachedPatterns().patterns;
  };
  expect(use(0, MAX_CONDITIONS)).toBeGreaterThanOrEqual(MAX_CONDITIONS);
  for (let round = 0; round < 3; round += 1) {
    expect(use(1_000 * (round + 1), MAX_CONDITIONS)).toBeLessThanOrEqual(MAX_CACHED_PATTERNS);
    const compiled = vi.spyOn(RE2Set.prototype, 'compile');
    use(0, MAX_CONDITIONS);
    expect(compiled).not.toHaveBeenCalled();
    compiled.mockRestore();
  }
});

test('the compiled patterns are bounded in steps, and the oldest go one by one', () => {
  for (let n = 0; n < 100; n += 1) {
    matches(`[\\pL\\pN-]{0,${590 - n}}[yz]`, 'y');
    expect(countCachedPatterns().steps).toBeLessThanOrEqual(MAX_CACHED_STEPS);
  }
  expect(countCachedPatterns().steps).toBeGreaterThan(MAX_CACHED_STEPS - 2 * MAX_PATTERN_STEPS);
});

test('compares a text or a list as RE2 would', () => {
  const piece = fc.constantFrom('a', 'b', '漢', '😀', '|', '|', '^', '$', '(', '(?:', ')', '\\.', '\\$', '.', '\\', ID);
  const pattern = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
  const grouped = pattern.map((inner) => `^(?:${inner})$`);
  const subject = fc.array(fc.constantFrom('a', 'b', '漢', '😀', '.', '$', ID), { maxLength: 4 });
  fc.assert(
    fc.property(fc.oneof(pattern, grouped), subject, (written, parts) => {
      const text = parts.join('');
      const literal = readLiteral(written);
      fc.pre(literal !== undefined);
      expect(literal?.(text)).toBe(RE2JS.compile(RE2JS.translateRegExp(written)).matcher(text).find());
    }),
    { numRuns: 1_000 },
  );
});

test('finds what every other engine finds, for patterns that all of them know', () => {
  const atom = fc.constantFrom('a', 'b', 'ab', '.', '[ab]', '[^a]', '\\d', '(?:a|bc)', '(b)');
  const piece = fc.tuple(atom, fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}')).map((parts) => parts.join(''));
  const whole = fc.tuple(fc.constantFrom('', '^'), fc.array(piece, { maxLength: 4 }), fc.constantFrom('', '$'));
  const subject = fc.array(fc.constantFrom('a', 'b', 'c', '1'), { maxLength: 12 }).map((letters) => letters.join(''));
  fc.assert(
    fc.property(whole, subject, ([start, pieces, end], text) => {
      const pattern = start + pieces.join('') + end;
      expect(matches(pattern, text)).toBe(new RegExp(pattern).test(text));
    }),
    { numRuns: 500 },
  );
});

const token = fc.constantFrom(
  ...['(', '(?:', '(?i)', '(?<n>', ')', ')', '|', '*', '+', '?', '^', '$', '.', '-', '\\', '{', '}', '中'],
  ...['{2,9}', '{30}', '{1000}', '[', ']', '[]', '[^]', '[]a]', '[[:alpha:]]', '[[:^alpha:]]', '[\\pL ]', '[a-z]'],
  ...['\\p{L}', '\\u{1F600}', '\\x{100}', '\\b', '\\Q', '\\E', '\\c', '\\k<n>', 'a', '9', '<', '=', '!', ':', ','],
);
const anyPattern = fc.array(token, { maxLength: 40, size: 'max' }).map((tokens) => tokens.join(''));

test('judges any text as a pattern without throwing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), anyPattern), (pattern) => {
      if (checkPattern(pattern) === null) expect(typeof matches(pattern, 'aa11中')).toBe('boolean');
    }),
    { numRuns: 200 },
  );
});

test('RE2 compiles a pattern to at most twice as many instructions as it has steps', () => {
  fc.assert(
    fc.property(anyPattern, (pattern) => {
      const steps = patternSteps(pattern);
      if (steps > 2_000) return;
      try {
        const instructions = RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize();
        expect(instructions).toBeLessThanOrEqual(2 * steps + 10);
      } catch (error) {
        if (!(error instanceof RE2JSException)) throw error;
      }
    }),
    { numRuns: 700 },
  );
});
