/**
 * What holds of every operation (contract section 1), for each that is declared: credentials, identifiers and the
 * answer that goes well. Bodies, queries and headers stand in `every-request.test.ts`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Declaration, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { signedTokens } from '#core/identity/tokens.ts';
import { isId } from '#core/schema/schema.ts';
import {
  type Answered,
  named,
  nameOf,
  pathWith,
  perform,
  rowNames,
  type Sending,
  sendingOf,
  validSending,
} from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';

let scene: Scene;
let badTokens: Record<string, string>;
beforeAll(async () => {
  scene = await newScene();
  badTokens = await makeBadTokens();
});

test('every operation has a valid request to start from, and every request its operation', () => {
  expect(rowNames().sort()).toEqual(operations.map(nameOf).sort());
});

const CREATING = /^(?:create|start|add|link|duplicate|submit|uploadFiles)/;

describe('a valid request is answered as declared', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const answer = await perform(await validSending(declaration, scene));
    const { success } = declaration;
    expect(answer.status).toBe(success.status);
    expectBodyAsDeclared(declaration, answer);
    expect(answer.headers.has('etag')).toBe(success.etag === true);
    expect(answer.headers.getSetCookie().length > 0).toBe(success.cookies === true);
    if (success.status === 302) expect(answer.headers.get('location')).toMatch(/^https?:/);
  });

  test('deleting is 204, creating and submitting 201, and the rest 200', () => {
    const usual = ({ method, name }: Declaration) => (method === 'DELETE' ? 204 : CREATING.test(name) ? 201 : 200);
    const others = operations.filter((each) => ![302, usual(each)].includes(each.success.status));
    expect(others.map(nameOf)).toEqual([]);
  });
});

/** The body has exactly what the declared schema has: nothing unknown, nothing that it would change. */
function expectBodyAsDeclared({ success }: Declaration, { headers, body, bytes }: Answered): void {
  if (success.body) {
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toStrictEqual(success.body().parse(body));
  } else if (success.contentType) {
    expect(headers.get('content-type')).toBe(success.contentType);
    expect(bytes.length).toBeGreaterThan(0);
  } else expect(bytes.length).toBe(0);
}

/** Tokens that are no credential, by what is wrong with them. */
async function makeBadTokens(): Promise<Record<string, string>> {
  const { config, now } = app();
  const caller = { id: scene.cast.alice.id, roles: ['USER', 'ADMIN'] as const };
  const { x: publicKey }: { x: string } = JSON.parse(config.token.key);
  const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
  const twoHoursAgo = new Date(now().getTime() - 7_200_000);
  const payload = {
    roles: ['USER'],
    sub: caller.id,
    iss: config.token.issuer,
    aud: config.token.audience,
    exp: 2 ** 40,
  };
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    malformed: 'no.jwt.atall',
    expired: await app().tokens.sign(caller, twoHoursAgo),
    'of a foreign key': await signedTokens({ ...config.token, key }).sign(caller, now()),
    'for another audience': await signedTokens({ ...config.token, audience: 'another' }).sign(caller, now()),
    'of another issuer': await signedTokens({ ...config.token, issuer: 'another' }).sign(caller, now()),
    unsigned: `${base64({ alg: 'none' })}.${base64(payload)}.`,
    'signed with the public key as a secret': await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(publicKey, 'base64url')),
  };
}

const signedOut = (sending: Sending): Sending => ({ ...sending, by: undefined });
const withParams = (sending: Sending, params: Record<string, string>): Sending => ({
  ...sending,
  params: { ...sending.params, ...params },
});

