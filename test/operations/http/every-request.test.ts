/**
 * What holds for every request, for each declared operation: the order of the checks, bodies, queries, and the headers
 * that any operation may receive. `read-input.test.ts` has the details of reading a body.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Declaration, MAX_BODY_BYTES, ProblemObject, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { app } from '#core/http/app.ts';
import { isId } from '#core/schema/schema.ts';
import {
  expectedStatus,
  type Name,
  PEOPLE,
  personOf,
  resourcesOf,
  type Target,
  targetsOf,
} from '#test/support/permissions.ts';
import {
  buildSending,
  find,
  type Instead,
  named,
  nameOf,
  pathWith,
  perform,
  type ReceivedResponse,
  rowOf,
  type Sending,
  validSending,
} from '#test/support/requests.ts';
import { newScene } from '#test/support/scene.ts';
import { everythingStored } from '#test/support/stored.ts';

const scene = await newScene();

const withBody = operations.filter(({ body }) => body !== undefined);
const withPath = operations.filter(({ path }) => path.includes('{'));
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };

/** JSON texts that are no body of any operation. */
const BAD_BODIES = ['{"title": ', 'null', '"text"', '1', '[[]]'];
const TOO_LARGE = ' '.repeat(MAX_BODY_BYTES + 1);

/** Bodies that the last check refuses. */
const REFUSED_LATER: Record<string, Instead> = {
  'broken JSON': { body: '{' },
  multipart: { body: '--x--', headers: multipart },
};

describe('a bad body is 400 and says so, another kind of content 415', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    const poisoned = JSON.stringify(sending.body).replace('{', '{"unknown":{"__proto__":{"admin":true}},');
    for (const body of [...BAD_BODIES, poisoned]) {
      const response = await perform(sending, { body });
      expect(response.status, body).toBe(400);
      const { errors = [] } = ProblemObject().parse(response.body);
      expect(new Set(errors.map(({ pointer }) => pointer.slice(0, '/body'.length))), body).toEqual(new Set(['/body']));
    }
    const asMultipart = await perform(sending, { body: '--x--', headers: multipart });
    expect(asMultipart.status).toBe(declaration.parts ? 400 : 415);
  });
});

/** Operations that ask for their optional body: of a form with files, a proof of work. */
const ASKING = new Map([['guests.admitGuest', 429]]);

describe('a required body that is missing is 400; an optional one may be left out', () => {
  test.for(named(withBody))('%s', async ([operation, declaration]) => {
    const sending = declaration.bodyOptional
      ? await validSending(declaration, scene)
      : await buildSending(declaration, scene.own.PUBLISHED);
    const response = await perform(sending, { body: '' });
    const withoutBody = ASKING.get(operation) ?? declaration.success.status;
    expect(response.status).toBe(declaration.bodyOptional ? withoutBody : 400);
  });
});

describe('a body is read as JSON whatever its content type says, and unknown members are ignored', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    const sending = await validSending(declaration, scene);
    const body = Array.isArray(sending.body) ? sending.body : { ...Object(sending.body), unknown: [{ this: 1 }] };
    const response = await perform({ ...sending, body }, { headers: { 'content-type': 'application/octet-stream' } });
    expect(response.status).toBe(declaration.success.status);
  });
});

test('the size of a body is checked after existence and role', async () => {
  const sending = await buildSending(find('updateSection'), scene.own.PUBLISHED);
  const refused = { ...sending, by: scene.cast.chelsea };
  expect((await perform(aboutNothing(sending), { body: TOO_LARGE })).status).toBe(404);
  expect((await perform(refused, { body: TOO_LARGE })).status).toBe(403);
});

describe('all faults of a body are reported at once', () => {
  const objects = withBody.filter((declaration) => declaration.name !== 'updateWorkflow');
  test.for(named(objects))('%s', async ([, declaration]) => {
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    const members = Object.keys(Object(sending.body));
    // An array in an array suits no member of any body.
    const body = Object.fromEntries(members.map((member) => [member, [[]]]));
    const response = await perform({ ...sending, body });
    expect(response.status).toBe(400);
    for (const member of members) {
      const pointer = expect.stringMatching(new RegExp(`^/body/${member}(?:/|$)`));
      expect(response.body).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ pointer })]) });
    }
  });
});

/** Any text that a provider sends. */
const ANY_TEXT: ReadonlySet<string> = new Set(['code', 'error']);

type JsonSchema = Record<string, unknown>;
type Member = { name: string; schema: JsonSchema; isArray: boolean };

