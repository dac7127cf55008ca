/** Texts that match a schema by format, pattern and length, and hostile ones. */
import fc from 'fast-check';
import type { JsonSchema } from '#stacks/build/openapi/rich-text.ts';

const WORDS = [
  'river',
  '水質調查',
  'Ünïcödé',
  '👩‍🔬👨‍👩‍👧‍👦',
  '<b onclick="x">&amp;\'',
  '=SUM(A1:A9)',
  '\u202Etxet\u202C',
  'שלום',
  '{{NAME}}',
  '\u0000\u0007\u001b[31m',
  '\u2028\u2029\uFEFF',
  '%00%2e%2e/',
  '__proto__',
  '{{7*7}}',
  '\r\nSet-Cookie: a=b',
  'a\u0301\u0301\u0301\u0301',
] as const;

const MOST_CHARACTERS = 12_000;

/** Texts that match a schema of type string. */
export function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uri') return fc.webUrl({ withQueryParameters: true, withFragments: true });
  if (schema.format === 'date-time') return timestamps;
  if (typeof schema.pattern === 'string') return patterned(schema.pattern, numberOf(schema.maxLength));
  const min = numberOf(schema.minLength) ?? 0;
  const max = Math.min(numberOf(schema.maxLength) ?? 200, MOST_CHARACTERS);
  return fc
    .oneof(
      { arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map(joined), weight: 6 },
      { arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(max, 30) }), weight: 4 },
      { arbitrary: fc.string({ unit: 'binary', maxLength: Math.min(max, 30) }), weight: 2 },
      { arbitrary: fc.constantFrom('x'.repeat(max), '😀'.repeat(max), '', ' ', '\t'), weight: 1 },
    )
    .map((text) => ofLength(text, min, max));
}

const joined = (words: readonly string[]): string => words.join(' ');

/** Cut or padded to a length in code points. */
function ofLength(text: string, min: number, max: number): string {
  const characters = Array.from(text);
  return characters.slice(0, max).join('') + 'x'.repeat(Math.max(0, min - characters.length));
}

function patterned(pattern: string, max = Number.MAX_SAFE_INTEGER): fc.Arbitrary<string> {
  // A pattern without an anchor is a rule such as "not blank", which ordinary texts match.
  if (!pattern.startsWith('^')) return textOf({ type: 'string', minLength: 1, maxLength: Math.min(max, 100) });
  const matching = fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= max);
  const words = WORDS.filter((word) => word.length <= max && new RegExp(pattern).test(word));
  return words.length === 0 ? matching : fc.oneof(matching, fc.constantFrom(...words));
}

/** Timestamps: with offsets, leap days, and at the limits of what can be written. */
export const timestamps: fc.Arbitrary<string> = fc.oneof(
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2096-02-29T23:59:59.999999999Z',
    '2099-12-31T23:59:59+14:00',
    '2050-01-01T00:00:00-23:59',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00+12:00',
  ),
);

/** Texts to send in place of any other value. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...WORDS,
  '',
  ' ',
  '\ud800',
  'x\udfff',
  '\u0000',
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '0000-00-00',
  'null',
  'NaN',
  '-1',
  'javascript:alert(1)',
  'data:text/html,<script>',
  'http://[::1',
  'https://user:pass@127.0.0.1:1/..;/%0d%0a',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF',
  'a@b',
  '"quoted"@example.org',
  `${'a.'.repeat(5_000)}@example.org`,
  'x'.repeat(20_000),
  '👩‍👩‍👧‍👦'.repeat(2_000),
  'a\u0301'.repeat(10_000),
];

/** Ordinary patterns, and some that are slow, large or not supported by RE2. None contains a space. */
export const PATTERNS: readonly string[] = [
  ...String.raw`
    a ^yes$ [0-9]+ (?i)straße|水 .* ^(?:.*?){1,50}$ (a+)+$ (a|aa)+$ (.*a){20} ((((a*)*)*)*)*$ (x+x+)+y
    ^(([a-z])+.)+[A-Z]([a-z])+$ (?:a{1,30}){1,30}b (?:(?:a{1,1000}){1,1000}){1,1000} [a-z]{1,190}x (?:.?){190}y
    (?i)[\x{0}-\x{10FFFF}]{20} \p{L}{100} (?=a)b (?<!a)b (a)\1 \k<n> (?P<n>a)(?P<n>b) (?>a+)b
    [ ( * a{2,1} \ \Q (? [[:alpha:]] \pX \x{110000} \C`
    .trim()
    .split(/\s+/),
  `${'a?'.repeat(80)}${'a'.repeat(80)}`,
  `(?i)${'[à-ÿ]'.repeat(60)}`,
  '\u0000',
  '|'.repeat(400),
  '('.repeat(250),
  `${'('.repeat(120)}a${')'.repeat(120)}`,
  'x'.repeat(500),
];

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
