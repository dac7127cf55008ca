/** Starting a response: who may, to which forms, and why a form that is not open refuses. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm, person } from '#test/support/fixtures.ts';
import { castAt, NOW, pass, start } from '#test/support/responses.ts';

const cast = await castAt();
const questions = [[{ type: 'SHORT_TEXT' as const }]];
let formId: string;
beforeAll(async () => {
  ({ formId } = await newForm(cast.alice, cast.slug, questions));
});

const starting =
  (client: { responses: { startResponse(input: { params: { formId: string } }): Promise<unknown> } }) => (id: string) =>
    expectProblem(client.responses.startResponse({ params: { formId: id } }));

test('a signed-in user starts a response to an open form: 201 with the id of a draft', async () => {
  const { dave } = cast;
  const started = await dave.client.responses.startResponse({ params: { formId } });
  expect(started.status).toBe(201);
  const { responses } = (await dave.client.responses.listMyResponses({ params: { formId } })).body;
  expect(responses).toEqual([
    {
      id: started.body.id,
      submittedBy: dave.id,
      respondent: expect.objectContaining({ id: dave.id, emails: [dave.email] }),
      progress: 'DRAFT',
      createdAt: NOW,
      updatedAt: NOW,
      submittedAt: null,
    },
  ]);
});

test('several responses per user are allowed', async () => {
  const { erin } = cast;
  const ids = [await start(erin, formId), await start(erin, formId), await start(erin, formId)];
  const { totalCount, responses } = (await erin.client.responses.listMyResponses({ params: { formId } })).body;
  expect(totalCount).toBe(3);
  expect(new Set(responses.map(({ id }) => id))).toEqual(new Set(ids));
});

test('a user who has not chosen a username may answer forms', async () => {
  const newcomer = await person('newcomer', { onboarded: false });
  expect(await start(newcomer, formId)).toMatch(/^[0-9a-f-]{36}$/);
});

test('a PRIVATE form is reachable through its link', async () => {
  const { alice, chelsea, slug } = cast;
  const hidden = await newForm(alice, slug, questions, { visibility: 'PRIVATE' });
  expect(await start(chelsea, hidden.formId)).toMatch(/^[0-9a-f-]{36}$/);
});

test('the same Idempotency-Key starts one response and replays the first result', async () => {
  const { chelsea } = cast;
  const call = () =>
    chelsea.client.responses.startResponse({ params: { formId }, headers: { 'idempotency-key': 'once' } });
  const [first, again] = [await call(), await call()];
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await chelsea.client.responses.listMyResponses({ params: { formId } })).body.totalCount).toBe(1);
});

describe('a form that is not open is refused with 400 and the reason:', () => {
  test('draft', async () => {
    const { alice, bob, slug } = cast;
    const draft = await newForm(alice, slug, questions, { publish: false });
    expect(await starting(bob.client)(draft.formId)).toMatchObject({
      status: 400,
      title: 'Bad Request',
      detail: expect.stringMatching(/\bdraft\b/),
    });
  });

  test('archived, to members and to its respondents', async () => {
    const { alice, bob, dave, slug } = cast;
    const archived = await newForm(alice, slug, questions);
    await start(dave, archived.formId);
    await alice.client.forms.archiveForm({ params: { formId: archived.formId } });
    for (const { client } of [bob, dave]) {
      const problem = await starting(client)(archived.formId);
      expect(problem).toMatchObject({ status: 400, detail: expect.stringMatching(/\barchived\b/) });
    }
  });

  test('not yet open, until its publishTime has come', async () => {
    const { alice, dave, slug } = cast;
    const early = await newForm(alice, slug, questions);
    const publishTime = new Date(Date.now() + 60_000).toISOString();
    await alice.client.forms.updateForm({ params: { formId: early.formId }, body: { publishTime } });
    const problem = await starting(dave.client)(early.formId);
    expect(problem).toMatchObject({ status: 400, detail: expect.stringMatching(/not yet open/) });
    pass(60);
    expect(await start(dave, early.formId)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('closed, once its deadline is past', async () => {
    const { alice, dave, slug } = cast;
    const late = await newForm(alice, slug, questions);
    const deadline = new Date(Date.now() + 60_000).toISOString();
    await alice.client.forms.updateForm({ params: { formId: late.formId }, body: { deadline } });
    pass(60);
    expect(await start(dave, late.formId)).toMatch(/^[0-9a-f-]{36}$/);
    pass(0.001);
    const problem = await starting(dave.client)(late.formId);
    expect(problem).toMatchObject({ status: 400, detail: expect.stringMatching(/\bclosed\b/) });
  });
});

test('a form that is not visible to the caller is the same 404 as a missing one', async () => {
  const { alice, dave, erin, slug } = cast;
  const draft = await newForm(alice, slug, questions, { publish: false });
  const archived = await newForm(alice, slug, questions);
  await start(dave, archived.formId);
  await alice.client.forms.archiveForm({ params: { formId: archived.formId } });
  const { instance: _, ...missing } = await starting(erin.client)('00000000-0000-4000-8000-000000000000');
  expect(missing).toMatchObject({ status: 404, title: 'Not Found', detail: 'The requested resource was not found' });
  for (const hidden of [draft.formId, archived.formId]) {
    const { instance: __, ...problem } = await starting(erin.client)(hidden);
    expect(problem).toEqual(missing);
  }
});

test('somebody who is not signed in gets 401, whether the form exists or not', async () => {
  const { nobody } = cast;
  for (const id of [formId, '00000000-0000-4000-8000-000000000000']) {
    expect(await starting(nobody)(id)).toMatchObject({ status: 401, title: 'Unauthorized' });
  }
});

test('a malformed id in the path is 400', async () => {
  const problem = await starting(cast.dave.client)('No-Id');
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/path/formId' }] });
});
