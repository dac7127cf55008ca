/**
 * Requests generated from the OpenAPI document. Each operation has an arbitrary of templates: a request that should
 * succeed and, sometimes, a mutation of it. Ids are filled in when the template is sent.
 */
import fc from 'fast-check';
import type { Person } from '#test/support/fixtures.ts';
import { BODIES, deferredId } from './bodies.ts';
import { components, type Documented } from './document.ts';
import { formsOf, type GeneratedForm } from './multipart.ts';
import { type Mutation, mutationsOf, type RequestDraft } from './mutate-requests.ts';
import { jsonText } from './mutate-values.ts';
import type { Authorization, Pool } from './pool.ts';
import { OWN_ORIGIN, type Sent } from './runtime.ts';
import { schemaValues } from './schema-values.ts';
import { Deferred, type Kind, knownId, resolve, targetFor, unknownId } from './target.ts';
import { PATTERNS, textOf, timestamps } from './texts.ts';

/** A generated request whose ids are chosen when it is sent. */
export type Template = {
  number: number;
  body: unknown;
  /** Files, sent instead of the body. */
  form: GeneratedForm | undefined;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  mutation: Mutation;
};

export type Prepared = { sent: Sent; by: Person | undefined; pathIsMutated: boolean };

const idOf = (kind: Kind): fc.Arbitrary<Deferred> =>
  deferredId((target, which) => knownId(target, kind, which) ?? unknownId(which));
const mostly = (usual: fc.Arbitrary<unknown>, seldom: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: seldom, weight: 1 });

const FUTURE = ['2998-01-01T00:00:00Z', '2999-12-31T23:59:59.999+02:00'] as const;
const PAST = ['2001-01-01T00:00:00Z', '1999-12-31T23:59:59-11:00'] as const;

/** URLs that a browser must not be redirected to. */
const targets: fc.Arbitrary<string> = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom(
    'https://evil.example/',
    '//evil.example',
    `${OWN_ORIGIN}.evil.example/`,
    `${OWN_ORIGIN}@evil.example/`,
    `${OWN_ORIGIN}\\@evil.example/`,
    'javascript:alert(1)',
    '/\\evil.example',
    'https://[::1',
    `${OWN_ORIGIN}/${'水'.repeat(1_000)}`,
    `${OWN_ORIGIN}/\r\nSet-Cookie: a=b`,
  ),
);

/** Members that refer to existing data, by name. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  questionId: idOf('question'),
  questionIds: fc.uniqueArray(idOf('question'), { minLength: 1, maxLength: 5 }),
  columns: fc.uniqueArray(idOf('question'), { maxLength: 5 }),
  sourceId: idOf('choiceQuestion'),
  question: idOf('question'),
  option: mostly(idOf('choice'), textOf({ type: 'string', maxLength: 50 })),
  next: idOf('node'),
  nextTrue: idOf('node'),
  nextFalse: idOf('node'),
  pattern: fc.constantFrom(...PATTERNS),
  parentId: idOf('unit'),
  childId: idOf('unit'),
  orgId: idOf('org'),
  // Completing succeeds for attached files; announced ones have no bytes.
  fileIds: fc
    .array(fc.noBias(fc.nat({ max: 0x7fffffff })), { minLength: 1, maxLength: 2 })
    .map(
      (drawn) =>
        new Deferred((target) => [
          ...new Set(drawn.map((which) => knownId(target, 'file', which) ?? unknownId(which))),
        ]),
    ),
  filename: mostly(fc.constantFrom('a.pdf', 'Fluß 水.PDF'), textOf({ type: 'string', minLength: 1, maxLength: 500 })),
  size: mostly(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(1, 10_485_759)),
  c: mostly(fc.constantFrom(`${OWN_ORIGIN}/in`, `${OWN_ORIGIN}/in?x=%20&status=1#there`), targets),
  r: mostly(fc.constantFrom(`${OWN_ORIGIN}/on?a=b`, '/here'), targets),
  base: mostly(fc.constant(undefined), targets),
  uid: idOf('user'),
  email: mostly(idOf('email'), fc.emailAddress()),
  slug: deferredId((_, which) => `slug_${which.toString(36)}`),
  coverImage: mostly(fc.constant(null), fc.webPath()),
  deadline: mostly(fc.constantFrom(null, ...FUTURE), timestamps),
  publishTime: mostly(fc.constantFrom(null, ...PAST), timestamps),
  // A cursor is valid for one list only, so most known cursors do not fit.
  cursor: deferredId((target, which) => (which % 4 === 0 ? knownId(target, 'cursor', which) : undefined)),
};

/** Members whose name has another meaning in this schema. */
const IN_COMPONENTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'HighlightInput.questionId': idOf('choiceQuestion'),
  'UnitLink.parentId': fc.option(idOf('unit')),
  'WorkflowNodeInput.id': idOf('node'),
  'ChoiceInput.id': idOf('choice'),
};

