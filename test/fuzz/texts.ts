/** Texts that are hard to handle: words, times, redirects, regular expressions. */

/** The allowed origin of browsers. */
export const OWN_ORIGIN = 'https://app.example.org';

/** The words of a text, as they are written. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Texts that many members accept. */
export const WORDS: readonly string[] = [
  [
    'river',
    '水質調查',
    'Ünïcödé',
    '👩‍🔬👨‍👩‍👧‍👦',
    'a\u0301\u0301\u0301\u0301',
    'שלום',
    '\u202Etxet\u202C',
    '\u2028\u2029\uFEFF',
  ],
  ['<b onclick="x">&amp;\'', '{{NAME}}', '{{7*7}}', '=SUM(A1:A9)', '%00%2e%2e/', '__proto__'],
  ['\u0000\u0007\u001b[31m', '\r\nSet-Cookie: a=b', ' '],
].flat();

export const TIMESTAMPS: readonly string[] = words(`
  2001-01-01T00:00:00Z 2999-12-31T23:59:59.999+02:00 2096-02-29T23:59:59.999999999Z 2099-12-31T23:59:59+14:00
  2050-01-01T00:00:00-23:59 9999-12-31T23:59:59-12:00 0001-01-01T00:00:00Z 0000-01-01T00:00:00+12:00
  2026-02-30 2026-13-01T25:61:61Z 0000-00-00`);

/** Texts to send in place of any other value. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...WORDS,
  ...['', '\ud800', 'x\udfff', '\u0000', '"quoted"@example.org', 'data:text/html,<script>'],
  ...words('null NaN -1 a@b javascript:alert(1) http://[::1 https://user:pass@127.0.0.1:1/..;/%0d%0a'),
  ...words('00000000-0000-0000-0000-000000000000 FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF'),
  ...[`${'a.'.repeat(5_000)}@example.org`, 'x'.repeat(20_000), '👩‍👩‍👧‍👦'.repeat(2_000), 'a\u0301'.repeat(10_000)],
];

/** URLs that a browser may be redirected to, and those that it must not. */
export const REDIRECTS: readonly string[] = [
  ...words(`${OWN_ORIGIN}/in?x=%20&status=1#there /here https://evil.example/ //evil.example /\\evil.example`),
  ...['.evil.example/', '@evil.example/', '\\@evil.example/', `/${'水'.repeat(1_000)}`, '/\r\nSet-Cookie: a=b'].map(
    (rest) => OWN_ORIGIN + rest,
  ),
];

/** Ordinary patterns, and some that are slow, large or not supported by RE2. */
export const PATTERNS: readonly string[] = [
  ...words(String.raw`
    a ^yes$ [0-9]+ (?i)straße|水 .* ^(?:.*?){1,50}$ (a+)+$ (a|aa)+$ (.*a){20} ((((a*)*)*)*)*$ (x+x+)+y
    ^(([a-z])+.)+[A-Z]([a-z])+$ (?:a{1,30}){1,30}b (?:(?:a{1,1000}){1,1000}){1,1000} [a-z]{1,190}x (?:.?){190}y
    (?i)[\x{0}-\x{10FFFF}]{20} \p{L}{100} (?=a)b (?<!a)b (a)\1 \k<n> (?P<n>a)(?P<n>b) (?>a+)b
    [ ( * a{2,1} \ \Q (? [[:alpha:]] \pX \x{110000} \C`),
  ...[`${'a?'.repeat(80)}${'a'.repeat(80)}`, `(?i)${'[à-ÿ]'.repeat(60)}`, '\u0000', '|'.repeat(400), '('.repeat(250)],
  ...[`${'('.repeat(120)}a${')'.repeat(120)}`, 'x'.repeat(500)],
];

/** Answers on which such patterns are slow. */
export const LONG_TEXTS: readonly string[] = ['a'.repeat(10_000), 'ab'.repeat(5_000), `${'a'.repeat(9_999)}!`];
