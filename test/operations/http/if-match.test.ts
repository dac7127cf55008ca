/** ETag and If-Match on everything that two people can edit. The step itself has tests of its own. */
import { describe, expect, test } from 'vitest';
import { requestAs } from '#test/support/building.ts';
import { linkInOrder, newCast, newForm, question, send } from '#test/support/fixtures.ts';

const cast = await newCast();

/** An edit of a resource: how to send it with some headers, and how to read the resource. */
type Edit = {
  /** `n` makes each edit different. */
  write: (headers: Record<string, string>, n: number) => Promise<Response>;
  read: () => Promise<{ etag: string; state: unknown }>;
};

const as = (who: 'alice' | 'dave', method: string, path: string, body?: unknown) => (headers: Record<string, string>) =>
  send(method, `/api${path}`, {
    headers: { authorization: `Bearer ${cast[who].token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function state(who: 'alice' | 'dave', path: string) {
  const response = await requestAs(cast[who], 'GET', `/api${path}`);
  return { etag: response.headers.get('etag') ?? '', state: response.body };
}

/** A form of one section with two questions, and a response to it. */
async function newResources() {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [{ type: 'SHORT_TEXT' }, { type: 'SHORT_TEXT' }],
  ]);
  const [sectionId = ''] = sectionIds;
  const [questionId = ''] = questionIds;
  const responseId = (await cast.dave.client.responses.startResponse({ params: { formId } })).body.id;
  const answersOf = (value: string) => ({ answers: [{ questionId, questionType: 'SHORT_TEXT', value }] });
  await as('dave', 'PATCH', `/responses/${responseId}/answers`, answersOf('first'))({});
  return { formId, sectionId, questionId, responseId, answersOf };
}

type Resources = Awaited<ReturnType<typeof newResources>>;

const editOf = (path: string, reading: string, method: string, body: (n: number) => unknown): Edit => ({
  write: (headers, n) => as('alice', method, path, body(n))(headers),
  read: () => state('alice', reading),
});

const EDITS: Record<string, (resources: Resources) => Edit | Promise<Edit>> = {
  'updating a form': ({ formId }) =>
    editOf(`/forms/${formId}`, `/forms/${formId}`, 'PATCH', (n) => ({ title: `title ${n}` })),
  'updating a section': ({ formId, sectionId }) =>
    editOf(`/forms/${formId}/sections/${sectionId}`, `/forms/${formId}/sections`, 'PATCH', (n) => ({
      title: `section ${n}`,
    })),
  'creating a question': ({ formId, sectionId }) =>
    editOf(`/sections/${sectionId}/questions`, `/forms/${formId}/sections`, 'POST', (n) =>
      question({ type: 'SHORT_TEXT', title: `new ${n}` }),
    ),
  'updating a question': ({ formId, sectionId, questionId }) =>
    editOf(`/sections/${sectionId}/questions/${questionId}`, `/forms/${formId}/sections`, 'PUT', (n) =>
      question({ type: 'SHORT_TEXT', title: `question ${n}` }),
    ),
  'updating the workflow': async ({ formId, sectionId }) => {
    const reading = `/forms/${formId}/workflow`;
    await linkInOrder(cast.alice.client, formId, [sectionId]);
    const { workflow } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    const moved = (n: number) => workflow.map((node) => ({ ...node, payload: { x: n } }));
    return editOf(reading, reading, 'PUT', moved);
  },
  'saving answers': ({ formId, responseId, answersOf }) => ({
    write: (headers, n) => as('dave', 'PATCH', `/responses/${responseId}/answers`, answersOf(`answer ${n}`))(headers),
    read: () => state('dave', `/forms/${formId}/responses/${responseId}`),
  }),
  'submitting a response': ({ formId, responseId, answersOf }) => ({
    write: (headers, n) => as('dave', 'POST', `/responses/${responseId}/submit`, answersOf(`answer ${n}`))(headers),
    read: () => state('dave', `/forms/${formId}/responses/${responseId}`),
  }),
};

describe.for(Object.entries(EDITS))('%s', ([, edit]) => {
  test('with the current ETag succeeds and returns the next one; a stale one is 409 and changes nothing', async () => {
    const { write, read } = await edit(await newResources());
    const { etag } = await read();
    expect(etag).toMatch(/^"[^"]+"$/);
    const response = await write({ 'if-match': etag }, 1);
    expect(response.ok).toBe(true);
    const before = await read();
    expect(before.etag).not.toBe(etag);
    expect(response.headers.get('etag')).toBe(before.etag);
    const stale = await write({ 'if-match': etag }, 2);
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ title: 'Conflict', code: 'stale_version' });
    expect(await read()).toEqual(before);
  });

  test('from five who read the same ETag succeeds for exactly one; without If-Match all succeed', async () => {
    const { write, read } = await edit(await newResources());
    const { etag } = await read();
    const responses = await Promise.all([1, 2, 3, 4, 5].map((n) => write({ 'if-match': etag }, n)));
    expect(responses.map(({ ok }) => ok).sort()).toEqual([false, false, false, false, true]);
    const others = await Promise.all([6, 7, 8].map((n) => write({}, n)));
    expect(others.map(({ ok }) => ok)).toEqual([true, true, true]);
    await write({}, 9);
    expect(JSON.stringify((await read()).state)).toMatch(/(title|section|new|question|answer) 9|"x":9/);
  });
});

test('a stale If-Match is reported after the faults of the body and after the role', async () => {
  const { formId } = await newResources();
  const stale = { 'if-match': '"0"' };
  expect((await as('alice', 'PATCH', `/forms/${formId}`, { title: '' })(stale)).status).toBe(400);
  expect((await as('dave', 'PATCH', `/forms/${formId}`, { title: 'mine' })(stale)).status).toBe(403);
});

test('an edit of a form that changes two fields is never mixed with another edit', async () => {
  const { formId } = await newResources();
  const bodies = Array.from({ length: 6 }, (_, n) => ({ title: `title ${n}`, messageAfterSubmission: `thanks ${n}` }));
  await Promise.all(bodies.map((body) => cast.alice.client.forms.updateForm({ params: { formId }, body })));
  const { title, messageAfterSubmission } = (await cast.alice.client.forms.getForm({ params: { formId } })).body;
  expect(bodies).toContainEqual({ title, messageAfterSubmission });
});
