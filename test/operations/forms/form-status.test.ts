/** The status of a form and when it is open (contract section 4, "Status" and "Open"; interface "Form status"). */
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, draftForm, draftResponse, newNode, openForm, submittedResponse } from '#test/support/building.ts';
import type { Person } from '#test/support/world.ts';
import { type Cast, newCast, newForm, problemOf } from '#test/support/world.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const move = (person: Person, formId: string, how: string) => ask(person, 'POST', `/api/forms/${formId}/${how}`);

/** A form brought into a status. */
async function formIn(status: 'DRAFT' | 'PUBLISHED' | 'ARCHIVED') {
  const { id } = await draftForm(cast.alice, cast.slug);
  if (status !== 'DRAFT') await move(cast.alice, id, status === 'PUBLISHED' ? 'publish' : 'archive');
  return id;
}

describe('transitions', () => {
  test.each([
    ['DRAFT', 'publish', 200, 'PUBLISHED'],
    ['PUBLISHED', 'publish', 400, 'PUBLISHED'],
    ['ARCHIVED', 'publish', 400, 'ARCHIVED'],
    ['DRAFT', 'archive', 200, 'ARCHIVED'],
    ['PUBLISHED', 'archive', 200, 'ARCHIVED'],
    ['ARCHIVED', 'archive', 200, 'ARCHIVED'],
    ['DRAFT', 'unarchive', 400, 'DRAFT'],
    ['PUBLISHED', 'unarchive', 400, 'PUBLISHED'],
    ['ARCHIVED', 'unarchive', 200, 'DRAFT'],
  ] as const)('a form that is %s: %s answers %i and the form is %s', async (from, how, status, to) => {
    const formId = await formIn(from);
    const answer = await move(cast.alice, formId, how);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(status === 200 ? { id: formId, status: to } : { status, title: 'Bad Request' });
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body.status).toBe(to);
  });

  test('members publish; only admins archive and unarchive; who is no member gets 403 or, of a draft, 404', async () => {
    const formId = await formIn('DRAFT');
    expect((await move(cast.dave, formId, 'publish')).status).toBe(404);
    expect((await move(cast.bob, formId, 'publish')).status).toBe(200);
    expect((await move(cast.dave, formId, 'publish')).status).toBe(403);
    expect((await move(cast.bob, formId, 'archive')).status).toBe(403);
    expect((await move(cast.dave, formId, 'archive')).status).toBe(403);
    expect((await move(cast.alice, formId, 'archive')).status).toBe(200);
    expect((await move(cast.bob, formId, 'unarchive')).status).toBe(403);
    expect((await move(cast.dave, formId, 'unarchive')).status).toBe(404);
  });

  test('a move names its editor', async () => {
    const { id } = await draftForm(cast.alice, cast.slug);
    expect((await move(cast.bob, id, 'publish')).body.lastEditor.id).toBe(cast.bob.id);
  });
});

describe('publishing', () => {
  test('is refused unless the workflow is valid, with the info items as errors', async () => {
    const { id: formId } = await draftForm(cast.alice, cast.slug);
    await newNode(cast.alice, formId);
    await newNode(cast.alice, formId, 'CONDITION');
    const { info } = (await cast.alice.client.workflow.getWorkflow({ params: { formId } })).body;
    expect(info).toHaveLength(2);
    const refused = await problemOf(cast.alice.client.forms.publishForm({ params: { formId } }));
    expect(refused.status).toBe(400);
    expect(refused.errors?.map(({ detail }) => detail)).toEqual(info.map(({ message }) => message));
    for (const [index, { nodeId }] of info.entries()) expect(refused.errors?.[index]?.pointer).toContain(nodeId);
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body.status).toBe('DRAFT');
  });

  test('again keeps the responses', async () => {
    const { id: formId } = await openForm(cast.alice, cast.slug);
    const draft = await draftResponse(cast.dave, formId);
    const submitted = await submittedResponse(cast.dave, formId);
    for (const how of ['archive', 'unarchive', 'publish']) await move(cast.alice, formId, how);
    const { body } = await cast.dave.client.responses.listMyResponses({ params: { formId } });
    expect(body).toMatchObject({ draftCount: 1, submittedCount: 1 });
    expect(body.responses.map(({ id }) => id).sort()).toEqual([draft, submitted].sort());
    expect((await cast.dave.client.responses.cancelResponse({ params: { responseId: submitted } })).status).toBe(200);
  });
});

describe('open', () => {
  const closed = {
    draft: async (formId: string) => {
      await move(cast.alice, formId, 'archive');
      await move(cast.alice, formId, 'unarchive');
    },
    archived: (formId: string) => move(cast.alice, formId, 'archive'),
    'not yet open': (formId: string) =>
      ask(cast.alice, 'PATCH', `/api/forms/${formId}`, { publishTime: '9000-01-01T00:00:00Z' }),
    closed: (formId: string) => ask(cast.alice, 'PATCH', `/api/forms/${formId}`, { deadline: '2020-01-01T00:00:00Z' }),
  };

  test.each(
    Object.entries(closed),
  )('a form that is %s takes no response, save, submit, cancel or clearing: 400, and the detail says so', async (reason, close) => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'hello' }];
    const draft = await draftResponse(cast.dave, formId, answers);
    const submitted = await submittedResponse(cast.dave, formId, answers);
    await close(formId);
    const other = { answers: [{ ...answers[0], value: 'other' }] };
    const refused = await Promise.all([
      ...(reason === 'draft' || reason === 'archived'
        ? []
        : [ask(cast.erin, 'POST', `/api/forms/${formId}/responses`)]),
      ask(cast.alice, 'POST', `/api/forms/${formId}/responses`),
      ask(cast.dave, 'PATCH', `/api/responses/${draft}/answers`, other),
      ask(cast.dave, 'PATCH', `/api/responses/${submitted}/answers`, other),
      ask(cast.dave, 'POST', `/api/responses/${draft}/submit`, other),
      ask(cast.dave, 'POST', `/api/responses/${submitted}/cancel`),
      ask(cast.dave, 'DELETE', `/api/responses/${draft}/questions/${questionId}`),
    ]);
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body.detail).toMatch(new RegExp(`\\b${reason}\\b`));
    }
  });

  test('a form is open from its publishTime to its deadline', async () => {
    const window = { publishTime: '2020-01-01T00:00:00Z', deadline: '9000-01-01T00:00:00Z' };
    const { id: formId } = await openForm(cast.alice, cast.slug, window);
    expect((await ask(cast.dave, 'POST', `/api/forms/${formId}/responses`)).status).toBe(201);
  });
});
