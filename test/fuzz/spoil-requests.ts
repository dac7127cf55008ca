/** Spoils a request beside its JSON: the bytes of the body, headers, path, query, and who sends it. */
import fc from 'fast-check';
import { type Aim, anyId } from './aim.ts';
import { BYTES, CREDENTIALS, HEADERS, HUGE, QUERIES, SEGMENTS, TEMPLATES } from './hostile-http.ts';
import { pick } from './later.ts';
import { floodedValue, jsonText, spoiltValue } from './spoil-values.ts';
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

const flood: fc.Arbitrary<Spoil> = floodedValue.map((change) => (request) => ({
  ...request,
  body: change(request.body),
}));

const bodyBytes: fc.Arbitrary<Spoil> = fc
  .oneof({ arbitrary: fc.constantFrom(...BYTES), weight: 60 }, { arbitrary: fc.constantFrom(...HUGE), weight: 1 })
  .map((change) => (request) => ({
    ...request,
    bytes: change(request.bytes ?? Buffer.from(request.body === undefined ? '' : jsonText(request.body))),
  }));

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

const segment: fc.Arbitrary<Spoil> = fc
  .record({ which: number(), segment: fc.option(fc.constantFrom(...SEGMENTS)), known: number() })
  .map(({ which, segment: raw, known }) => (request, { seen }) => {
    const name = pick(Object.keys(request.params), which);
    const value = raw ?? encodeURIComponent(anyId(seen, known));
    // An id that is known from elsewhere still leads to the operation; anything else may lead to another or none.
    const pathIsSpoilt = raw !== null;
    return name ? { ...request, pathIsSpoilt, params: { ...request.params, [name]: value } } : request;
  });

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

const query: fc.Arbitrary<Spoil> = fc
  .record({ raw: fc.option(fc.constantFrom(...QUERIES)), limit: fc.integer({ min: 1, max: 3 }), which: number() })
  .map(({ raw, limit, which }) => (request, { seen }) => {
    const cursors = [...seen.cursors.values()].flat();
    const paged = new URLSearchParams({ limit: String(limit), cursor: pick(cursors, which) ?? 'none' }).toString();
    return { ...request, query: raw ?? paged };
  });

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
    { arbitrary: flood, weight: hasBody ? 3 : 0 },
    { arbitrary: headers, weight: 8 },
    { arbitrary: foreignState, weight: 4 },
    { arbitrary: segment, weight: 7 },
    { arbitrary: route, weight: 2 },
    { arbitrary: query, weight: 6 },
    { arbitrary: hostileMember, weight: 1 },
    { arbitrary: caller, weight: 9 },
  );
