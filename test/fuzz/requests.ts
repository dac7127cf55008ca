/**
 * Requests drawn from the OpenAPI document: for each operation an arbitrary of templates, and the request that a
 * template comes to when it is sent. A template is a request that should go well, and a way to spoil it or none.
 */
import fc from 'fast-check';
import type { Person } from '#test/support/world.ts';
import { aimAt, idNear, type Kind, strayId } from './aim.ts';
import { BODIES, laterId } from './bodies.ts';
import { components, type Documented } from './document.ts';
import { Later, settle } from './later.ts';
import { type DrawnForm, formsOf } from './multipart.ts';
import { schemaValues } from './schema-values.ts';
import type { Journey, Seen } from './seen.ts';
import { type Spoil, spoil, type Unsent } from './spoil-requests.ts';
import { jsonText } from './spoil-values.ts';
import { moments, PATTERNS, textOf } from './texts.ts';
import { OWN_ORIGIN, type Sent } from './wire.ts';

/** A drawn request; what is in it is chosen when it is sent. */
export type Template = {
  number: number;
  body: unknown;
  /** Files, in the place of the body. */
  form: DrawnForm | undefined;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  spoil: Spoil;
};

export type Prepared = { sent: Sent; by: Person | undefined; pathIsSpoilt: boolean };

const near = (kind: Kind): fc.Arbitrary<Later> => laterId((aim, which) => idNear(aim, kind, which) ?? strayId(which));
const mostly = (usual: fc.Arbitrary<unknown>, seldom: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: seldom, weight: 1 });

const FUTURE = ['2998-01-01T00:00:00Z', '2999-12-31T23:59:59.999+02:00'] as const;
const PAST = ['2001-01-01T00:00:00Z', '1999-12-31T23:59:59-11:00'] as const;

/** Where a browser is not to be sent, and where it might seem to be. */
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

/** Members whose schema cannot say what there is to name, by their own name. */
const MEMBERS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  questionId: near('question'),
  questionIds: fc.uniqueArray(near('question'), { minLength: 1, maxLength: 5 }),
  columns: fc.uniqueArray(near('question'), { maxLength: 5 }),
  sourceId: near('choiceQuestion'),
  question: near('question'),
  option: mostly(near('choice'), textOf({ type: 'string', maxLength: 50 })),
  next: near('node'),
  nextTrue: near('node'),
  nextFalse: near('node'),
  pattern: fc.constantFrom(...PATTERNS),
  parentId: near('unit'),
  childId: near('unit'),
  orgId: near('org'),
  // Attached ones complete well; those that were announced only have no bytes.
  fileIds: fc
    .array(fc.noBias(fc.nat({ max: 0x7fffffff })), { minLength: 1, maxLength: 2 })
    .map(
      (drawn) => new Later((aim) => [...new Set(drawn.map((which) => idNear(aim, 'file', which) ?? strayId(which)))]),
    ),
  filename: mostly(fc.constantFrom('a.pdf', 'Fluß 水.PDF'), textOf({ type: 'string', minLength: 1, maxLength: 500 })),
  size: mostly(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(1, 10_485_759)),
  c: mostly(fc.constantFrom(`${OWN_ORIGIN}/in`, `${OWN_ORIGIN}/in?x=%20&status=1#there`), targets),
  r: mostly(fc.constantFrom(`${OWN_ORIGIN}/on?a=b`, '/here'), targets),
  base: mostly(fc.constant(undefined), targets),
  uid: near('user'),
  email: mostly(near('email'), fc.emailAddress()),
  slug: laterId((_, which) => `slug_${which.toString(36)}`),
  coverImage: mostly(fc.constant(null), fc.webPath()),
  deadline: mostly(fc.constantFrom(null, ...FUTURE), moments),
  publishTime: mostly(fc.constantFrom(null, ...PAST), moments),
  // A cursor belongs to one list of one person; most of those seen are of others.
  cursor: laterId((aim, which) => (which % 4 === 0 ? idNear(aim, 'cursor', which) : undefined)),
};

/** Where a name means different things in different bodies. */
const IN_COMPONENTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'HighlightInput.questionId': near('choiceQuestion'),
  'UnitLinkSent.parentId': fc.option(near('unit')),
  'UnitLink.parentId': fc.option(near('unit')),
  'WorkflowNodeInput.id': near('node'),
  'ChoiceInput.id': near('choice'),
};

const valuesOf = schemaValues(
  components,
  (member, component) => IN_COMPONENTS[`${component}.${member}`] ?? MEMBERS[member],
);

/** The templates of requests for an operation. */
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
    spoil: spoil(body !== undefined),
  });
}

/** Headers that a careful client sends. */
const headersOf = ({ headers }: Documented): fc.Arbitrary<Record<string, string>> =>
  fc.record({ ifMatch: fc.boolean(), key: fc.option(fc.uuid()) }).map(({ ifMatch, key }) => ({
    ...(ifMatch && headers.includes('if-match') ? { 'if-match': '*' } : {}),
    ...(key && headers.includes('idempotency-key') ? { 'idempotency-key': key } : {}),
  }));

/** The request that a template comes to, given what has been seen by now. */
export function prepare(operation: Documented, template: Template, seen: Seen): Prepared {
  const aim = aimAt(seen, operation, template.number);
  const { credential } = operation.declaration.access;
  const journey = journeyTo(operation, seen);
  const params = { ...aim.params, ...(journey ? { provider: journey.provider, oauthProvider: journey.provider } : {}) };
  const encoded = Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]);
  const query = settle(template.query, aim);
  const request: Unsent = {
    method: operation.method,
    template: `/api${operation.path}`,
    params: Object.fromEntries(encoded),
    query: queryText(journey ? Object.assign({}, query, { state: journey.state }) : query),
    headers: {
      ...(credential === 'user' && aim.by ? { authorization: `Bearer ${aim.by.token}` } : {}),
      ...(operation.body ? { 'content-type': template.form?.type ?? 'application/json' } : {}),
      ...sessionHeader(operation, seen),
      ...(journey ? { cookie: journey.cookie } : {}),
      ...template.headers,
    },
    body: settle(template.body, aim),
    ...(template.form ? { bytes: template.form.bytes } : {}),
    pathIsSpoilt: false,
  };
  return written(template.spoil(request, aim), seen);
}

/** Who comes back from a provider brings a state and the cookie that goes with it; both serve once. */
function journeyTo({ id }: Documented, seen: Seen): Journey | undefined {
  const at = seen.journeys.findIndex(({ back }) => back === id);
  return at < 0 ? undefined : seen.journeys.splice(at, 1)[0];
}

/** Operations of a session are sent with the newest one's cookie. */
function sessionHeader({ id }: Documented, seen: Seen): Record<string, string> {
  if (id !== 'auth.refresh' && id !== 'auth.logout') return {};
  const session = seen.sessions.shift();
  return session ? { cookie: `refresh_token=${session.refresh}` } : {};
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
  { method, template, params, query, headers, body, bytes, pathIsSpoilt }: Unsent,
  seen: Seen,
): Prepared {
  const path = template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  const sentBody = bytes ?? (body === undefined ? undefined : Buffer.from(jsonText(body)));
  const token =
    /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  return {
    sent: { method, path: query === '' ? path : `${path}?${query}`, headers, ...(sentBody ? { body: sentBody } : {}) },
    by: seen.people.find((person) => person.token === token),
    pathIsSpoilt,
  };
}
