/** ETag and If-Match on what two people can edit (contract section 1). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from '#test/support/building.ts';
import { type Cast, linkInOrder, newCast, newForm, question, send } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

/** One write of a thing: how to send it with some headers, and how to read the thing. */
type Edit = {
  /** `n` makes each edit another one. */
  write: (headers: Record<string, string>, n: number) => Promise<Response>;
  read: () => Promise<{ etag: string; state: unknown }>;
};

const as = (who: 'alice' | 'dave', method: string, path: string, body?: unknown) => (headers: Record<string, string>) =>
  send(method, `/api${path}`, {
    headers: { authorization: `Bearer ${cast[who].token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

async function state(who: 'alice' | 'dave', path: string) {
  const answer = await ask(cast[who], 'GET', `/api${path}`);
  return { etag: answer.headers.get('etag') ?? '', state: answer.body };
}

/** A form of one section with two questions, and a response to it. */
async function newThings() {
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

type Things = Awaited<ReturnType<typeof newThings>>;

const editOf = (path: string, reading: string, method: string, body: (n: number) => unknown): Edit => ({
  write: (headers, n) => as('alice', method, path, body(n))(headers),
  read: () => state('alice', reading),
});

const EDITS: Record<string, (things: Things) => Edit | Promise<Edit>> = {
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
  const begin = async (): Promise<Edit> => edit(await newThings());

  test('with the ETag that was read goes well, and answers the next one', async () => {
    const { write, read } = await begin();
    const { etag } = await read();
    expect(etag).toMatch(/^"[^"]+"$/);
    const answer = await write({ 'if-match': etag }, 1);
    expect(answer.ok).toBe(true);
    const next = answer.headers.get('etag');
    expect(next).not.toBe(etag);
    expect((await read()).etag).toBe(next);
  });

  test('with a stale ETag is 409 and changes nothing', async () => {
    const { write, read } = await begin();
    const { etag } = await read();
    await write({}, 1);
    const before = await read();
    const answer = await write({ 'if-match': etag }, 2);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ title: 'Conflict', code: 'stale_version' });
    expect(await read()).toEqual(before);
  });

  test('with * goes well whatever the version', async () => {
    const { write } = await begin();
    expect((await write({ 'if-match': '*' }, 1)).ok).toBe(true);
    expect((await write({ 'if-match': ' * ' }, 2)).ok).toBe(true);
  });

  test('with a list goes well if one of them is the ETag, and is 409 if none is', async () => {
    const { write, read } = await begin();
    const { etag } = await read();
    expect((await write({ 'if-match': '"nothing", "else"' }, 1)).status).toBe(409);
    expect((await write({ 'if-match': `"nothing",${etag} , "else"` }, 1)).ok).toBe(true);
  });

  test.for(['', 'nothing', '"0"', '"", ""'])('with If-Match: %s, which is no ETag of it, is 409', async (ifMatch) => {
    const { write, read } = await begin();
    const before = await read();
    expect((await write({ 'if-match': ifMatch }, 1)).status).toBe(409);
    expect(await read()).toEqual(before);
  });

  test('with its ETag as a weak one or without quotes is 409: only the ETag itself will do', async () => {
    const { write, read } = await begin();
    const { etag } = await read();
    expect((await write({ 'if-match': `W/${etag}` }, 1)).status).toBe(409);
    expect((await write({ 'if-match': etag.replaceAll('"', '') }, 1)).status).toBe(409);
  });

  test('from many who read the same ETag goes well for exactly one', async () => {
    const { write, read } = await begin();
    const { etag } = await read();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => write({ 'if-match': etag }, n)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.slice(1)).toEqual([409, 409, 409, 409]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('without If-Match the last writer wins, and many at once all go well', async () => {
    const { write, read } = await begin();
    const answers = await Promise.all([1, 2, 3, 4].map((n) => write({}, n)));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    await write({}, 9);
    expect(JSON.stringify((await read()).state)).toMatch(/(title|section|new|question|answer) 9|"x":9/);
  });
});

test('a stale If-Match is told after the faults of the body and after the role', async () => {
  const { formId } = await newThings();
  const stale = { 'if-match': '"0"' };
  expect((await as('alice', 'PATCH', `/forms/${formId}`, { title: '' })(stale)).status).toBe(400);
  expect((await as('dave', 'PATCH', `/forms/${formId}`, { title: 'mine' })(stale)).status).toBe(403);
});

test('an edit of a form that changes two fields is never mixed with another one', async () => {
  const { formId } = await newThings();
  const bodies = Array.from({ length: 6 }, (_, n) => ({ title: `title ${n}`, messageAfterSubmission: `thanks ${n}` }));
  await Promise.all(bodies.map((body) => cast.alice.client.forms.updateForm({ params: { formId }, body })));
  const { title, messageAfterSubmission } = (await cast.alice.client.forms.getForm({ params: { formId } })).body;
  expect(bodies).toContainEqual({ title, messageAfterSubmission });
});
