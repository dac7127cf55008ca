/**
 * What holds for every declared operation: credentials, identifiers and the response that succeeds. Bodies, queries and
 * headers are in `test/operations/http/every-request.test.ts`.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Declaration, parameterNames } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { isId } from '#core/schema/schema.ts';
import {
  buildSending,
  find,
  named,
  nameOf,
  pathWith,
  perform,
  type ReceivedResponse,
  rowNames,
  type Sending,
  validSending,
} from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';

let scene: Scene;
let expiredToken: string;
beforeAll(async () => {
  scene = await newScene();
  const twoHoursAgo = new Date(app().now().getTime() - 7_200_000);
  expiredToken = await app().tokens.sign({ id: scene.cast.alice.id, roles: ['USER', 'ADMIN'] }, twoHoursAgo);
});

test('every operation has a valid request to start from, and every request its operation', () => {
  expect(rowNames().sort()).toEqual(operations.map(nameOf).sort());
});

const CREATING = /^(?:admit|create|copy|import|start|add|link|duplicate|submit|uploadFiles)/;
const QUEUEING = /^(?:retry|send|count)/;

describe('a valid request succeeds as declared', () => {
  test.for(named(operations))('%s', async ([, declaration]) => {
    const response = await perform(await validSending(declaration, scene));
    const { success } = declaration;
    expect(response.status).toBe(success.status);
    expectBodyAsDeclared(declaration, response);
    expect(response.headers.has('etag')).toBe(success.etag === true);
    expect(response.headers.getSetCookie().length > 0).toBe(success.cookies === true);
    if (success.status === 302) expect(response.headers.get('location')).toMatch(/^https?:/);
  });

  test('deleting is 204, creating and submitting 201, queueing 202, and the rest 200', () => {
    const usual = ({ method, name }: Declaration) =>
      method === 'DELETE' ? 204 : CREATING.test(name) ? 201 : QUEUEING.test(name) ? 202 : 200;
    const others = operations.filter((each) => ![302, usual(each)].includes(each.success.status));
    expect(others.map(nameOf)).toEqual([]);
  });
});

/** The body has exactly the members of the declared schema. */
function expectBodyAsDeclared({ success }: Declaration, { headers, body, bytes }: ReceivedResponse): void {
  if (success.body) {
    expect(headers.get('content-type')).toBe('application/json');
    expect(body).toStrictEqual(success.body().parse(body));
  } else if (success.contentType) {
    expect(headers.get('content-type')).toBe(success.contentType);
    expect(bytes.length).toBeGreaterThan(0);
  } else expect(bytes.length).toBe(0);
}

const signedOut = (sending: Sending): Sending => ({ ...sending, by: undefined });
const withParams = (sending: Sending, params: Record<string, string>): Sending => ({
  ...sending,
  params: { ...sending.params, ...params },
});

