/** Mutations of a request: its JSON body, bytes, headers, path, query and credential. */
import fc from 'fast-check';
import { anyId, listPeople, pick, type Target } from './ground.ts';
import { BYTES, CREDENTIALS, HEADERS, HUGE, QUERIES, SEGMENTS, TEMPLATES } from './hostile-http.ts';
import { floodedValue, jsonText, mutatedValue } from './mutate-values.ts';
import { OWN_ORIGIN } from './runtime.ts';
import { HOSTILE_TEXTS } from './texts.ts';

/** A request before it is sent. `params` and `query` are encoded, `body` is JSON unless `bytes` are given. */
export type RequestDraft = {
  method: string;
  /** The path with parameters in braces. */
  template: string;
  params: Record<string, string>;
  query: string;
  headers: Record<string, string>;
  body?: unknown;
  bytes?: Buffer;
  /** The request may be routed to another operation or none. */
  pathIsMutated: boolean;
};

export type Mutation = (request: RequestDraft, target: Target) => RequestDraft;

const number = () => fc.noBias(fc.nat({ max: 0x7fffffff }));

const bodyValue: fc.Arbitrary<Mutation> = mutatedValue.map((change) => (request) => ({
  ...request,
  body: change(request.body ?? {}),
}));

const flood: fc.Arbitrary<Mutation> = floodedValue.map((change) => (request) => ({
  ...request,
  body: change(request.body),
}));

const bodyBytes: fc.Arbitrary<Mutation> = fc
  .oneof({ arbitrary: fc.constantFrom(...BYTES), weight: 60 }, { arbitrary: fc.constantFrom(...HUGE), weight: 1 })
  .map((change) => (request) => ({
    ...request,
    bytes: change(request.bytes ?? Buffer.from(request.body === undefined ? '' : jsonText(request.body))),
  }));

const headers: fc.Arbitrary<Mutation> = fc
  .uniqueArray(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .map((sent) => (request) => ({ ...request, headers: { ...request.headers, ...Object.fromEntries(sent) } }));

/** Versions and idempotency keys of other requests. */
const foreignState: fc.Arbitrary<Mutation> = fc
  .record({ which: number(), key: fc.nat({ max: 30 }) })
  .map(({ which, key }) => (request, { ground }) => {
    const sent: Record<string, string> = { 'idempotency-key': `shared-${key}` };
    const etag = pick(ground.etags, which);
    if (etag) sent['if-match'] = etag;
    return { ...request, headers: { ...request.headers, ...sent } };
  });

const segment: fc.Arbitrary<Mutation> = fc
  .record({ which: number(), segment: fc.option(fc.constantFrom(...SEGMENTS)), known: number() })
  .map(({ which, segment: raw, known }) => (request, { ground }) => {
    const name = pick(Object.keys(request.params), which);
    const value = raw ?? encodeURIComponent(anyId(ground, known));
    // A known id is routed to the same operation; anything else may be routed to another or none.
    const pathIsMutated = raw !== null;
    return name ? { ...request, pathIsMutated, params: { ...request.params, [name]: value } } : request;
  });

const route: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...TEMPLATES).map(
    (change): Mutation =>
      (request) => ({
        ...request,
        template: change(request.template),
        pathIsMutated: true,
      }),
  ),
  fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND').map(
    (method): Mutation =>
      (request) => ({
        ...request,
        method,
        pathIsMutated: true,
      }),
  ),
);

const query: fc.Arbitrary<Mutation> = fc
  .record({ raw: fc.option(fc.constantFrom(...QUERIES)), limit: fc.integer({ min: 1, max: 3 }), which: number() })
  .map(({ raw, limit, which }) => (request, { ground }) => {
    const cursors = [...ground.cursors.values()].flat();
    const paged = new URLSearchParams({ limit: String(limit), cursor: pick(cursors, which) ?? 'none' }).toString();
    return { ...request, query: raw ?? paged };
  });

const caller: fc.Arbitrary<Mutation> = fc
  .record({
    which: number(),
    how: fc.oneof(
      { arbitrary: fc.constant('person'), weight: 6 },
      { arbitrary: fc.constantFrom('nobody', 'expired', 'cookie', 'forged', ...CREDENTIALS), weight: 4 },
    ),
  })
  .map(({ which, how }) => (request, { ground }) => {
    const { authorization: _, ...others } = request.headers;
    const token = pick(listPeople(ground), which)?.token ?? '';
    const credentials: Record<string, Record<string, string>> = {
      person: { authorization: `Bearer ${token}` },
      nobody: {},
      expired: { authorization: `Bearer ${ground.expiredToken}` },
      cookie: { cookie: `access_token=${token}`, origin: which % 2 === 0 ? OWN_ORIGIN : 'https://evil.example' },
      forged: { authorization: `Bearer ${token.slice(0, -4)}AAAA` },
    };
    return { ...request, headers: { ...others, ...(credentials[how] ?? { authorization: how }) } };
  });

const hostileMember: fc.Arbitrary<Mutation> = fc.constantFrom(...HOSTILE_TEXTS).map((value) => (request) => ({
  ...request,
  query: new URLSearchParams({ cursor: value.toWellFormed().slice(0, 3_000), limit: '5' }).toString(),
}));

/** Mutations of a request; about half of all requests stay unchanged. */
export const mutationsOf = (hasBody: boolean): fc.Arbitrary<Mutation> =>
  fc.oneof(
    { arbitrary: fc.constant<Mutation>((request) => request), weight: 60 },
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
