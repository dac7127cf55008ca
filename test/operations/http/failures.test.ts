/** What is answered when storage is busy and when the service itself is wrong (contract section 1). */
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageBusy, type Table } from '#core/db/table.ts';
import { ask, draftForm } from '#test/support/building.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { post } from '#test/support/keyed.ts';
import { type Cast, newCast, newForm, send } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});
const logged = vi.fn();
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(logged);
});
afterEach(() => {
  vi.restoreAllMocks();
  logged.mockReset();
});

const organization = () => ({ name: 'Rivers', description: '', metadata: {}, slug: `s-${crypto.randomUUID()}` });

const busyWrites = (): Partial<Table> => ({
  write: async () => {
    throw new StorageBusy(new Error('throttled'));
  },
});
const busyReads = (): Partial<Table> => ({
  read: async () => {
    throw new StorageBusy(new Error('throttled'));
  },
});

const unavailable = {
  status: 503,
  body: { title: 'Service Unavailable', type: 'about:blank', detail: 'Storage is busy: repeat the request later' },
};

describe('throttled storage', () => {
  test('is 503 with Retry-After for a write, and nothing was changed', async () => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const responseId = (await cast.dave.client.responses.startResponse({ params: { formId } })).body.id;
    const [questionId] = questionIds;
    const answers = [{ questionId, questionType: 'SHORT_TEXT', value: 'hello' }];
    const body = organization();
    const writes = [
      [cast.alice, 'POST', '/api/orgs', body],
      [cast.alice, 'PATCH', `/api/forms/${formId}`, { title: 'changed' }],
      [cast.dave, 'POST', `/api/forms/${formId}/responses`, undefined],
      [cast.dave, 'PATCH', `/api/responses/${responseId}/answers`, { answers }],
      [cast.dave, 'POST', `/api/responses/${responseId}/submit`, { answers }],
    ] as const;
    for (const [who, method, path, sent] of writes) {
      const answer = await withTable(busyWrites, () => ask(who, method, path, sent));
      expect(answer, path).toMatchObject(unavailable);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask(cast.alice, 'GET', `/api/orgs/${body.slug}`)).status).toBe(404);
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body.title).toBe('Spring survey');
    const { responses, draftCount } = (await cast.dave.client.responses.listMyResponses({ params: { formId } })).body;
    expect([responses.length, draftCount]).toEqual([1, 1]);
    expect((await ask(cast.dave, 'GET', `/api/responses/${responseId}/questions/${questionId}`)).status).toBe(404);
  });

  test('is 503 with Retry-After for a read', async () => {
    for (const path of ['/api/users/me', `/api/orgs/${cast.slug}`, '/api/orgs/me']) {
      const answer = await withTable(busyReads, () => ask(cast.alice, 'GET', path));
      expect(answer, path).toMatchObject(unavailable);
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
  });

  test('leaves a repeated request with the same Idempotency-Key free to make its thing once', async () => {
    const [key, body] = [crypto.randomUUID(), organization()];
    let writes = 0;
    const busyOnce = (table: Table): Partial<Table> => ({
      write: async (items, writeId) => {
        writes += 1;
        if (writes === 2) throw new StorageBusy(new Error('throttled'));
        await table.write(items, writeId);
      },
    });
    const first = await withTable(busyOnce, () => post(cast.alice, '/orgs', key, body));
    expect(first.status).toBe(503);
    expect((await post(cast.alice, '/orgs', key, body)).status).toBe(201);
    expect((await post(cast.alice, '/orgs', key, body)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('is tried again from the newest state when writers met, and 503 only in the end', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    const titles = Array.from({ length: 12 }, (_, n) => `title ${n}`);
    const answers = await Promise.all(
      titles.map((title) => ask(cast.alice, 'PATCH', `/api/forms/${formId}`, { title })),
    );
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
  });
});

describe('a defect', () => {
  const secret = 'table prod-forms at 10.0.0.7, user alice@example.org';
  const broken = (): Partial<Table> => ({
    read: async () => {
      throw new Error(secret);
    },
  });

  test('is 500 whose detail tells nothing but the request id', async () => {
    const answer = await withTable(broken, () => ask(cast.alice, 'GET', '/api/users/me'));
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect(requestId).not.toBe('');
    expect(answer).toMatchObject({
      status: 500,
      body: {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        instance: '/api/users/me',
        detail: expect.stringContaining(requestId),
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.stringify([...answer.headers, answer.body])).not.toMatch(/10\.0\.0\.7|prod-forms|alice@|\.ts|stack/);
  });

  test('is logged with its cause under the same request id', async () => {
    const answer = await withTable(broken, () => ask(cast.alice, 'GET', '/api/users/me'));
    const entries = logged.mock.calls.map(([line]) => String(line));
    const entry = entries.find((line) => line.includes(answer.headers.get('x-request-id') ?? 'none'));
    expect(entry).toContain(secret);
  });

  test('that throws what is no error is 500 all the same', async () => {
    const odd = await withTable(
      () => ({ read: () => Promise.reject('just a text') }),
      () => ask(cast.alice, 'GET', '/api/users/me'),
    );
    expect(odd.status).toBe(500);
    expect(odd.headers.get('x-request-id')).not.toBeNull();
  });

  test('in the signing of a token is 500 and sets no cookie', async () => {
    const answer = await withApp(
      ({ tokens }) => ({
        tokens: {
          ...tokens,
          sign: async () => {
            throw new Error('no key');
          },
        },
      }),
      () => send('POST', '/api/auth/login/internal', { body: JSON.stringify({ uid: cast.alice.id }) }),
    );
    expect(answer.status).toBe(500);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('every answer', () => {
  test.for([
    ['a success', 'GET', '/api/healthz', 200],
    ['a missing credential', 'GET', '/api/users/me', 401],
    ['an unknown operation', 'GET', '/api/nonsense', 404],
    ['an unknown method', 'DELETE', '/api/users/me', 404],
    ['a bad body', 'POST', '/api/auth/login/internal', 400],
    ['a bad path', 'GET', '/api/orgs/%zz', 400],
  ] as const)('carries x-request-id: %s', async ([, method, path, status]) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    if (status < 400) return;
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status, title: expect.any(String), instance: path });
  });

  test('has a request id of its own', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await send('GET', '/api/healthz')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('is kept out of caches', async () => {
    for (const path of ['/api/users/me', '/api/orgs/me', '/api/orgs/nobody-uses-this']) {
      expect((await ask(cast.alice, 'GET', path)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

test('GET /healthz answers everybody that the service is well, and its version', async () => {
  const answer = await ask(undefined, 'GET', '/api/healthz');
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+/) } });
});

test('a malformed id in a path is 400, also one in upper case; an unknown one is 404', async () => {
  const { id } = await draftForm(cast.alice, cast.slug);
  for (const formId of ['nonsense', id.toUpperCase(), `${id}0`, `{${id}}`, '%00', '0']) {
    expect(await ask(cast.alice, 'GET', `/api/forms/${formId}`), formId).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/path/formId' }] },
    });
  }
  const unknown = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
  expect((await ask(cast.alice, 'GET', `/api/forms/${unknown}`)).status).toBe(404);
});
