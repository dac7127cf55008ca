/** The status of a form, publishing it, and when it is open. */
import { describe, expect, test } from 'vitest';
import { draftForm, newNode, openForm, requestAs } from '#test/support/building.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { expectProblem, newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

const move = (person: Person, formId: string, how: string) => requestAs(person, 'POST', `/api/forms/${formId}/${how}`);

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
  ] as const)('a form that is %s: %s returns %i and the form is %s', async (from, how, status, to) => {
    const formId = await formIn(from);
    const result = await move(cast.alice, formId, how);
    expect(result.status).toBe(status);
    expect(result.body).toMatchObject(status === 200 ? { id: formId, status: to } : { status, title: 'Bad Request' });
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body.status).toBe(to);
  });

  test('members publish; only admins archive and unarchive; others get 403 or, for a draft, 404', async () => {
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

  test('a change of status updates lastEditor', async () => {
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
    const refused = await expectProblem(cast.alice.client.forms.publishForm({ params: { formId } }));
    expect(refused.status).toBe(400);
    expect(refused.errors?.map(({ detail }) => detail)).toEqual(info.map(({ message }) => message));
    for (const [index, { nodeId }] of info.entries()) expect(refused.errors?.[index]?.pointer).toContain(nodeId);
    expect((await cast.alice.client.forms.getForm({ params: { formId } })).body.status).toBe('DRAFT');
  });

  test('validates again when the structure changes meanwhile, and publishes only what it validated', async () => {
    const { formId, sectionIds } = await newForm(cast.alice, cast.slug, [[]], { publish: false });
    const publish = () => move(cast.alice, formId, 'publish');
    const unlinked = await beforeFirstWrite(publish, () => newNode(cast.bob, formId));
    expect(unlinked).toMatchObject({ status: 400, body: { errors: [{ detail: expect.stringContaining('next') }] } });
    const { workflow, info } = (await cast.bob.client.workflow.getWorkflow({ params: { formId } })).body;
    expect(info).toHaveLength(1);
    await cast.bob.client.workflow.deleteNode({ params: { formId, nodeId: workflow.at(-1)?.id ?? '' } });
    const params = { formId, sectionId: sectionIds[0] ?? '' };
    const rename = () => cast.bob.client.sections.updateSection({ params, body: { title: 'About you' } });
    expect(await beforeFirstWrite(publish, rename)).toMatchObject({ status: 200, body: { status: 'PUBLISHED' } });
  });

  test('again keeps the responses', async () => {
    const { id: formId } = await openForm(cast.alice, cast.slug);
    const draft = await start(cast.dave, formId);
    const submitted = await respond(cast.dave, formId);
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
      requestAs(cast.alice, 'PATCH', `/api/forms/${formId}`, { publishTime: '9000-01-01T00:00:00Z' }),
    closed: (formId: string) =>
      requestAs(cast.alice, 'PATCH', `/api/forms/${formId}`, { deadline: '2020-01-01T00:00:00Z' }),
  };

  test.each(
    Object.entries(closed),
  )('a form that is %s takes no response, save, submit, cancel or clearing: 400, and the detail says so', async (reason, close) => {
    const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = questionIds;
    const answers = [{ questionId, questionType: 'SHORT_TEXT' as const, value: 'hello' }];
    const draft = await start(cast.dave, formId, answers);
    const submitted = await respond(cast.dave, formId, answers);
    await close(formId);
    const other = { answers: [{ ...answers[0], value: 'other' }] };
    const refused = await Promise.all([
      ...(reason === 'draft' || reason === 'archived'
        ? []
        : [requestAs(cast.erin, 'POST', `/api/forms/${formId}/responses`)]),
      requestAs(cast.alice, 'POST', `/api/forms/${formId}/responses`),
      requestAs(cast.dave, 'PATCH', `/api/responses/${draft}/answers`, other),
      requestAs(cast.dave, 'PATCH', `/api/responses/${submitted}/answers`, other),
      requestAs(cast.dave, 'POST', `/api/responses/${draft}/submit`, other),
      requestAs(cast.dave, 'POST', `/api/responses/${submitted}/cancel`),
      requestAs(cast.dave, 'DELETE', `/api/responses/${draft}/questions/${questionId}`),
    ]);
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body.detail).toMatch(new RegExp(`\\b${reason}\\b`));
    }
  });

  test('a form is open from its publishTime to its deadline', async () => {
    const window = { publishTime: '2020-01-01T00:00:00Z', deadline: '9000-01-01T00:00:00Z' };
    const { id: formId } = await openForm(cast.alice, cast.slug, window);
    expect((await requestAs(cast.dave, 'POST', `/api/forms/${formId}/responses`)).status).toBe(201);
  });
});