/** Finds the ways through a schema that end at an array: the members on the way, and the arrays among them. */
function listWaysToArrays(root: JsonSchema): Member[][] {
  const find = (value: unknown, way: Member[]): Member[][] => {
    const node = resolve(root, value);
    const inner = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (Array.isArray(node[name]) ? node[name] : []));
    const ways = inner.flatMap((branch) => find(branch, way));
    for (const [name, schema] of Object.entries(Object(node.properties)))
      ways.push(...find(schema, [...way, { name, schema: resolve(root, schema), isArray: false }]));
    if (![node.type].flat().includes('array') || way.length > 10) return ways;
    const here = [...way, { name: '', schema: node, isArray: true }];
    return [...ways, here, ...find(node.items, here)];
  };
  return find(root, []);
}

function resolve(root: JsonSchema, value: unknown): JsonSchema {
  const { $ref, ...node } = Object(value);
  return typeof $ref === 'string' ? resolve(root, Object(root.$defs)[$ref.replace('#/$defs/', '')]) : node;
}

/** Builds a body in which the arrays on a way are full of faulty items, as far as a body may have that many values. */
function fillArrays(way: readonly Member[], isOuterFirst: boolean): unknown {
  let left = 45_000;
  const lengths = new Map<Member, number>();
  const arrays = way.filter(({ isArray }) => isArray);
  for (const array of isOuterFirst ? arrays : arrays.toReversed()) {
    const length = Math.max(1, Math.min(Number(array.schema.maxItems ?? left), left));
    lengths.set(array, length);
    left = Math.floor(left / length);
  }
  return way.reduceRight<unknown>((value, member) => {
    const length = lengths.get(member);
    return length === undefined ? { [member.name]: value } : Array.from({ length }, () => value);
  }, null);
}

describe('every array of a body has a bound, and a body full of faults is refused', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    const root = z.toJSONSchema(declaration.body?.() ?? z.never(), { io: 'input' });
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    for (const way of listWaysToArrays(root)) {
      const pointer = way.map(({ name }) => name).join('/');
      expect(way.at(-1)?.schema.maxItems, pointer).toBeTypeOf('number');
      for (const isOuterFirst of way.filter(({ isArray }) => isArray).length > 1 ? [true, false] : [true]) {
        const response = await perform({ ...sending, body: fillArrays(way, isOuterFirst) });
        expect([400, 413], pointer).toContain(response.status);
      }
    }
  });
});

describe('an invalid query parameter is 400 and says which one', () => {
  test.for(named(operations.filter(({ query }) => query !== undefined)))('%s', async ([, declaration]) => {
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    const taken = Object.keys(declaration.query?.().shape ?? {}).filter((name) => !ANY_TEXT.has(name));
    for (const name of taken) {
      const tooMany = declaration.success.link ? '1001' : '101';
      const bad = name === 'limit' ? ['NONE', '0', tooMany, '1.5', ''] : ['NONE', ''];
      for (const value of bad) {
        const response = await perform({ ...sending, query: { ...sending.query, [name]: value } });
        expect(response.status, `${name}=${value}`).toBe(400);
        const pointer = expect.stringMatching(new RegExp(`^/query/${name}(?:/|$)`));
        expect(response.body, `${name}=${value}`).toMatchObject({ errors: [{ pointer }] });
      }
    }
  });
});

/** The request on a missing resource: the first one that its path names. */
function aboutNothing(sending: Sending): Sending {
  const [first = ''] = parameterNames(sending.declaration.path);
  const missing = isId(sending.params[first] ?? '') ? crypto.randomUUID() : `no-${crypto.randomUUID()}`;
  return { ...sending, params: { ...sending.params, [first]: missing } };
}

/**
 * The path of a request whose last parameter is malformed, if it has others. Not of a response, whose visibility is
 * decided by the response itself: nothing is known about the caller before its id can be read.
 */
function malformedTail(sending: Sending): string | undefined {
  const names = parameterNames(sending.declaration.path);
  const tail = names.at(-1) ?? '';
  return names.length > 1 && tail !== 'responseId' ? pathWith(sending, { [tail]: 'NOT-AN-ID' }) : undefined;
}

describe('a missing resource is 404 before path, query and body are checked', () => {
  const about = withPath.filter(({ access }) => access.target !== undefined);
  test.for(named(about))('%s', async ([, declaration]) => {
    const sending = aboutNothing(await buildSending(declaration, scene.own.PUBLISHED));
    const bad: Record<string, Instead> = declaration.body ? { ...REFUSED_LATER } : {};
    const tail = malformedTail(sending);
    if (tail) bad['a malformed tail'] = { path: tail };
    if (declaration.query) bad['a bad query'] = { path: `${pathWith(sending, {}).split('?')[0]}?limit=NONE` };
    for (const [flaw, instead] of Object.entries(bad)) expect((await perform(sending, instead)).status, flaw).toBe(404);
  });
});

