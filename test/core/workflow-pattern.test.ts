/**
 * Patterns of conditions: that they are RE2, searched for and bounded (contract section 6, performance section 4).
 * What they are searched in is tested in `workflow-path.test.ts`.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cachedPatterns, checkPattern, matches, patternFault } from '#core/structure/pattern.ts';

const uuid = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${'9'.repeat(12)}`;

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

test('knows an escaped backslash before a k from a back-reference', () => {
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
  expect(patternFault('a'.repeat(501))).toEqual({
    kind: 'size',
    message: 'The pattern is longer than 500 characters.',
  });
});

test.each([
  ['nested counts', '(?:.{1,30}){1,30}', 'too big'],
  ['nested counts beyond what RE2 itself allows', '(?:.{1,500}){1,500}', 'too big'],
  ['counts beside a choice', '(.{1,500}|a){1,2}', 'too big'],
  ['one large count', '.{1,500}', 'too big'],
  ['twenty groups a thousand times', '(?:abc|bcd|cde){1000}'.repeat(20), 'too big'],
  ['seventy thousand dots', '.{1000}'.repeat(70), 'too big'],
  ['a long gap', 'a.{250}b', 'too ambiguous'],
  ['a long gap that may be shorter', '[ab]*a[ab]{0,200}[cd]', 'too ambiguous'],
  ['a long gap without any count', `a${'.?'.repeat(240)}[yz]`, 'too ambiguous'],
  ['a long run of a large class', '[\\pL ]{150}[yz]', 'too ambiguous'],
  ['a hundred ranges to fold', `(?i)[${'B-𞥂'.repeat(120)}]`, 'slow to compile'],
])('refuses %s, which would be slow', (_, pattern, why) => {
  const fault = patternFault(pattern);
  expect(fault?.kind).toBe('size');
  expect(fault?.message).toContain(why);
});

test.each([
  ['(a+)+$', '(a+)+$', `${'a'.repeat(9_999)}!`, false],
  ['(a|aa)+$', '(a|aa)+$', `${'a'.repeat(9_999)}!`, false],
  ['(.*)*=', '(.*)*=', 'a'.repeat(10_000), false],
  ['(?:a?){40}a{40}$', '(?:a?){40}a{40}$', 'a'.repeat(10_000), true],
  ['[ab]*a[ab]{90}[cd]', '[ab]*a[ab]{90}[cd]', 'ab'.repeat(5_000), false],
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
  '^.{1,80}$',
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

test('keeps at most 500 compiled patterns, and forgets none of their meaning', () => {
  for (let n = 0; n < 700; n += 1) expect(matches(`^n${n}$`, `n${n}`)).toBe(true);
  expect(cachedPatterns()).toBeLessThanOrEqual(500);
  for (let n = 0; n < 700; n += 1) expect(matches(`^n${n}$`, `n${n + 1}`)).toBe(false);
  expect(cachedPatterns()).toBeLessThanOrEqual(500);
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

test('judges any text as a pattern without throwing', () => {
  const token = fc.constantFrom(
    ...'()[]{}|*+?.^$\\-,:<>=!1a9kpLPQE中',
    '{2,9}',
    '(?:',
    '(?i)',
    '(?<n>',
    '\\p{L}',
    '\\u{1F600}',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(token).map((all) => all.join('')),
      ),
      (pattern) => {
        if (checkPattern(pattern) === null) expect(typeof matches(pattern, 'aa11中')).toBe('boolean');
      },
    ),
    { numRuns: 1_000 },
  );
});
