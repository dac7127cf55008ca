/**
 * What holds of every request (contract section 1), for each operation that is declared: the order of the checks,
 * bodies, queries, and the headers that any operation may get.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Declaration, ProblemObject, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { app } from '#core/http/app.ts';
import { MAX_BODY_BYTES } from '#core/http/request.ts';
import { isId } from '#core/schema/schema.ts';
import {
  expectedStatus,
  type Name,
  PEOPLE,
  permissionOf,
  personOf,
  type Target,
  targetsOf,
  thingsOf,
} from '#test/support/permissions.ts';
import {
  type Instead,
  named,
  nameOf,
  pathWith,
  perform,
  type Sending,
  sendingOf,
  validSending,
} from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { everythingStored } from '#test/support/stored.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await newScene();
});

const withBody = operations.filter(({ body }) => body !== undefined);
const withPath = operations.filter(({ path }) => path.includes('{'));
const multipart = { 'content-type': 'multipart/form-data; boundary=x' };

/** Texts that are no JSON body that any operation takes. */
const BAD_BODIES: Record<string, string | Buffer> = {
  'broken JSON': '{"title": ',
  'two values': '{} {}',
  null: 'null',
  'a text': '"text"',
  'a number': '1',
  NaN: 'NaN',
  'an array': '[]',
  'an array of arrays': '[[]]',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
};

/** What spoils a body that is valid otherwise, put into its first object. */
const POISON: Record<string, string> = {
  'a key __proto__': '"__proto__": {"admin": true}',
  'a key __proto__ inside': '"nobodyKnows": [{"a": {"\\u005f_proto__": 1}}]',
  'deep nesting of objects': `"nobodyKnows": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'deep nesting of arrays': `"nobodyKnows": ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
};

/** Bodies that the operation of a request does not take, by what is wrong with them. */
const badBodies = ({ body }: Sending): Record<string, string | Buffer> => ({
  ...BAD_BODIES,
  ...Object.fromEntries(
    Object.entries(POISON).map(([flaw, poison]) => [flaw, JSON.stringify(body).replace('{', () => `{${poison},`)]),
  ),
});
const TOO_LARGE = ' '.repeat(MAX_BODY_BYTES + 1);

/** What is wrong with a body in each way that a later check would find. */
const REFUSED_LATER: Record<string, Instead> = {
  'broken JSON': { body: '{' },
  multipart: { body: '--x--', headers: multipart },
};

describe('a bad body is 400 and says so, another kind of content 415, too much of it 413', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    const sending = await sendingOf(declaration, scene.own.PUBLISHED);
    for (const [flaw, body] of Object.entries(badBodies(sending))) {
      const answer = await perform(sending, { body });
      expect(answer.status, flaw).toBe(400);
      const { errors = [] } = ProblemObject().parse(answer.body);
      expect(new Set(errors.map(({ pointer }) => pointer.slice(0, '/body'.length))), flaw).toEqual(new Set(['/body']));
    }
    const asMultipart = await perform(sending, { body: '--x--', headers: multipart });
    expect(asMultipart.status).toBe(declaration.parts ? 400 : 415);
    expect((await perform(sending, { body: TOO_LARGE })).status).toBe(413);
  });
});

describe('a body that is asked for and not sent is 400; one that may be left out may be left out', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    const sending = await validSending(declaration, scene);
    const answer = await perform(sending, { body: '' });
    expect(answer.status).toBe(declaration.bodyOptional ? declaration.success.status : 400);
  });
});

describe('a body is read as JSON whatever its content type says, and members that nobody knows are ignored', () => {
  test.for(named(withBody))('%s', async ([, declaration]) => {
    for (const type of ['text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded', '']) {
      const sending = await validSending(declaration, scene);
      const body = Array.isArray(sending.body) ? sending.body : { ...Object(sending.body), nobodyKnows: [{ this: 1 }] };
      const answer = await perform({ ...sending, body }, { headers: { 'content-type': type } });
      expect(answer.status, type).toBe(declaration.success.status);
    }
  });
});

