/** Hostile bytes, headers, path segments, queries and credentials for `mutations.ts`. */
import { OWN_ORIGIN, words } from './texts.ts';

/** Bodies that are no valid request. */
const TEXTS: readonly string[] = [
  ...['', 'null', '[]', '{}', '"text"', '-', '{"a":NaN}', 'title=x&visibility=PUBLIC', '\x1f\x8b\x08\u0000\u0000'],
  ...[
    '{"\\u005f\\u005fproto\\u005f\\u005f":1}',
    '['.repeat(100_000),
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  ],
];

const TEXT_CHANGES: readonly ((text: string) => string)[] = [
  (text) => text + text,
  (text) => `\uFEFF${text}`,
  (text) => `${' \n\t'.repeat(100)}${text}${'\n'.repeat(100)}`,
  (text) => text.replace('{', '{"title":1,"title":2,"__proto__":{"x":1},'),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll('":', '":\n/* comment */'),
];

/** Changes to the bytes of a body. */
export const BYTES: readonly ((bytes: Buffer) => Buffer)[] = [
  ...TEXTS.map((text) => () => Buffer.from(text)),
  ...TEXT_CHANGES.map((change) => (bytes: Buffer) => Buffer.from(change(bytes.toString()))),
  (bytes) => bytes.subarray(0, bytes.length >> 1),
  (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
  (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
  () => Buffer.alloc(64, 0x80),
];

/** Used rarely, because each takes as long as hundreds of other requests. */
export const HUGE: readonly (() => Buffer)[] = [
  ...[4_600_000, 6_400_000, 10_600_000].map((bytes) => () => Buffer.alloc(bytes, '[')),
  () => Buffer.from(`[${'1,'.repeat(1_000_000)}1]`),
  () => Buffer.from(`{"a":"${'x'.repeat(4_400_000)}"}`),
];

const header = (name: string, ...values: string[]) => values.map((value): [string, string] => [name, value]);
const ID = '00000000-0000-4000-8000-000000000000';

export const HEADERS: readonly [string, string][] = [
  ...header('content-type', ...words('text/plain application/octet-stream image/png application/json'), ''),
  ...header('content-type', ...words('application/x-www-form-urlencoded multipart/form-data MULTIPART/mixed')),
  ...header('content-type', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x', 'x'.repeat(4_000)),
  ...header('idempotency-key', ...words('key-1 key-2 key-3 key-4'), '', ' ', 'ÿ#\t'),
  ...header('idempotency-key', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(9_000)),
  ...header('if-match', ...words('* "1" "2" "-1" "999999999" W/"1" 1 "" ",'), '"1", "2", "3"', 'x'.repeat(5_000), ''),
  ...header('cookie', ...words('access_token access_token= access_token=x.y.z = ;;; refresh_token=x')),
  ...header('cookie', `refresh_token=${ID}.x`, 'refresh_token=../../x.y; refresh_token=z', 'a=b\xff'),
  ...header('cookie', `a=${'b'.repeat(4_000)}`),
  ...header('origin', 'https://evil.example', 'null', OWN_ORIGIN, '', `${OWN_ORIGIN}.evil.example`, 'http://[::1'),
  ...header('prefer', 'respond-async', 'respond-async, wait=10'),
  ...header('accept', 'application/json', 'application/json', 'text/html', 'application/xml;q=0.1', ''),
  ...[header('content-encoding', 'gzip', 'br'), header('x-http-method-override', 'DELETE')].flat(),
  ...[header('range', 'bytes=0-1'), header('if-none-match', '*', '"1"'), header('x-request-id', 'mine', '\xff')].flat(),
  ...header('x-forwarded-for', '127.0.0.1, \xff', 'x'.repeat(2_000)),
  ...header('x-padding', 'x'.repeat(8_000), 'x'.repeat(20_000)),
];

/** Replacements for a path parameter, already encoded. */
export const SEGMENTS: readonly string[] = [
  ...words(`x 0 ${ID} 7C9E6679-7425-4A1B-9C3D-0242AC120009 7c9e6679-7425-4a1b-9c3d-0242ac12000
    {7c9e6679-7425-4a1b-9c3d-0242ac120009} me fonts relations unit-ids constructor __proto__ + * a;b=c
    %00 %2F %2e%2e%2f%2e%2e .. %zz % %ff%fe %E6%B0%B4 %F0%9F%98%80 %u0041 %20
    '%20OR%201=1-- %0d%0aSet-Cookie:%20a=b`),
  ...['', '\xff\xfe', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(5_000), '%41'.repeat(2_000)],
];

/** Changes to a path. */
export const PATHS: readonly ((path: string) => string)[] = [
  ...['/', '/more', '%00'].map((end) => (path: string) => path + end),
  (path) => `/${path}`,
  (path) => path.toUpperCase(),
  (path) => path.slice(0, path.lastIndexOf('/')),
];

export const METHODS: readonly string[] = words('GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND');

const LIMITS = `0 -1 1 100 101 1e2 0x10 1.5 %20 abc Infinity %ef%bc%91 true ${'9'.repeat(400)}`;

/** Queries that the parameters of a request cannot make. */
export const QUERIES: readonly string[] = [
  ...words(LIMITS).map((limit) => `limit=${limit}`),
  ...words(`limit= limit limit=1&limit=2 limit[]=1 &&=&=x ?limit=1 #fragment cursor=x&cursor=y cursor=%00%ff
    cursor=${'A'.repeat(48)} cursor=${'A'.repeat(1_999)} cursor=${'A'.repeat(5_000)} status=DRAFT,ARCHIVED
    status=DRAFT&status=DRAFT&status=ARCHIVED&status=PUBLISHED ${'status=DRAFT&'.repeat(500)} parentId=a&parentId=b
    __proto__=x&constructor=y a=%zz&b=%ff %00=%00 ${'x'.repeat(6_000)}`),
];

export const CREDENTIALS: readonly string[] = [
  ...['Bearer', 'Bearer x', 'Bearer a.b.c', 'bearer  ', 'Basic YTpi', 'x'.repeat(8_000), 'Bearer \xff'],
];
