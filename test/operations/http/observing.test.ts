/** What a request leaves behind for operators: one log line and its metrics, and nothing that is the respondent's. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Cast, newCast, newForm, send } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

let written: string[] = [];
beforeEach(() => {
  written = [];
  process.env.LOG = 'on';
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      written.push(parts.map(String).join(' '));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  process.env.LOG = 'off';
});

const entries = (): Record<string, unknown>[] => written.map((line) => JSON.parse(line));
const logLines = () => entries().filter((entry) => !('_aws' in entry));
const metricLines = () => entries().filter((entry) => '_aws' in entry);

test('each request leaves one line with its id, operation, user, status, duration, capacity and cold start', async () => {
  const answer = await send('GET', '/api/users/me', { headers: { authorization: `Bearer ${cast.dave.token}` } });
  expect(logLines()).toEqual([
    {
      level: 'info',
      requestId: answer.headers.get('x-request-id'),
      operation: 'users.getCurrentUser',
      userId: cast.dave.id,
      status: 200,
      durationMs: expect.any(Number),
      capacityUnits: 1,
      calls: 1,
      coldStart: false,
    },
  ]);
});

test('each request leaves its metrics by operation, in the embedded metric format', async () => {
  await send('GET', '/api/users/me');
  expect(metricLines()).toMatchObject([
    { operation: 'users.getCurrentUser', clientErrors: 1, serverErrors: 0, capacityUnits: 0, coldStarts: 0 },
  ]);
  expect(JSON.stringify(metricLines()[0]?._aws)).toContain('"Namespace":"FormService"');
});

test('nothing that is logged holds an answer, a token or an address', async () => {
  const { alice, dave, slug } = cast;
  const { formId, questionIds } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const { body } = await dave.client.responses.startResponse({ params: { formId } });
  const answers = [
    { questionId: questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'a very private answer' },
  ];
  await dave.client.responses.updateAnswers({ params: { responseId: body.id }, body: { answers } });
  await alice.client.orgs.addMember({ params: { slug }, body: { email: dave.email } });
  expect(logLines().length).toBeGreaterThan(5);
  for (const secret of ['a very private answer', dave.token, dave.email, '127.0.0.1']) {
    expect(written.join('\n')).not.toContain(secret);
  }
});