test('a body of exactly the most bytes is taken, of whatever type, and one more is 413', async () => {
  const sending = await sendingOf(find('updateSection'), scene.own.PUBLISHED);
  const body = '{"title":"About you"}'.padEnd(MAX_BODY_BYTES, ' ');
  for (const type of ['application/json', 'image/webp']) {
    const headers = { 'content-type': type };
    expect((await perform(sending, { body, headers })).status).toBe(200);
    expect((await perform(sending, { body: `${body} `, headers })).status).toBe(413);
  }
});

test('a body that is too large is looked at after existence and role', async () => {
  const sending = await sendingOf(find('updateSection'), scene.own.PUBLISHED);
  const refused = { ...sending, by: scene.cast.chelsea };
  expect((await perform(aboutNothing(sending), { body: TOO_LARGE })).status).toBe(404);
  expect((await perform(refused, { body: TOO_LARGE })).status).toBe(403);
});

/** The operation of a name. */
function find(name: string): Declaration {
  const found = operations.find((each) => each.name === name);
  if (!found) throw new Error(`no operation is called ${name}`);
  return found;
}

describe('all that is wrong with a body is said at once', () => {
  const objects = withBody.filter((declaration) => declaration.name !== 'updateWorkflow');
  test.for(named(objects))('%s', async ([, declaration]) => {
    const sending = await sendingOf(declaration, scene.own.PUBLISHED);
    const members = Object.keys(Object(sending.body));
    // An array in an array suits no member of any body.
    const body = Object.fromEntries(members.map((member) => [member, [[]]]));
    const answer = await perform({ ...sending, body });
    expect(answer.status).toBe(400);
    for (const member of members) {
      const pointer = expect.stringMatching(new RegExp(`^/body/${member}(?:/|$)`));
      expect(answer.body).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ pointer })]) });
    }
  });
});

/** What a provider hands over, whatever it is. */
const ANY_TEXT: ReadonlySet<string> = new Set(['code', 'error']);

describe('a query parameter that is none is 400 and says which one', () => {
  test.for(named(operations.filter(({ query }) => query !== undefined)))('%s', async ([, declaration]) => {
    const sending = await sendingOf(declaration, scene.own.PUBLISHED);
    const taken = Object.keys(declaration.query?.().shape ?? {}).filter((name) => !ANY_TEXT.has(name));
    for (const name of taken) {
      const bad = name === 'limit' ? ['NONE', '0', '-1', '101', '1.5', '', '1e9'] : ['NONE', ''];
      for (const value of bad) {
        const answer = await perform({ ...sending, query: { ...sending.query, [name]: value } });
        expect(answer.status, `${name}=${value}`).toBe(400);
        const pointer = expect.stringMatching(new RegExp(`^/query/${name}(?:/|$)`));
        expect(answer.body, `${name}=${value}`).toMatchObject({ errors: [{ pointer }] });
      }
    }
  });
});

/** The request about what nobody has: the first thing that its path names is missing. */
function aboutNothing(sending: Sending): Sending {
  const [first = ''] = parameterNames(sending.declaration.path);
  const missing = isId(sending.params[first] ?? '') ? crypto.randomUUID() : `no-${crypto.randomUUID()}`;
  return { ...sending, params: { ...sending.params, [first]: missing } };
}

/**
 * The path of a request whose last parameter is malformed, if it has others. Not of a response: who may know one is
 * judged by the response itself, so that nothing can be said of a caller before its id can be read.
 */
function malformedTail(sending: Sending): string | undefined {
  const names = parameterNames(sending.declaration.path);
  const tail = names.at(-1) ?? '';
  return names.length > 1 && tail !== 'responseId' ? pathWith(sending, { [tail]: 'NOT-AN-ID' }) : undefined;
}

describe('what is missing is 404 before path, query and body are looked at', () => {
  const about = withPath.filter(({ access }) => access.target !== undefined);
  test.for(named(about))('%s', async ([, declaration]) => {
    const sending = aboutNothing(await sendingOf(declaration, scene.own.PUBLISHED));
    const spoilt: Record<string, Instead> = declaration.body ? { ...REFUSED_LATER } : {};
    const tail = malformedTail(sending);
    if (tail) spoilt['a malformed tail'] = { path: tail };
    if (declaration.query) spoilt['a bad query'] = { path: `${pathWith(sending, {}).split('?')[0]}?limit=NONE` };
    for (const [flaw, instead] of Object.entries(spoilt))
      expect((await perform(sending, instead)).status, flaw).toBe(404);
  });
});

