/** Who cannot start to connect an account, and what is refused. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ProblemObject } from '#core/api/declare.ts';
import { requestAs } from '#test/support/building.ts';
import { accountForm, branchedAccountForm, bring, CLOSED_STATES, NAMES } from '#test/support/connections.ts';
import { captureOutput } from '#test/support/console.ts';
import { newCast, type Person } from '#test/support/fixtures.ts';
import { connectPath, FRONT, withProviders } from '#test/support/oauth.ts';
import { submit } from '#test/support/responses.ts';

const cast = await newCast();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The problem with which a start is refused. */
async function refusal(person: Person | undefined, responseId: string, questionId: string, r?: string) {
  const answer = await requestAs(
    person,
    'GET',
    connectPath({ responseId, questionId, ...(r === undefined ? {} : { r }) }),
  );
  expect(answer.headers.get('location')).toBeNull();
  expect(answer.headers.getSetCookie()).toEqual([]);
  return ProblemObject().parse(answer.body);
}

describe('a connection is started by', () => {
  test('the owner of the response alone: members get 403, other users 404, anonymous callers 401', async () => {
    const { responseId, one } = await accountForm(cast);
    for (const person of [cast.alice, cast.bob]) expect((await refusal(person, responseId, one)).status).toBe(403);
    for (const person of [cast.chelsea, cast.erin]) expect((await refusal(person, responseId, one)).status).toBe(404);
    expect((await refusal(undefined, responseId, one)).status).toBe(401);
  });

  test('nobody for a question or response that does not exist', async () => {
    const [own, other] = [await accountForm(cast), await accountForm(cast)];
    expect((await refusal(cast.dave, own.responseId, other.one)).status).toBe(404);
    expect((await refusal(cast.dave, crypto.randomUUID(), own.one)).status).toBe(404);
    expect((await refusal(cast.dave, own.responseId, 'x')).status).toBe(400);
  });
});

describe('a start is refused', () => {
  test('at a question of another type, together with a bad r', async () => {
    const { responseId, other } = await accountForm(cast);
    const problem = await refusal(cast.dave, responseId, other, 'https://evil.example/');
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/path/questionId' }, { pointer: '/query/r' }] });
  });

  test.for([
    'https://evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
    `${FRONT}@evil.example/`,
    '',
  ])('with r = %j', async (r) => {
    const { responseId, one } = await accountForm(cast);
    expect(await refusal(cast.dave, responseId, one, r)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/r' }],
    });
  });

  test('when the provider of the question is not configured, which it names', async () => {
    const { responseId, one } = await accountForm(cast);
    await withProviders({ PROVIDER_ONE: undefined }, async () => {
      expect((await refusal(cast.dave, responseId, one)).errors).toEqual([
        { pointer: '/path/questionId', detail: expect.stringContaining('PROVIDER_ONE') },
      ]);
    });
  });

  test('when the provider cannot be reached: 503', async () => {
    captureOutput();
    const { responseId, one } = await accountForm(cast);
    const down = { issuer: 'http://127.0.0.1:9', clientId: 'x', scopes: ['openid'], parameters: {}, profile: NAMES };
    await withProviders({ PROVIDER_ONE: down }, async () => {
      expect(await refusal(cast.dave, responseId, one)).toMatchObject({ status: 503, code: 'provider_unavailable' });
    });
  });

  test.for(CLOSED_STATES)('when the form is %s', async (state) => {
    const { responseId, one, formId } = await accountForm(cast);
    await bring(cast, formId, state);
    expect(await refusal(cast.dave, responseId, one)).toMatchObject({
      status: 400,
      code: 'form_not_open',
      detail: expect.stringContaining(state),
    });
  });

  test('when the response is submitted and the form does not allow editing: 403, after what is wrong with the request', async () => {
    const { responseId, one, other } = await accountForm(cast, { allowEditResponse: false });
    await submit(cast.dave, responseId);
    expect(await refusal(cast.dave, responseId, one)).toMatchObject({ status: 403, code: 'response_submitted' });
    expect((await refusal(cast.dave, responseId, other)).status).toBe(400);
    expect((await refusal(cast.dave, responseId, one, 'https://evil.example')).status).toBe(400);
  });

  test('when the question is off the path', async () => {
    const { responseId, off } = await branchedAccountForm(cast);
    expect(await refusal(cast.dave, responseId, off)).toMatchObject({
      status: 400,
      errors: [{ pointer: '/path/questionId', detail: expect.stringMatching(/^SKIPPED/) }],
    });
  });
});