const valuesOf = schemaValues(
  components,
  (member, component) => IN_COMPONENTS[`${component}.${member}`] ?? MEMBERS[member],
);

/** The request templates of an operation. */
export function templatesOf(operation: Documented): fc.Arbitrary<Template> {
  const { body, bodyRequired, query, id } = operation;
  const described = BODIES[id] ?? (body ? valuesOf(body) : fc.constant(undefined));
  const parameters = Object.fromEntries(query.map(({ name, schema }) => [name, MEMBERS[name] ?? valuesOf(schema)]));
  return fc.record({
    number: fc.noBias(fc.nat({ max: 0x7fffffff })),
    body: body && !bodyRequired ? fc.option(described, { nil: undefined }) : described,
    query: fc.record(parameters, { requiredKeys: query.filter(({ required }) => required).map(({ name }) => name) }),
    form: operation.declaration.parts
      ? fc.option(formsOf(operation), { nil: undefined, freq: 2 })
      : fc.constant(undefined),
    headers: headersOf(operation),
    mutation: mutationsOf(body !== undefined),
  });
}

/** Headers that a well-behaved client sends. */
const headersOf = ({ headers }: Documented): fc.Arbitrary<Record<string, string>> =>
  fc.record({ ifMatch: fc.boolean(), key: fc.option(fc.uuid()) }).map(({ ifMatch, key }) => ({
    ...(ifMatch && headers.includes('if-match') ? { 'if-match': '*' } : {}),
    ...(key && headers.includes('idempotency-key') ? { 'idempotency-key': key } : {}),
  }));

/** The request of a template, with ids from the pool. */
export function prepare(operation: Documented, template: Template, pool: Pool): Prepared {
  const target = targetFor(pool, operation, template.number);
  const { credential } = operation.declaration.access;
  const authorization = pendingAuthorization(operation, pool);
  const params = {
    ...target.params,
    ...(authorization ? { provider: authorization.provider, oauthProvider: authorization.provider } : {}),
  };
  const encoded = Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]);
  const query = resolve(template.query, target);
  const request: RequestDraft = {
    method: operation.method,
    template: `/api${operation.path}`,
    params: Object.fromEntries(encoded),
    query: queryText(authorization ? Object.assign({}, query, { state: authorization.state }) : query),
    headers: {
      ...(credential === 'user' && target.by ? { authorization: `Bearer ${target.by.token}` } : {}),
      ...(operation.body ? { 'content-type': template.form?.type ?? 'application/json' } : {}),
      ...sessionHeader(operation, pool),
      ...(authorization ? { cookie: authorization.cookie } : {}),
      ...template.headers,
    },
    body: resolve(template.body, target),
    ...(template.form ? { bytes: template.form.bytes } : {}),
    pathIsMutated: false,
  };
  return written(template.mutation(request, target), pool);
}

/** A callback needs the state and the cookie of an authorization; each works once. */
function pendingAuthorization({ id }: Documented, pool: Pool): Authorization | undefined {
  const at = pool.authorizations.findIndex(({ callback }) => callback === id);
  return at < 0 ? undefined : pool.authorizations.splice(at, 1)[0];
}

/** Refresh and logout are sent with the cookie of a session. */
function sessionHeader({ id }: Documented, pool: Pool): Record<string, string> {
  if (id !== 'auth.refresh' && id !== 'auth.logout') return {};
  const token = pool.refreshTokens.shift();
  return token ? { cookie: `refresh_token=${token}` } : {};
}

function queryText(query: unknown): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(typeof query === 'object' && query !== null ? query : {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) parameters.append(name, String(each).toWellFormed());
    }
  }
  return parameters.toString();
}

function written(
  { method, template, params, query, headers, body, bytes, pathIsMutated }: RequestDraft,
  pool: Pool,
): Prepared {
  const path = template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  const sentBody = bytes ?? (body === undefined ? undefined : Buffer.from(jsonText(body)));
  const token =
    /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  return {
    sent: { method, path: query === '' ? path : `${path}?${query}`, headers, ...(sentBody ? { body: sentBody } : {}) },
    by: pool.people.find((person) => person.token === token),
    pathIsMutated,
  };
}