describe('without a valid credential it is 401, also for what does not exist and with a bad body', () => {
  test.for(named(operations.filter(({ access }) => access.credential === 'user')))('%s', async ([, declaration]) => {
    const sending = signedOut(await buildSending(declaration, scene.own.PUBLISHED));
    const elsewhere = withParams(
      sending,
      Object.fromEntries(names(sending).map((name) => [name, unknown(sending, name)])),
    );
    expect((await perform(elsewhere, { body: '{' })).status, 'none').toBe(401);
    for (const headers of [{ authorization: `Bearer ${expiredToken}` }, { cookie: `access_token=${expiredToken}` }]) {
      expect((await perform(sending, { headers })).status, 'expired').toBe(401);
    }
  });

  test.for(named(operations.filter(({ access }) => access.credential === 'refresh')))('%s', async ([, declaration]) => {
    const sending = signedOut(await buildSending(declaration, scene.own.PUBLISHED));
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

describe('an operation for everybody ignores a bad credential', () => {
  test.for(named(operations.filter(({ access }) => access.credential === 'none')))('%s', async ([, declaration]) => {
    const authorization = `Bearer ${expiredToken}`;
    const response = await perform(await validSending(declaration, scene), { headers: { authorization } });
    expect(response.status).toBe(declaration.success.status);
  });
});

const names = ({ declaration }: Sending): string[] => parameterNames(declaration.path);

/** A well-formed identifier of the same shape that is unknown. */
const unknown = ({ params }: Sending, name: string): string =>
  isId(params[name] ?? '') ? crypto.randomUUID() : name === 'version' ? '999999' : `no-${crypto.randomUUID()}`;

const addressing = operations.filter(({ path }) => path.includes('{'));
/** Operations about a slug whether anybody uses it or not. */
const ABOUT_ANY_SLUG = ['orgs.getSlugStatus', 'orgs.getSlugHistory'];
/** Operations that tell nobody whether a form exists. */
const REFUSING_ALL = ['guests.admitGuest'];

describe('an unknown identifier is 404, or 401 where nobody is to know', () => {
  test.for(named(addressing))('%s', async ([operation, declaration]) => {
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    const foreign = await buildSending(declaration, scene.foreign.PUBLISHED);
    const status = ABOUT_ANY_SLUG.includes(operation) ? 200 : REFUSING_ALL.includes(operation) ? 401 : 404;
    for (const [index, name] of names(sending).entries()) {
      // A kind of delivery is one of two words; any other text is malformed.
      if (name === 'kind') continue;
      const ids = [unknown(sending, name)];
      // In the range of its form, whose other items exist.
      if (isId(sending.params[name] ?? '')) ids.push(idWithin(sending.params[name] ?? '', crypto.randomUUID()));
      // A resource of another organization, under this one's path.
      if (index > 0 && isId(foreign.params[name] ?? '')) ids.push(foreign.params[name] ?? '');
      for (const id of ids) expect((await perform(withParams(sending, { [name]: id }))).status, name).toBe(status);
    }
  });
});

/** Path segments, as they are sent, that are no identifier. */
const malformedIds = (id: string): string[] => [id.toUpperCase().replace(/^./, 'A'), `${id}0`];
const MALFORMED_SLUGS = ['a%2Fb', 'a'.repeat(65)];

/** A provider is one of a few names; any other text names none, which is 404. */
const isProvider = (name: string): boolean => /provider$/i.test(name);

describe('a malformed identifier is 400 and says which one', () => {
  const byId = addressing.filter(({ path }) => !parameterNames(path).some(isProvider));
  test('whatever is wrong with it', async () => {
    const sending = await buildSending(find('getForm'), scene.own.PUBLISHED);
    const id = sending.params.formId ?? '';
    const odd = [id.slice(1), `%20${id}`, `{${id}}`, id.replaceAll('-', ''), '%2e%2e', '..%2F..', '%00', 'null'];
    const slugs = ['%2e%2e', 'a%20b', 'a.b', '%C3%BC', '%00'].map((slug) => `/api/orgs/${slug}`);
    const ofOrganization = { ...(await buildSending(find('getOrganization'), scene.own.PUBLISHED)) };
    for (const formId of odd)
      expect((await perform(sending, { path: `/api/forms/${formId}` })).status, formId).toBe(400);
    for (const path of slugs) expect((await perform(ofOrganization, { path })).status, path).toBe(400);
  });

  test.for(named(byId))('%s', async ([, declaration]) => {
    const sending = await buildSending(declaration, scene.own.PUBLISHED);
    for (const name of names(sending)) {
      const value = sending.params[name] ?? '';
      for (const malformed of isId(value) ? malformedIds(value) : MALFORMED_SLUGS) {
        const response = await perform(sending, { path: pathWith(sending, { [name]: malformed }) });
        expect(response.status, malformed).toBe(400);
        expect(response.body, malformed).toMatchObject({ errors: [{ pointer: `/path/${name}` }] });
      }
    }
  });
});
