/** The highlighted question of a form. */

import { describe, expect, test } from 'vitest';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { readFaults, requestAs } from '#test/support/building.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { respond, start } from '#test/support/responses.ts';

const cast = await newCast();

const NONE = { questionId: null, questionTitle: '', displayTitle: '', choices: [] };
const choices = [{ name: 'red' }, { name: 'green' }, { name: 'blue' }];

/** A published form with one choice question in a section. */
async function colours(
  type: 'SINGLE_CHOICE' | 'MULTIPLE_CHOICE' | 'DROPDOWN' | 'DETAILED_MULTIPLE_CHOICE' = 'MULTIPLE_CHOICE',
) {
  const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [
    [{ type, choices, title: 'Colours?' }],
  ]);
  const [sectionId = '', questionId = ''] = [...sectionIds, ...questionIds];
  const [{ questions } = { questions: null }] = (await cast.alice.client.sections.listSections({ params: { formId } }))
    .body;
  const ids = questions?.[0]?.choices?.map(({ id }) => id) ?? [];
  const select = (...indexes: number[]) => [
    { questionId, questionType: type, value: indexes.map((index) => ids[index] ?? '') },
  ];
  return { formId, sectionId, questionId, ids, select, path: `/api/forms/${formId}/highlight` };
}

const counts = async (formId: string) =>
  (await cast.bob.client.forms.getHighlight({ params: { formId } })).body.choices.map(({ count }) => count);

test('without one: GET is 200 with questionId null, PATCH and DELETE are 404', async () => {
  const { path } = await colours();
  expect(await requestAs(cast.bob, 'GET', path)).toMatchObject({ status: 200, body: NONE });
  expect((await requestAs(cast.bob, 'PATCH', path, { displayTitle: 'x' })).status).toBe(404);
  expect((await requestAs(cast.bob, 'DELETE', path)).status).toBe(404);
});

test.each([
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'DROPDOWN',
  'DETAILED_MULTIPLE_CHOICE',
] as const)('a %s question can be highlighted; PUT and GET return it with every choice in order', async (type) => {
  const { path, questionId, ids } = await colours(type);
  const put = await requestAs(cast.bob, 'PUT', path, { questionId });
  expect(put).toMatchObject({ status: 200 });
  expect(put.body).toEqual({
    questionId,
    questionTitle: 'Colours?',
    displayTitle: 'Colours?',
    choices: ['red', 'green', 'blue'].map((name, index) => ({ choiceId: ids[index], name, count: 0 })),
  });
  expect((await requestAs(cast.bob, 'GET', path)).body).toEqual(put.body);
});

test('a question of any other type is 400, as is one of another form or none at all', async () => {
  const other = QUESTION_TYPES.filter((type) => !/CHOICE|DROPDOWN/.test(type));
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [other.map((type) => ({ type, ...OPTIONS }))]);
  const path = `/api/forms/${formId}/highlight`;
  expect(questionIds).toHaveLength(9);
  for (const questionId of [...questionIds, (await colours()).questionId, formId]) {
    expect(await readFaults(cast.bob, 'PUT', path, { questionId })).toEqual(['/body/questionId']);
  }
  expect(await readFaults(cast.bob, 'PUT', path, { displayTitle: 1 })).toEqual([
    '/body/displayTitle',
    '/body/questionId',
  ]);
  expect((await requestAs(cast.bob, 'GET', path)).body).toEqual(NONE);
});

const OPTIONS = {
  choices,
  scale: { minVal: 1, maxVal: 5, icon: 'star' as const },
  date: { hasYear: true, hasMonth: true, hasDay: true },
  uploadFile: { allowedFileTypes: ['PDF' as const], maxFileAmount: 1, maxFileSizeLimit: 1_000 },
  oauthConnect: 'PROVIDER_ONE' as const,
};

