/** Storage that is busy, slow or full of conflicts: operations retry, decide again, and end in 503 with Retry-After. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { untilWritten } from '#core/db/retry.ts';
import { app } from '#core/http/app.ts';
import { draftForm, requestAs } from '#test/support/building.ts';
import { muteErrors } from '#test/support/console.ts';
import { aroundRequests, conflicting, storageError, withApp, withTable } from '#test/support/faults.ts';
import { type Cast, send } from '#test/support/fixtures.ts';
import { probe } from '#test/support/probe.ts';
import { named, nameOf, perform, type Sending, validSending } from '#test/support/requests.ts';
import { newScene, type Scene } from '#test/support/scene.ts';
import { everythingStored } from '#test/support/stored.ts';

let scene: Scene;
let cast: Cast;
beforeAll(async () => {
  scene = await newScene();
  cast = scene.cast;
});
muteErrors();

const unavailable = { title: 'Service Unavailable', code: 'unavailable' };

describe('throttled storage', () => {
  /** A table whose every request DynamoDB throttles. */
  const throttled = () => {
    const client = aroundRequests(dynamoClient(app().config), async () => {
      throw storageError('ProvisionedThroughputExceededException');
    });
    return dynamoTable(client, app().config.tableName);
  };

  test('is 503 with Retry-After for reads and writes, and nothing is changed', async () => {
    const names = ['getCurrentUser', 'getForm', 'listResponses', 'startResponse', 'updateAnswers', 'submitResponse'];
    const chosen = operations.filter(({ name }) => names.includes(name));
    const sendings = await Promise.all(chosen.map((declaration) => validSending(declaration, scene)));
    // A GET writes only the counters of a form that lacks them.
    const isWrite = ({ declaration }: Sending) => declaration.method !== 'GET';
    const before = await everythingStored();
    const { write } = throttled();
    const allThrottled = await withTable(throttled, () => Promise.all(sendings.map((sending) => perform(sending))));
    const writesThrottled = await withTable(
      () => ({ write }),
      () => Promise.all(sendings.filter(isWrite).map((sending) => perform(sending))),
    );
    for (const response of [...allThrottled, ...writesThrottled]) {
      expect(response).toMatchObject({ status: 503, body: unavailable });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await everythingStored()).toEqual(before);
  });
});

describe('a storm of transaction conflicts', () => {
  // They write single items that no transaction touches.
  const alone = [
    'auth.loginInternal',
    'auth.logout',
    'auth.finishLogin',
    'connections.finishConnection',
    'forms.uploadCover',
    'forms.verifySpreadsheet',
  ];
  const writing = operations.filter((each) => each.needs.includes('table:write') && !alone.includes(nameOf(each)));

  test.for(named(writing))('is decided again and ends well: %s', async ([, declaration]) => {
    const sending = await validSending(declaration, scene);
    const response = await withTable(conflicting(3), () => perform(sending));
    expect(response.status).toBe(declaration.success.status);
  });

  test('without an end is 503 before the function times out', async () => {
    const call = probe({
      run: (request) => untilWritten(() => request.app.commit([{ put: { pk: 'a', sk: 'b' } }], { body: {} })),
    });
    const response = await withTable(conflicting(Number.POSITIVE_INFINITY), () =>
      Promise.race([pause(3_000, null), call({ by: cast.alice, remainingMs: 3_000 })]),
    );
    expect(response).toMatchObject({ status: 503, json: unavailable });
  });

  test('between writers of one resource loses no write', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const titles = Array.from({ length: 12 }, (_, n) => `title ${n}`);
    const responses = await Promise.all(
      titles.map((title) => requestAs(cast.alice, 'PATCH', `/api/forms/${formId}`, { title })),
    );
    expect(responses.map(({ status }) => status)).toEqual(titles.map(() => 200));
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(titles.length);
  });
});

test('a defect in the signing of a token is 500 and sets no cookie', async () => {
  const sign = async () => {
    throw new Error('no key');
  };
  const response = await withApp(
    ({ tokens }) => ({ tokens: { ...tokens, sign } }),
    () => send('POST', '/api/auth/login/internal', { body: JSON.stringify({ uid: cast.alice.id }) }),
  );
  expect(response.status).toBe(500);
  expect(response.headers.getSetCookie()).toEqual([]);
});

describe('every response', () => {
  test.for([
    ['a success', 'GET', '/api/healthz', 200],
    ['a missing credential', 'GET', '/api/users/me', 401],
    ['an unknown operation', 'GET', '/api/nonsense', 404],
    ['an unknown method', 'DELETE', '/api/users/me', 404],
    ['a bad body', 'POST', '/api/auth/login/internal', 400],
    ['a bad path', 'GET', '/api/orgs/%zz', 400],
  ] as const)('has an x-request-id of its own: %s', async ([, method, path, status]) => {
    const [response, other] = [await send(method, path), await send(method, path)];
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    expect(other.headers.get('x-request-id')).not.toBe(response.headers.get('x-request-id'));
    if (status < 400) return;
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ status, title: expect.any(String), instance: path });
  });
});

test('GET /healthz tells everybody that the service is well, and its version; HEAD without a body', async () => {
  const response = await requestAs(undefined, 'GET', '/api/healthz');
  expect(response).toMatchObject({ status: 200, body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+/) } });
  const head = await send('HEAD', '/api/healthz');
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'application/json', '']);
});