/** Somebody who may know a target of an operation but not do this to it, by the table of permissions. */
function refusal(declaration: Declaration): { name: Name; target: Target } | undefined {
  const permission = permissionOf(declaration);
  for (const target of targetsOf(permission)) {
    const name = PEOPLE.find((each) => expectedStatus(permission, target, each) === 403);
    if (name) return { name, target };
  }
  return undefined;
}

describe('who may know a thing but not do this to it is 403 before path, query and body are looked at', () => {
  test.for(named(withPath.filter((each) => refusal(each) !== undefined)))('%s', async ([, declaration]) => {
    const refused = refusal(declaration);
    if (!refused) throw new Error('nobody is refused');
    const sending = await sendingOf(declaration, thingsOf(scene, refused.target), personOf(scene, refused.name));
    const spoilt: Record<string, Instead> = declaration.body ? { ...REFUSED_LATER } : { nothing: {} };
    const tail = malformedTail(sending);
    if (tail) spoilt['a malformed tail'] = { path: tail };
    if (declaration.query) spoilt['a bad query'] = { path: `${pathWith(sending, {}).split('?')[0]}?limit=NONE` };
    for (const [flaw, instead] of Object.entries(spoilt))
      expect((await perform(sending, instead)).status, flaw).toBe(403);
  });
});

describe('a write with cookies from a foreign origin is 403; from an allowed one it is taken', () => {
  test.for(named(operations.filter(({ method }) => method !== 'GET')))('%s', async ([, declaration]) => {
    const { by, ...sending } = await validSending(declaration, scene);
    const cookie = sending.headers.cookie ?? `access_token=${by?.token ?? ''}; refresh_token=some`;
    for (const origin of ['https://evil.example', 'null', `${app().config.publicUrl}.evil.example`]) {
      const answer = await perform({ ...sending, by: undefined }, { headers: { cookie, origin } });
      expect(answer.status, origin).toBe(403);
    }
    const origin = new URL(app().config.publicUrl).origin;
    const answer = await perform({ ...sending, by: undefined }, { headers: { cookie, origin } });
    expect(answer.status).toBe(declaration.success.status);
  });
});

describe('If-Match: a stale one is 409 and changes nothing where it is declared, and is ignored elsewhere', () => {
  test.for(named(operations.filter(({ method }) => method !== 'GET')))('%s', async ([, declaration]) => {
    const sending = await validSending(declaration, scene);
    const before = declaration.ifMatch ? await everythingStored() : [];
    const answer = await perform(sending, { headers: { 'if-match': '"0", "1000000"' } });
    expect(answer.status).toBe(declaration.ifMatch ? 409 : declaration.success.status);
    if (declaration.ifMatch) expect(await everythingStored()).toEqual(before);
  });
});

describe('what creates or submits takes an Idempotency-Key and replays its answer', () => {
  test('every POST that is answered with 201 declares it', () => {
    const without = operations.filter(({ success, idempotent }) => success.status === 201 && !idempotent);
    expect(without.map(nameOf)).toEqual([]);
  });

  test.for(named(operations.filter(({ idempotent }) => idempotent)))('%s', async ([, declaration]) => {
    const sending = await validSending(declaration, scene);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await perform(sending, { headers });
    expect(first.status).toBe(declaration.success.status);
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    const before = await everythingStored();
    const second = await perform(sending, { headers });
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await everythingStored()).toEqual(before);
    const another = { ...(await sendingOf(find('createOrganization'), scene.own.PUBLISHED)), by: sending.by };
    expect((await perform(another, { headers })).status).toBe(409);
    const tooLong = await perform(sending, { headers: { 'idempotency-key': 'k'.repeat(256) } });
    expect(tooLong.status).toBe(400);
  });
});