describe('counts', () => {
  test('are over SUBMITTED responses, every current choice in order with 0 included', async () => {
    const { formId, questionId, select } = await colours();
    await cast.bob.client.forms.setHighlight({ params: { formId }, body: { questionId } });
    await start(cast.dave, formId, select(1));
    await respond(cast.dave, formId, select(0, 2));
    expect(await counts(formId)).toEqual([1, 0, 1]);
  });

  test('follow an edit, a cancel and a new submission', async () => {
    const { formId, questionId, select } = await colours();
    await cast.bob.client.forms.setHighlight({ params: { formId }, body: { questionId } });
    const responseId = await respond(cast.dave, formId, select(0));
    await respond(cast.erin, formId, select(0, 1));
    const { client } = cast.dave;
    await client.responses.updateAnswers({ params: { responseId }, body: { answers: select(2) } });
    expect(await counts(formId)).toEqual([1, 1, 1]);
    await client.responses.cancelResponse({ params: { responseId } });
    expect(await counts(formId)).toEqual([1, 1, 0]);
    await client.responses.submitResponse({ params: { responseId }, body: { answers: select(1) } });
    expect(await counts(formId)).toEqual([1, 2, 0]);
  });

  test('are of the current choices under their current names; a removed one is not counted', async () => {
    const { formId, sectionId, questionId, ids, select } = await colours();
    await cast.bob.client.forms.setHighlight({ params: { formId }, body: { questionId } });
    await respond(cast.dave, formId, select(0, 1));
    const body = question({
      type: 'MULTIPLE_CHOICE',
      choices: [{ name: 'white' }, { id: ids[1] ?? '', name: 'lime' }],
    });
    await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId }, body });
    expect((await cast.bob.client.forms.getHighlight({ params: { formId } })).body.choices).toEqual([
      { choiceId: expect.any(String), name: 'white', count: 0 },
      { choiceId: ids[1], name: 'lime', count: 1 },
    ]);
  });
});

describe('the title', () => {
  test('is displayTitle; blank or null it is the question’s title at the time of reading', async () => {
    const { sectionId, questionId, path } = await colours();
    const read = async () => (await requestAs(cast.bob, 'GET', path)).body.displayTitle;
    const rename = (title: string) =>
      cast.bob.client.questions.updateQuestion({
        params: { sectionId, questionId },
        body: question({ type: 'MULTIPLE_CHOICE', choices, title }),
      });
    expect((await requestAs(cast.bob, 'PUT', path, { questionId, displayTitle: 'Favourites' })).body.displayTitle).toBe(
      'Favourites',
    );
    for (const displayTitle of [null, '', '  \n']) {
      await requestAs(cast.bob, 'PATCH', path, { displayTitle: 'Own' });
      expect(await read()).toBe('Own');
      const patched = await requestAs(cast.bob, 'PATCH', path, { displayTitle });
      expect(patched.body.displayTitle).toBe(await read());
      await rename(`Shades ${JSON.stringify(displayTitle)}?`);
      expect(await read()).toBe(`Shades ${JSON.stringify(displayTitle)}?`);
    }
    await requestAs(cast.bob, 'PUT', path, { questionId, displayTitle: '' });
    await rename('Tints?');
    expect(await requestAs(cast.bob, 'GET', path)).toMatchObject({
      body: { questionTitle: 'Tints?', displayTitle: 'Tints?' },
    });
  });

  test('PATCH without displayTitle changes nothing; PUT without it goes back to the question’s', async () => {
    const { path, questionId } = await colours();
    await requestAs(cast.bob, 'PUT', path, { questionId, displayTitle: 'Own' });
    expect(await requestAs(cast.bob, 'PATCH', path, {})).toMatchObject({ status: 200, body: { displayTitle: 'Own' } });
    expect((await requestAs(cast.bob, 'PUT', path, { questionId })).body.displayTitle).toBe('Colours?');
    expect(await readFaults(cast.bob, 'PATCH', path, { displayTitle: 'x'.repeat(201) })).toEqual([
      '/body/displayTitle',
    ]);
  });
});