/** Somebody to whom a target of an operation is visible but not allowed, by the table of permissions. */
function refusal(declaration: Declaration): { name: Name; target: Target } | undefined {
  const permission = rowOf(declaration).may;
  for (const target of targetsOf(permission)) {
    const name = PEOPLE.find((each) => expectedStatus(permission, target, each) === 403);
    if (name) return { name, target };
  }
  return undefined;
}

describe('the wrong role is 403 before path, query and body are checked', () => {
  test.for(named(withPath.filter((each) => refusal(each) !== undefined)))('%s', async ([, declaration]) => {
    const refused = refusal(declaration);
    if (!refused) throw new Error('nobody is refused');
    const resources = resourcesOf(scene, refused.target);
    const sending = await buildSending(declaration, resources, await personOf(scene, refused.name, resources));
    const bad: Record<string, Instead> = declaration.body ? { ...REFUSED_LATER } : { nothing: {} };
    const tail = malformedTail(sending);
    if (tail) bad['a malformed tail'] = { path: tail };
    if (declaration.query) bad['a bad query'] = { path: `${pathWith(sending, {}).split('?')[0]}?limit=NONE` };
    for (const [flaw, instead] of Object.entries(bad)) expect((await perform(sending, instead)).status, flaw).toBe(403);
  });
});

describe('a write with cookies from a foreign origin is 403, and allowed from our own', () => {
  test.for(named(operations.filter(({ method }) => method !== 'GET')))('%s', async ([, declaration]) => {
    const { by, ...sending } = await validSending(declaration, scene);
    const cookie = sending.headers.cookie ?? `access_token=${by?.token ?? ''}; refresh_token=some`;
    const sendFrom = (origin: string) => perform({ ...sending, by: undefined }, { headers: { cookie, origin } });
    expect((await sendFrom('https://evil.example')).status).toBe(403);
    expect((await sendFrom(new URL(app().config.publicUrl).origin)).status).toBe(declaration.success.status);
  });
});

describe('If-Match', () => {
  const writing = operations.filter(({ method }) => method !== 'GET');
  const stale = { 'if-match': '"0", "1000000"' };

  test('a stale one is 409 and changes nothing where it is declared', async () => {
    const sendings = await Promise.all(
      writing.filter(({ ifMatch }) => ifMatch).map((declaration) => validSending(declaration, scene)),
    );
    const before = await everythingStored();
    for (const sending of sendings) {
      const response = await perform(sending, { headers: stale });
      expect([nameOf(sending.declaration), response.status]).toEqual([nameOf(sending.declaration), 409]);
    }
    expect(await everythingStored()).toEqual(before);
  });

  test.for(named(writing.filter(({ ifMatch }) => !ifMatch)))('is ignored by %s', async ([, declaration]) => {
    const response = await perform(await validSending(declaration, scene), { headers: stale });
    expect(response.status).toBe(declaration.success.status);
  });
});

describe('Idempotency-Key', () => {
  const repeatable = operations.filter(({ idempotent }) => idempotent);
  const firsts = new Map<Declaration, { sending: Sending; first: ReceivedResponse }>();

  test.for(named(repeatable))('%s succeeds with one', async ([, declaration]) => {
    const valid = await validSending(declaration, scene);
    const sending = { ...valid, headers: { ...valid.headers, 'idempotency-key': crypto.randomUUID() } };
    const first = await perform(sending);
    expect([first.status, first.headers.has('idempotency-replayed')]).toEqual([declaration.success.status, false]);
    firsts.set(declaration, { sending, first });
  });

  test('of a repeated request replays the result and changes nothing', async () => {
    const before = await everythingStored();
    for (const [declaration, { sending, first }] of firsts) {
      const second = await perform(sending);
      expect([nameOf(declaration), second.status, stable(second)]).toEqual([
        nameOf(declaration),
        first.status,
        stable(first),
      ]);
      expect(second.headers.get('idempotency-replayed'), nameOf(declaration)).toBe('true');
      expect(second.headers.get('etag'), nameOf(declaration)).toBe(first.headers.get('etag'));
    }
    expect(await everythingStored()).toEqual(before);
  });

  test('of another request is 409, and one of 256 characters is 400', async () => {
    for (const { sending } of firsts.values()) {
      const { headers, by } = sending;
      const another = await buildSending(find('createOrganization'), scene.own.PUBLISHED);
      expect((await perform({ ...another, headers, by })).status).toBe(409);
      const tooLong = await perform(sending, { headers: { 'idempotency-key': 'k'.repeat(256) } });
      expect(tooLong.status).toBe(400);
    }
  });
});

/** A body without presigned uploads, which a replay signs again. */
const stable = ({ body }: ReceivedResponse): unknown =>
  JSON.parse(JSON.stringify(body, (name, value: unknown) => (name === 'upload' ? 'signed' : value)));
