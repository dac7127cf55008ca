/** Opening the resource of a request and checking the caller's role, before faults of the input are reported. */
import { expect, test } from 'vitest';
import { problems } from '#core/problems/problems.ts';
import { person } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';

const body = 'not JSON';
const alice = await person('alice');

const failing = async (): Promise<never> => {
  throw problems.notFound();
};

test('a missing credential is 401 before the resource is opened', async () => {
  expect((await probe({ opened: failing })({ body })).status).toBe(401);
});

test('a missing resource is 404 before the role and the body are checked', async () => {
  const call = probe({ spec: { access: { credential: 'user', roles: ['admin'] } }, opened: failing });
  expect(await call({ by: alice, body })).toMatchObject({ status: 404, json: { code: 'not_found' } });
});

test('the wrong role is 403 before the body is checked, and says for whom the action is', async () => {
  const call = probe({ spec: { access: { credential: 'user', roles: ['admin', 'creator'] } }, roles: ['reader'] });
  const response = await call({ by: alice, body });
  expect(response).toMatchObject({
    status: 403,
    json: { detail: 'This action is only for: admins of the organization, the member who created it.' },
  });
});

test('one of the roles is enough', async () => {
  const call = probe({
    spec: { access: { credential: 'user', roles: ['creator', 'admin'] } },
    roles: ['reader', 'admin'],
  });
  expect((await call({ by: alice })).status).toBe(200);
});

test('who is not onboarded is 403 where that is required', async () => {
  const call = probe({ spec: { access: { credential: 'user', onboarded: true } } });
  expect(await call({ by: alice })).toMatchObject({ status: 403, json: { code: 'onboarding_required' } });
});
