/**
 * Requests of the table of valid requests, or generated from the OpenAPI document. Each operation has an arbitrary of
 * templates: a request that should succeed and, sometimes, a mutation of it. Ids are filled in when the template is sent.
 */
import fc from 'fast-check';
import type { Person } from '#test/support/fixtures.ts';
import { BODIES, deferredId } from './bodies.ts';
import { components, type Documented } from './document.ts';
import { Deferred, type Ground, type Kind, knownId, listPeople, resolve, targetFor, unknownId } from './ground.ts';
import { formsOf, type GeneratedForm } from './multipart.ts';
import { type Mutation, mutationsOf, type RequestDraft } from './mutate-requests.ts';
import { jsonText } from './mutate-values.ts';
import { OWN_ORIGIN, type Sent } from './runtime.ts';
import { schemaValues } from './schema-values.ts';
import { PATTERNS, textOf, timestamps } from './texts.ts';

/** A generated request whose ids are chosen when it is sent. */
export type Template = {
  number: number;
  /** What is generated: the rest is that of the valid request. `form`: files, sent instead of the body. */
  body: { generated: unknown } | undefined;
  form: GeneratedForm | undefined;
  query: Record<string, unknown> | undefined;
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
  sectionId: idOf('section'),
  after: fc.option(idOf('question')),
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
  const { body, query, id } = operation;
  const described = BODIES[id] ?? (body ? valuesOf(body) : fc.constant(undefined));
  const parameters = Object.fromEntries(query.map(({ name, schema }) => [name, MEMBERS[name] ?? valuesOf(schema)]));
  const requiredKeys = query.filter(({ required }) => required).map(({ name }) => name);
  return fc.record({
    number: fc.noBias(fc.nat({ max: 0x7fffffff })),
    body: body ? orValid(described.map((generated) => ({ generated }))) : fc.constant(undefined),
    query: query.length > 0 ? orValid(fc.record(parameters, { requiredKeys })) : fc.constant(undefined),
    form: operation.declaration.parts ? orValid(formsOf(operation)) : fc.constant(undefined),
    headers: headersOf(operation),
    mutation: mutationsOf(body !== undefined),
  });
}

/** A third of all values are those of the valid request. */
const orValid = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(values, { nil: undefined, freq: 2 });

/** Headers that a well-behaved client sends. */
const headersOf = ({ headers }: Documented): fc.Arbitrary<Record<string, string>> =>
  fc.record({ ifMatch: fc.boolean(), key: fc.option(fc.uuid()) }).map(({ ifMatch, key }) => ({
    ...(ifMatch && headers.includes('if-match') ? { 'if-match': '*' } : {}),
    ...(key && headers.includes('idempotency-key') ? { 'idempotency-key': key } : {}),
  }));

/** The request of a template, with the ids of a target. */
export async function prepare(operation: Documented, template: Template, ground: Ground): Promise<Prepared> {
  const target = await targetFor(ground, operation, template.number);
  const { sending } = target;
  const encoded = Object.entries(sending.params).map(([name, value]) => [name, encodeURIComponent(value)]);
  const isGenerated = template.body !== undefined || template.form !== undefined;
  const form = isGenerated ? template.form : await written(sending.form);
  const body = template.body ? resolve(template.body.generated, target) : sending.body;
  const request: RequestDraft = {
    method: operation.method,
    template: `/api${operation.path}`,
    params: Object.fromEntries(encoded),
    query: queryText(template.query ? resolve(template.query, target) : sending.query),
    headers: {
      ...(sending.by ? { authorization: `Bearer ${sending.by.token}` } : {}),
      ...(operation.body ? { 'content-type': form?.type ?? 'application/json' } : {}),
      ...sending.headers,
      ...template.headers,
    },
    body,
    ...(form ? { bytes: form.bytes } : {}),
    pathIsMutated: false,
  };
  return finish(template.mutation(request, target), ground);
}

/** A form as a browser writes it. */
async function written(form: FormData | undefined): Promise<GeneratedForm | undefined> {
  if (!form) return undefined;
  const response = new Response(form);
  return { type: response.headers.get('content-type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) };
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

function finish(
  { method, template, params, query, headers, body, bytes, pathIsMutated }: RequestDraft,
  ground: Ground,
): Prepared {
  const path = template.replace(/\{(\w+)\}/g, (whole, name: string) => params[name] ?? whole);
  const sentBody = bytes ?? (body === undefined ? undefined : Buffer.from(jsonText(body)));
  const token =
    /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? /access_token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  return {
    sent: { method, path: query === '' ? path : `${path}?${query}`, headers, ...(sentBody ? { body: sentBody } : {}) },
    by: listPeople(ground).find((person) => person.token === token),
    pathIsMutated,
  };
}
