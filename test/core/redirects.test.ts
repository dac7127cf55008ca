/** Where the service may redirect a browser, tested with the known tricks of URLs, and the outcome it adds there. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConnectTarget, parseTarget, toErrorCode, withOutcome } from '#core/identity/redirects.ts';

const OWN = 'https://forms.example.org';
const config = { publicUrl: `${OWN}/service`, allowedOrigins: ['https://app.example.org', 'http://localhost:5173'] };
const hrefOf = (text: string): string | undefined => parseTarget(text, config)?.href;
const pathHref = (text: string): string | undefined => parseTarget(text, config, `${OWN}/in`)?.href;

describe('a browser may be sent to', () => {
  test.for([
    [OWN, `${OWN}/`],
    [`${OWN}:443/a`, `${OWN}/a`],
    ['HTTPS://FORMS.EXAMPLE.ORG/a', `${OWN}/a`],
    ['https://app.example.org/a?b=c#d', 'https://app.example.org/a?b=c#d'],
    ['http://localhost:5173/a', 'http://localhost:5173/a'],
    ['https://app.example.org/../a', 'https://app.example.org/a'],
    ['https://forms。example.org/', `${OWN}/`],
  ])('%s', ([text = '', href]) => expect(hrefOf(text)).toBe(href));

  test.for([
    ['/a', `${OWN}/a`],
    ['/', `${OWN}/`],
    ['/?r=https://evil.example', `${OWN}/?r=https://evil.example`],
    ['/@evil.example', `${OWN}/@evil.example`],
  ])('the path %s where paths are taken', ([text = '', href]) => expect(pathHref(text)).toBe(href));
});

const TRICKS = [
  '',
  ' ',
  'evil',
  'a/b',
  '?x',
  '#x',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' https://forms.example.org/',
  'https://forms.example.org/ ',
  'https://forms.example.org\n.evil.example/',
  'https:\t//evil.example',
  'https:/evil.example',
  'https:evil.example',
  'https:///evil.example',
  'https:\\\\evil.example',
  'https://evil.example\\@forms.example.org/',
  'https://forms.example.org@evil.example/',
  'https://user@forms.example.org/',
  'https://user:password@forms.example.org/',
  'https://forms.example.org.evil.example/',
  'https://evilforms.example.org/',
  'https://forms.example.org:444/',
  'https://forms.example.org%2eevil.example/',
  'https://forms.example.org%00.evil.example/',
  'https://forms.example.org。evil.example/',
  'https://evil.example／forms.example.org/',
  'https://[::1]/',
  'https://forms.example.org./',
  'http://forms.example.org/',
  'http://localhost:5174/',
  'http://localhost/',
  'javascript:alert(1)',
  'javascript://forms.example.org/%0aalert(1)',
  'data:text/html,x',
  'ftp://forms.example.org/',
  'blob:https://forms.example.org/x',
  'view-source:https://forms.example.org/',
  'https://forms.example.org/a\r\nLocation: https://evil.example',
  'https://forms.example.org/\u0000',
  'https://forms.example.org/\u2028',
  'https://forms.example.org//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  `https://forms.example.org/${'a'.repeat(2_048)}`,
  'https://',
  'null',
];

describe('a browser is not sent to', () => {
  test.for(TRICKS)('%j, with or without paths being taken', (text) => {
    expect(hrefOf(text)).toBeUndefined();
    expect(pathHref(text)).toBeUndefined();
  });

  test('a path where none is taken', () => expect(hrefOf('/a')).toBeUndefined());

  test('whatever is made of the tricks: the origin is always allowed', () => {
    const allowed = [OWN, ...config.allowedOrigins];
    const piece = fc.oneof(
      fc.constantFrom(
        ...TRICKS,
        OWN,
        '/',
        '\\',
        '@',
        ':',
        '//',
        'https:',
        '.',
        '%2f',
        '?',
        '#',
        '\t',
        '。',
        'evil.example',
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join('');
        for (const href of [hrefOf(text), pathHref(text)]) {
          if (href !== undefined) expect(allowed).toContain(new URL(href).origin);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a connection ends at a path of the service itself', () => {
  expect(parseConnectTarget('/forms/1?a=b', config)).toEqual({ target: `${OWN}/forms/1?a=b` });
  expect(parseConnectTarget('//evil.example', config)).toMatchObject({ fault: { pointer: '/query/r' } });
});

describe('an outcome', () => {
  test.for([
    [`${OWN}/a`, { status: 'success' }, `${OWN}/a?status=success`],
    [`${OWN}/a?b=c%20d&e#f`, { status: 'success' }, `${OWN}/a?b=c%20d&e&status=success#f`],
    [`${OWN}/a?status=success&error=x`, { status: 'error', error: 'y' }, `${OWN}/a?status=error&error=y`],
    [`${OWN}/a?%73tatus=success`, { status: 'error', error: 'y' }, `${OWN}/a?status=error&error=y`],
    [`${OWN}/a?b=1&status=error&error=x`, {}, `${OWN}/a?b=1`],
    [`${OWN}/a?error=x`, {}, `${OWN}/a`],
    [`${OWN}/a`, { status: 'error', error: 'a&b=c #d' }, `${OWN}/a?status=error&error=a%26b%3Dc+%23d`],
    [`${OWN}/a?&&`, { r: '/x' }, `${OWN}/a?r=%2Fx`],
  ] as const)('is added to %s: %j', ([target, outcome, href]) => expect(withOutcome(target, outcome)).toBe(href));
});

describe('the error of a provider', () => {
  test.for([
    ['access_denied', 'access_denied'],
    ['a b!#[]~', 'a b!#[]~'],
    ['a"b', 'provider_error'],
    ['a\\b', 'provider_error'],
    ['a\r\nb', 'provider_error'],
    ['é', 'provider_error'],
    ['', 'provider_error'],
  ])('%j is reported as %j', ([error = '', code]) => expect(toErrorCode(error)).toBe(code));

  test('is cut at 100 characters', () => expect(toErrorCode('x'.repeat(101))).toBe('x'.repeat(100)));
});
