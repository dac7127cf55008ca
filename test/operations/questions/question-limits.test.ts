/** How many sections and questions a form may have, and how large its structure may be. */
import { beforeAll, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { createQuestion } from '#core/structure/questions.ts';
import { createNode } from '#core/structure/workflow-edits.ts';
import { draftForm, newNode, replaceStoredStructure, requestAs } from '#test/support/building.ts';
import { type Cast, newCast, question } from '#test/support/fixtures.ts';
import { doc, p, text } from '#test/support/rich-text.ts';

let cast: Cast;
let formId: string;
beforeAll(async () => {
  cast = await newCast();
});

const NOW = '2026-01-01T00:00:00.000Z';
const newId = () => idWithin(formId, crypto.randomUUID());
test('a form has at most 500 questions, in all its sections together', async () => {
  formId = (await draftForm(cast.alice, cast.slug)).id;
  const [first, second] = [await newNode(cast.alice, formId), await newNode(cast.alice, formId)];
  await replaceStoredStructure(formId, (structure) => {
    const input = { ...question({ type: 'SHORT_TEXT' }), order: 1 };
    let next = structure;
    for (let count = 0; count < 499; count += 1) {
      const sectionId = count % 2 ? first : second;
      next = createQuestion(next, { sectionId, questionId: newId(), input, now: NOW, newId });
    }
    return next;
  });
  const create = () =>
    requestAs(cast.bob, 'POST', `/api/sections/${first}/questions`, question({ type: 'SHORT_TEXT', order: 1 }));
  const last = await create();
  expect(last.status).toBe(201);
  expect(await create()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('500') } });
  const own = `/api/sections/${first}/questions/${last.body.id}`;
  expect((await requestAs(cast.bob, 'PUT', own, question({ type: 'LONG_TEXT', order: 5 }))).status).toBe(200);
  expect((await requestAs(cast.bob, 'DELETE', own)).status).toBe(204);
  expect((await create()).status).toBe(201);
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  expect(listed.reduce((sum, { questions }) => sum + (questions?.length ?? 0), 0)).toBe(500);
});

test('a form has at most 200 sections; conditions do not count as such', async () => {
  formId = (await draftForm(cast.alice, cast.slug)).id;
  await replaceStoredStructure(formId, (structure) => {
    let next = structure;
    for (let count = 0; count < 199; count += 1) {
      next = createNode(next, { id: newId(), type: 'SECTION', payload: {}, now: NOW });
    }
    return next;
  });
  const create = (type: string) =>
    requestAs(cast.bob, 'POST', `/api/forms/${formId}/workflow/nodes`, { type, payload: {} });
  expect((await create('CONDITION')).status).toBe(201);
  const last = await create('SECTION');
  expect(last.status).toBe(201);
  expect(await create('SECTION')).toMatchObject({ status: 400, body: { detail: expect.stringContaining('200') } });
  expect((await create('CONDITION')).status).toBe(201);
  expect((await requestAs(cast.bob, 'DELETE', `/api/forms/${formId}/workflow/nodes/${last.body.id}`)).status).toBe(204);
  expect((await create('SECTION')).status).toBe(201);
});

test('a structure over 350 KB is 413, whichever edit would make it so, and the edit changes nothing', async () => {
  formId = (await draftForm(cast.alice, cast.slug)).id;
  const sectionId = await newNode(cast.alice, formId);
  const large = doc(p(text('x'.repeat(60_000))));
  const path = `/api/sections/${sectionId}/questions`;
  const create = (title: string) =>
    requestAs(cast.bob, 'POST', path, { ...question({ type: 'SHORT_TEXT' }), title, description: large });
  for (let count = 0; count < 5; count += 1) expect((await create('fits')).status).toBe(201);
  const small = (await requestAs(cast.bob, 'POST', path, question({ type: 'SHORT_TEXT' }))).body.id;
  const read = () => requestAs(cast.bob, 'GET', `/api/forms/${formId}/sections`);
  const before = (await read()).body;
  const refused = [
    await create('one too many'),
    await requestAs(cast.bob, 'PUT', `${path}/${small}`, { ...question({ type: 'SHORT_TEXT' }), description: large }),
    await requestAs(cast.bob, 'PATCH', `/api/forms/${formId}/sections/${sectionId}`, { description: large }),
  ];
  for (const { status, body } of refused) {
    expect({ status, title: body.title }).toEqual({ status: 413, title: 'Content Too Large' });
  }
  expect((await read()).body).toEqual(before);
});