describe('clearing', () => {
  test('DELETE is 204 and then there is none', async () => {
    const { path, questionId } = await colours();
    await requestAs(cast.bob, 'PUT', path, { questionId });
    expect((await requestAs(cast.bob, 'DELETE', path)).status).toBe(204);
    expect((await requestAs(cast.bob, 'GET', path)).body).toEqual(NONE);
    expect((await requestAs(cast.bob, 'DELETE', path)).status).toBe(404);
  });

  test('deleting the question clears it, alone and with its section', async () => {
    const alone = await colours();
    await requestAs(cast.bob, 'PUT', alone.path, { questionId: alone.questionId });
    await cast.bob.client.questions.deleteQuestion({ params: alone });
    expect((await requestAs(cast.bob, 'GET', alone.path)).body).toEqual(NONE);
    expect((await requestAs(cast.bob, 'PATCH', alone.path, { displayTitle: 'x' })).status).toBe(404);
    const second = await colours();
    await requestAs(cast.bob, 'PUT', second.path, { questionId: second.questionId });
    await cast.bob.client.workflow.deleteNode({ params: { formId: second.formId, nodeId: second.sectionId } });
    expect((await requestAs(cast.bob, 'GET', second.path)).body).toEqual(NONE);
  });

  test('a type without choices clears it too', async () => {
    const { formId, sectionId, questionId, path } = await colours();
    await requestAs(cast.bob, 'PUT', path, { questionId });
    const body = question({ type: 'SHORT_TEXT' });
    await cast.bob.client.questions.updateQuestion({ params: { sectionId, questionId }, body });
    expect((await cast.bob.client.forms.getHighlight({ params: { formId } })).body).toEqual(NONE);
  });
});

describe('a question that comes back', () => {
  /** A draft whose question is highlighted under a title, with a deletion that can be undone. */
  async function highlighted() {
    const kinds = [{ type: 'DROPDOWN' as const, choices, title: 'Colours?' }];
    const { formId, sectionIds, questionIds } = await newForm(cast.alice, cast.slug, [kinds], { publish: false });
    const [sectionId = '', questionId = ''] = [...sectionIds, ...questionIds];
    const params = { formId };
    await cast.bob.client.forms.setHighlight({ params, body: { questionId, displayTitle: 'Seen' } });
    const read = async () => (await cast.bob.client.forms.getHighlight({ params })).body;
    return { formId, sectionId, questionId, params, read, before: await read() };
  }

  test('by a restored version is highlighted again', async () => {
    const { params, sectionId, questionId, read, before } = await highlighted();
    await cast.alice.client.forms.publishForm({ params });
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId, questionId } });
    expect(await read()).toEqual(NONE);
    await cast.bob.client.forms.restoreVersion({ params: { ...params, version: '1' }, body: {} });
    expect(await read()).toEqual(NONE);
    await cast.bob.client.forms.publishChanges({ params });
    expect(await read()).toEqual(before);
  });

  test('by undo is highlighted again', async () => {
    const { formId, questionId, read, before } = await highlighted();
    const { post, show } = pagesOf(cast.bob);
    await post(`/build/${formId}/q/${questionId}/delete`);
    expect(await read()).toEqual(NONE);
    const undo = /name="undo" value="([^"]+)"/.exec(await show(`/build/${formId}/questions`))?.[1] ?? '';
    await post(`/build/${formId}/undo`, [['undo', undo]]);
    expect(await read()).toEqual(before);
  });

  test('after another one was highlighted is not', async () => {
    const { params, sectionId, questionId, read } = await highlighted();
    await cast.alice.client.forms.publishForm({ params });
    const body = question({ type: 'DROPDOWN', choices });
    const { id } = (await cast.bob.client.questions.createQuestion({ params: { sectionId }, body })).body;
    await cast.bob.client.questions.deleteQuestion({ params: { sectionId, questionId } });
    await cast.bob.client.forms.setHighlight({ params, body: { questionId: id } });
    await cast.bob.client.forms.restoreVersion({ params: { ...params, version: '1' }, body: {} });
    await cast.bob.client.forms.publishChanges({ params });
    expect(await read()).toEqual(NONE);
  });
});

test('is for members: 403 for a respondent, 404 when the form is not visible, 401 without a credential', async () => {
  const { formId, path, questionId } = await colours();
  for (const [method, body] of [['GET'], ['PUT', { questionId }], ['PATCH', {}], ['DELETE']] as const) {
    expect((await requestAs(cast.dave, method, path, body)).status).toBe(403);
    expect((await requestAs(undefined, method, path, body)).status).toBe(401);
  }
  await cast.alice.client.forms.archiveForm({ params: { formId } });
  expect((await requestAs(cast.dave, 'GET', path)).status).toBe(404);
});
