/** Spoils a request beside its JSON: the bytes of the body, headers, path, query, and who sends it. */
import fc from 'fast-check';
import { type Aim, anyId } from './aim.ts';
import { pick } from './later.ts';
import { jsonText, spoiltValue } from './spoil-values.ts';
import { HOSTILE_TEXTS } from './texts.ts';
import { OWN_ORIGIN } from './wire.ts';

/** A request about to be sent: `params` and `query` are encoded by then, `body` is JSON unless `bytes` are given. */
export type Unsent = {
  method: string;
  /** With its parameters in braces. */
  template: string;
  /** As they stand in the path, encoded. */
  params: Record<string, string>;
  /** Without `?`, encoded. */
  query: string;
  headers: Record<string, string>;
  body?: unknown;
  bytes?: Buffer;
  /** It may not arrive at the operation it was made for. */
  pathIsSpoilt: boolean;
};

export type Spoil = (request: Unsent, aim: Aim) => Unsent;

const number = () => fc.noBias(fc.nat({ max: 0x7fffffff }));

const bodyValue: fc.Arbitrary<Spoil> = spoiltValue.map((change) => (request) => ({
  ...request,
  body: change(request.body ?? {}),
}));

const text = (characters: string): Buffer => Buffer.from(characters);

/** What can be done to the bytes of a body. */
const BYTES: readonly ((bytes: Buffer) => Buffer)[] = [
  () => Buffer.alloc(0),
  (bytes) => bytes.subarray(0, bytes.length >> 1),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.concat([text('\uFEFF'), bytes]),
  (bytes) => Buffer.concat([text(' \n\t'.repeat(100)), bytes, text('\n'.repeat(100))]),
  (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
  (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
  (bytes) => text(bytes.toString().replace('{', '{"title":1,"title":2,"__proto__":{"x":1},')),
  (bytes) => text(bytes.toString().replaceAll('"', "'")),
  (bytes) => text(bytes.toString().replaceAll('":', '":\n/* comment */')),
  () => text('null'),
  () => text('[]'),
  () => text('{}'),
  () => text('"text"'),
  () => text('-'),
  () => text('{"a":NaN}'),
  () => text('{"\\u005f\\u005fproto\\u005f\\u005f":1}'),
  () => text('['.repeat(100_000)),
  () => text(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
  () => text('title=x&visibility=PUBLIC'),
  () => Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00]),
  () => Buffer.alloc(64, 0x80),
];

/** Rarely, because each takes as long as hundreds of others. */
const HUGE: readonly (() => Buffer)[] = [
  () => text(`[${'1,'.repeat(1_000_000)}1]`),
  () => text(`{"a":"${'x'.repeat(4_400_000)}"}`),
  () => Buffer.alloc(4_600_000, 0x20),
  () => Buffer.alloc(6_400_000, 0x5b),
  () => Buffer.alloc(10_600_000, 0x80),
];

const bodyBytes: fc.Arbitrary<Spoil> = fc
  .oneof({ arbitrary: fc.constantFrom(...BYTES), weight: 60 }, { arbitrary: fc.constantFrom(...HUGE), weight: 1 })
  .map((change) => (request) => ({
    ...request,
    bytes: change(text(request.body === undefined ? '' : jsonText(request.body))),
  }));

const header = (name: string, ...values: string[]) => values.map((value): [string, string] => [name, value]);

const HEADERS: readonly [string, string][] = [
  ...header(
    'content-type',
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/octet-stream',
    'image/png',
  ),
  ...header(
    'content-type',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'MULTIPART/mixed',
    'x'.repeat(4_000),
  ),
  ...header('content-type', 'application/x-www-form-urlencoded', 'application/json'),
  ...header(
    'idempotency-key',
    'key-1',
    'key-2',
    'key-3',
    'key-4',
    '',
    ' ',
    'x'.repeat(255),
    'x'.repeat(256),
    'x'.repeat(9_000),
    'ÿ#\t',
  ),
  ...header(
    'if-match',
    '*',
    '"1"',
    '"2"',
    '"-1"',
    '"999999999"',
    'W/"1"',
    '1',
    '""',
    '"1", "2", "3"',
    '",',
    'x'.repeat(5_000),
    '',
  ),
  ...header(
    'cookie',
    'access_token',
    'access_token=',
    'access_token=x.y.z',
    '=',
    ';;;',
    `a=${'b'.repeat(4_000)}`,
    'refresh_token=x',
  ),
  ...header(
    'cookie',
    'refresh_token=00000000-0000-4000-8000-000000000000.x',
    'refresh_token=../../x.y; refresh_token=z',
    'a=b\xff',
  ),
  ...header('origin', 'https://evil.example', 'null', OWN_ORIGIN, '', `${OWN_ORIGIN}.evil.example`, 'http://[::1'),
  ...header('prefer', 'respond-async', 'respond-async, wait=10'),
  ...header('accept', 'text/html', 'application/xml;q=0.1', ''),
  ...header('content-encoding', 'gzip', 'br'),
  ...header('x-http-method-override', 'DELETE'),
  ...header('x-forwarded-for', '127.0.0.1, \xff', 'x'.repeat(2_000)),
  ...header('x-request-id', 'mine', '\xff'),
  ...header('range', 'bytes=0-1'),
  ...header('if-none-match', '*', '"1"'),
  ...header('x-padding', 'x'.repeat(8_000), 'x'.repeat(20_000)),
];

const headers: fc.Arbitrary<Spoil> = fc
  .uniqueArray(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .map((sent) => (request) => ({ ...request, headers: { ...request.headers, ...Object.fromEntries(sent) } }));

/** The versions and sessions that there are, used for something else. */
const foreignState: fc.Arbitrary<Spoil> = fc
  .record({ which: number(), key: fc.nat({ max: 30 }) })
  .map(({ which, key }) => (request, { seen }) => {
    const sent: Record<string, string> = { 'idempotency-key': `shared-${key}` };
    const etag = pick(seen.etags, which);
    if (etag) sent['if-match'] = etag;
    return { ...request, headers: { ...request.headers, ...sent } };
  });

/** In the place of a parameter, as they stand in a path. */
const SEGMENTS: readonly string[] = [
  'x',
  '0',
  '00000000-0000-4000-8000-000000000000',
  '7C9E6679-7425-4A1B-9C3D-0242AC120009',
  '7c9e6679-7425-4a1b-9c3d-0242ac12000',
  '{7c9e6679-7425-4a1b-9c3d-0242ac120009}',
  'me',
  'fonts',
  'relations',
  'unit-ids',
  '%00',
  '%2F',
  '%2e%2e%2f%2e%2e',
  '..',
  '%zz',
  '%',
  '%ff%fe',
  '%E6%B0%B4',
  '%F0%9F%98%80',
  '%u0041',
  '',
  '%20',
  '+',
  '*',
  'a;b=c',
  'constructor',
  '__proto__',
  "'%20OR%201=1--",
  '%0d%0aSet-Cookie:%20a=b',
  '\xff\xfe',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(5_000),
  '%41'.repeat(2_000),
];

const segment: fc.Arbitrary<Spoil> = fc
  .record({ which: number(), segment: fc.option(fc.constantFrom(...SEGMENTS)), known: number() })
  .map(({ which, segment: raw, known }) => (request, { seen }) => {
    const name = pick(Object.keys(request.params), which);
    const value = raw ?? encodeURIComponent(anyId(seen, known));
    // An id that is known from elsewhere still leads to the operation; anything else may lead to another or none.
    const pathIsSpoilt = raw !== null;
    return name ? { ...request, pathIsSpoilt, params: { ...request.params, [name]: value } } : request;
  });

const TEMPLATES: readonly ((template: string) => string)[] = [
  (template) => `${template}/`,
  (template) => `/${template}`,
  (template) => template.replace('/', '//'),
  (template) => template.toUpperCase(),
  (template) => `${template}/more`,
  (template) => template.slice(0, template.lastIndexOf('/')),
];

const route: fc.Arbitrary<Spoil> = fc.oneof(
  fc.constantFrom(...TEMPLATES).map(
    (change): Spoil =>
      (request) => ({
        ...request,
        template: change(request.template),
        pathIsSpoilt: true,
      }),
  ),
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND').map(
    (method): Spoil =>
      (request) => ({
        ...request,
        method,
        pathIsSpoilt: true,
      }),
  ),
);

const QUERIES: readonly string[] = [
  ...[
    '0',
    '-1',
    '1',
    '100',
    '101',
    '1e2',
    '0x10',
    '1.5',
    '',
    '%20',
    'abc',
    'Infinity',
    '9'.repeat(400),
    '%ef%bc%91',
    'true',
  ].map((limit) => `limit=${limit}`),
  'limit=1&limit=2',
  'limit[]=1',
  'limit',
  '&&=&=x',
  'cursor=',
  'cursor=x',
  'cursor=x&cursor=y',
  'cursor=%00%ff',
  `cursor=${'A'.repeat(1_999)}`,
  `cursor=${'A'.repeat(5_000)}`,
  'cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  'status=DRAFT&status=DRAFT&status=ARCHIVED&status=PUBLISHED',
  'status=draft',
  'status=',
  'status=DRAFT,ARCHIVED',
  `${'status=DRAFT&'.repeat(500)}`,
  'progress=SUBMITTED&progress=DRAFT',
  'progress=x',
  'parentId=',
  'parentId=x',
  'parentId=00000000-0000-4000-8000-000000000000',
  'parentId=a&parentId=b',
  '__proto__=x&constructor=y',
  'a=%zz&b=%ff',
  '%00=%00',
  'x'.repeat(6_000),
  '?limit=1',
  '#fragment',
];

const query: fc.Arbitrary<Spoil> = fc
  .record({ raw: fc.option(fc.constantFrom(...QUERIES)), limit: fc.integer({ min: 1, max: 3 }), which: number() })
  .map(({ raw, limit, which }) => (request, { seen }) => {
    const cursors = [...seen.cursors.values()].flat();
    const paged = new URLSearchParams({ limit: String(limit), cursor: pick(cursors, which) ?? 'none' }).toString();
    return { ...request, query: raw ?? paged };
  });

const CREDENTIALS: readonly string[] = [
  'Bearer',
  'Bearer x',
  'Bearer a.b.c',
  'bearer  ',
  'Basic YTpi',
  'x'.repeat(8_000),
  'Bearer \xff',
];

const caller: fc.Arbitrary<Spoil> = fc
  .record({
    which: number(),
    how: fc.oneof(
      { arbitrary: fc.constant('person'), weight: 6 },
      { arbitrary: fc.constantFrom('nobody', 'expired', 'cookie', 'forged', ...CREDENTIALS), weight: 4 },
    ),
  })
  .map(({ which, how }) => (request, { seen }) => {
    const { authorization: _, ...others } = request.headers;
    const token = pick(seen.people, which)?.token ?? '';
    const credentials: Record<string, Record<string, string>> = {
      person: { authorization: `Bearer ${token}` },
      nobody: {},
      expired: { authorization: `Bearer ${seen.expiredToken}` },
      cookie: { cookie: `access_token=${token}`, origin: which % 2 === 0 ? OWN_ORIGIN : 'https://evil.example' },
      forged: { authorization: `Bearer ${token.slice(0, -4)}AAAA` },
    };
    return { ...request, headers: { ...others, ...(credentials[how] ?? { authorization: how }) } };
  });

const hostileMember: fc.Arbitrary<Spoil> = fc.constantFrom(...HOSTILE_TEXTS).map((value) => (request) => ({
  ...request,
  query: new URLSearchParams({ cursor: value.toWellFormed().slice(0, 3_000), limit: '5' }).toString(),
}));

/** Ways to spoil a request; about half of all requests are left as they are. */
export const spoil = (hasBody: boolean): fc.Arbitrary<Spoil> =>
  fc.oneof(
    { arbitrary: fc.constant<Spoil>((request) => request), weight: 60 },
    { arbitrary: bodyValue, weight: hasBody ? 22 : 1 },
    { arbitrary: bodyBytes, weight: hasBody ? 6 : 2 },
    { arbitrary: headers, weight: 8 },
    { arbitrary: foreignState, weight: 4 },
    { arbitrary: segment, weight: 7 },
    { arbitrary: route, weight: 2 },
    { arbitrary: query, weight: 6 },
    { arbitrary: hostileMember, weight: 1 },
    { arbitrary: caller, weight: 9 },
  );
