/** The three ordering rules of questions: on create, update and delete. */
import { expect, test } from 'vitest';
import { draftForm, newNode, readFaults, requestAs } from '#test/support/building.ts';
import { newCast, newForm, question } from '#test/support/fixtures.ts';

const cast = await newCast();

type Section = { formId: string; sectionId: string; ids: Map<string, string> };

/** A section with a question for each letter. */
async function newSection(letters: string): Promise<Section> {
  const formId = (await draftForm(cast.alice, cast.slug)).id;
  const section = { formId, sectionId: await newNode(cast.alice, formId), ids: new Map<string, string>() };
  for (const letter of letters) await create(section, letter, 1_000);
  return section;
}

async function create(section: Section, title: string, order: number): Promise<number> {
  const body = question({ type: 'SHORT_TEXT', title, order });
  const created = (await cast.bob.client.questions.createQuestion({ params: section, body })).body;
  section.ids.set(title, created.id);
  return created.order;
}

const paramsOf = (section: Section, title: string) => ({
  sectionId: section.sectionId,
  questionId: section.ids.get(title) ?? '',
});

async function move(section: Section, title: string, order: number): Promise<number> {
  const body = question({ type: 'SHORT_TEXT', title, order });
  return (await cast.bob.client.questions.updateQuestion({ params: paramsOf(section, title), body })).body.order;
}

const remove = (section: Section, title: string) =>
  cast.bob.client.questions.deleteQuestion({ params: paramsOf(section, title) });

/** The titles in order; fails unless the orders are 1…n. */
async function read({ formId, sectionId }: Section): Promise<string> {
  const listed = (await cast.bob.client.sections.listSections({ params: { formId } })).body;
  const questions = listed.find(({ section }) => section.id === sectionId)?.questions ?? [];
  expect(questions.map(({ order }) => order)).toEqual(questions.map((_, index) => index + 1));
  return questions.map(({ title }) => title).join('');
}

test('on create, order is clamped to [1, currentCount + 1]; those at or after it shift down by one', async () => {
  const section = await newSection('');
  expect(await create(section, 'b', 7)).toBe(1);
  expect(await create(section, 'a', 1)).toBe(1);
  expect(await create(section, 'd', 2_147_483_647)).toBe(3);
  expect(await create(section, 'c', 3)).toBe(3);
  expect(await read(section)).toBe('abcd');
});

test.each([
  ['a', 3, 3, 'bcad'],
  ['d', 1, 1, 'dabc'],
  ['b', 2, 2, 'abcd'],
  ['b', 99, 4, 'acdb'],
  ['c', 2, 2, 'acbd'],
] as const)('on update of abcd, %s moved to %i gets order %i: %s', async (title, to, at, result) => {
  const section = await newSection('abcd');
  expect(await move(section, title, to)).toBe(at);
  expect(await read(section)).toBe(result);
});

test('on delete, those with a higher order shift up by one, in the same section only', async () => {
  const section = await newSection('abcd');
  const other: Section = {
    formId: section.formId,
    sectionId: await newNode(cast.alice, section.formId),
    ids: new Map(),
  };
  await create(other, 'x', 1);
  await create(other, 'y', 2);
  await remove(section, 'b');
  expect([await read(section), await read(other)]).toEqual(['acd', 'xy']);
  await remove(section, 'd');
  await remove(section, 'a');
  await remove(section, 'c');
  expect([await read(section), await read(other)]).toEqual(['', 'xy']);
});

test.each([0, -1, 1.5, '1', null, undefined])('an order that is %j is 400', async (order) => {
  const section = await newSection('a');
  const body = { ...question({ type: 'SHORT_TEXT' }), order };
  const path = `/api/sections/${section.sectionId}/questions`;
  expect(await readFaults(cast.bob, 'POST', path, body)).toEqual(['/body/order']);
  expect(await readFaults(cast.bob, 'PUT', `${path}/${section.ids.get('a')}`, body)).toEqual(['/body/order']);
  expect(await read(section)).toBe('a');
});

test('a question is not found through another section, nor a missing one in its own', async () => {
  const section = await newSection('a');
  const other = await newNode(cast.alice, section.formId);
  const body = question({ type: 'SHORT_TEXT' });
  const id = section.ids.get('a');
  for (const path of [
    `/api/sections/${other}/questions/${id}`,
    `/api/sections/${section.sectionId}/questions/${other}`,
  ]) {
    expect((await requestAs(cast.bob, 'PUT', path, body)).status).toBe(404);
    expect((await requestAs(cast.bob, 'DELETE', path)).status).toBe(404);
  }
  const missing = `/api/sections/00000000-0000-8000-8000-000000000000/questions`;
  expect((await requestAs(cast.bob, 'POST', missing, { title: 1 })).status).toBe(404);
  expect((await requestAs(cast.bob, 'POST', '/api/sections/x/questions', body)).status).toBe(400);
});

test('a copy follows its question, with new ids for itself and its choices', async () => {
  const { alice, bob, slug } = cast;
  const choices = [{ name: 'Yes' }, { name: 'No', isOther: true }];
  const kind = { type: 'SINGLE_CHOICE' as const, title: 'a', choices };
  const { formId, sectionIds } = await newForm(alice, slug, [[kind, { type: 'SHORT_TEXT', title: 'b' }]]);
  const [sectionId = ''] = sectionIds;
  const listed = async () => (await bob.client.sections.listSections({ params: { formId } })).body[0]?.questions ?? [];
  const [original] = await listed();
  const params = { sectionId, questionId: original?.id ?? '' };
  const { body: copy } = await bob.client.questions.copyQuestion({ params });
  expect((await listed()).map(({ title, order }) => [title, order])).toEqual([
    ['a', 1],
    ['a', 2],
    ['b', 3],
  ]);
  const { id, choices: copied = [], ...rest } = copy;
  expect(rest).toMatchObject({ type: 'SINGLE_CHOICE', order: 2, sectionId });
  expect(copied.map(({ name, isOther }) => [name, isOther])).toEqual([
    ['Yes', undefined],
    ['No', true],
  ]);
  const ids = [original, copy].flatMap((each) => [each?.id, ...(each?.choices ?? []).map((choice) => choice.id)]);
  expect(new Set(ids).size).toBe(6);
  expect(id).not.toBe(original?.id);
});

test('a copy beyond 500 questions is 400', async () => {
  const { alice, bob, slug } = cast;
  const { formId, sectionIds, questionIds } = await newForm(alice, slug, [
    Array.from({ length: 500 }, () => ({ type: 'SHORT_TEXT' as const })),
  ]);
  const params = { sectionId: sectionIds[0] ?? '', questionId: questionIds[0] ?? '' };
  const path = `/api/sections/${params.sectionId}/questions/${params.questionId}/copy`;
  expect((await requestAs(bob, 'POST', path)).status).toBe(400);
  expect((await bob.client.sections.listSections({ params: { formId } })).body[0]?.questions).toHaveLength(500);
});