describe('without a valid credential the answer is 401, also about what does not exist and with a bad body', () => {
  test.for(named(operations.filter(({ access }) => access.credential === 'user')))('%s', async ([, declaration]) => {
    const sending = signedOut(await sendingOf(declaration, scene.own.PUBLISHED));
    const elsewhere = withParams(
      sending,
      Object.fromEntries(names(sending).map((name) => [name, unknown(sending, name)])),
    );
    for (const each of [sending, elsewhere]) {
      expect((await perform(each, { body: '{' })).status, 'none').toBe(401);
      for (const [flaw, token] of Object.entries(badTokens)) {
        for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `access_token=${token}` }]) {
          expect((await perform(each, { headers })).status, flaw).toBe(401);
        }
      }
    }
  });

  test.for(named(operations.filter(({ access }) => access.credential === 'refresh')))('%s', async ([, declaration]) => {
    const sending = signedOut(await sendingOf(declaration, scene.own.PUBLISHED));
    for (const cookie of [
      '',
      'refresh_token=',
      'refresh_token=nonsense',
      `refresh_token=${crypto.randomUUID()}.nonsense`,
    ]) {
      expect((await perform({ ...sending, headers: { cookie } })).status, cookie).toBe(401);
    }
  });
});

describe('what is for everybody takes no notice of a bad credential', () => {
  test.for(named(operations.filter(({ access }) => access.credential === 'none')))('%s', async ([, declaration]) => {
    const authorization = `Bearer ${badTokens.expired}`;
    const answer = await perform(await validSending(declaration, scene), { headers: { authorization } });
    expect(answer.status).toBe(declaration.success.status);
  });
});

const names = ({ declaration }: Sending): string[] => parameterNames(declaration.path);

/** A well-formed identifier of the same shape that nothing has. */
const unknown = ({ params }: Sending, name: string): string =>
  isId(params[name] ?? '') ? crypto.randomUUID() : `no-${crypto.randomUUID()}`;

const addressing = operations.filter(({ path }) => path.includes('{'));
/** Operations about a slug whether anybody uses it or not. */
const ABOUT_ANY_SLUG = ['orgs.getSlugStatus', 'orgs.getSlugHistory'];

describe('an identifier that nothing has is 404', () => {
  test.for(named(addressing))('%s', async ([operation, declaration]) => {
    const sending = await sendingOf(declaration, scene.own.PUBLISHED);
    const foreign = await sendingOf(declaration, scene.foreign.PUBLISHED);
    const status = ABOUT_ANY_SLUG.includes(operation) ? 200 : 404;
    for (const [index, name] of names(sending).entries()) {
      const ids = [unknown(sending, name)];
      // Of a form's own range, so that the items of the form are found and the thing is not among them.
      if (isId(sending.params[name] ?? '')) ids.push(idWithin(sending.params[name] ?? '', crypto.randomUUID()));
      // Something of another organization, under this one's path.
      if (index > 0) ids.push(foreign.params[name] ?? '');
      for (const id of ids) expect((await perform(withParams(sending, { [name]: id }))).status, name).toBe(status);
    }
  });
});

/** Path segments, as they are sent, that are no identifier. */
const malformedIds = (id: string): string[] => [
  id.toUpperCase().replace(/^./, 'A'),
  id.slice(1),
  `${id}0`,
  `%20${id}`,
  `{${id}}`,
  id.replaceAll('-', ''),
  '%2e%2e',
  '..%2F..',
  '%00',
  'null',
];
const MALFORMED_SLUGS = ['%2e%2e', 'a%2Fb', 'a%20b', 'a.b', '%C3%BC', '%00', 'a'.repeat(65)];

/** A provider is one of a few names; any other text names none, which is 404 (contract section 2). */
const isProvider = (name: string): boolean => /provider$/i.test(name);

describe('a malformed identifier is 400 and says which one', () => {
  const byId = addressing.filter(({ path }) => !parameterNames(path).some(isProvider));
  test.for(named(byId))('%s', async ([, declaration]) => {
    const sending = await sendingOf(declaration, scene.own.PUBLISHED);
    for (const name of names(sending)) {
      const value = sending.params[name] ?? '';
      for (const malformed of isId(value) ? malformedIds(value) : MALFORMED_SLUGS) {
        const answer = await perform(sending, { path: pathWith(sending, { [name]: malformed }) });
        expect(answer.status, malformed).toBe(400);
        expect(answer.body, malformed).toMatchObject({ errors: [{ pointer: `/path/${name}` }] });
      }
    }
  });
});
