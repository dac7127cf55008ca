/** The page on which the order of all questions is changed at once. */
import { beforeAll, expect, test } from 'vitest';
import { costOf } from '#test/support/cost.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

let cast: Cast;
beforeAll(async () => {
  cast = await newCast();
});

const SECTIONS = [['a', 'b', 'c', 'd'], ['e', 'f'], []] as const;
const draft = (): Promise<Built> =>
  newForm(
    cast.alice,
    cast.slug,
    SECTIONS.map((titles) => titles.map((title) => ({ type: 'SHORT_TEXT' as const, title }))),
    { publish: false },
  );
const pathOf = ({ formId }: Built): string => `/build/${formId}/questions/order`;
const orderOf = async ({ formId }: Built): Promise<string[]> => {
  const { body } = await cast.bob.client.sections.listSections({ params: { formId } });
  return body.map(({ section }) => (section.questions ?? []).map(({ title }) => title).join(''));
};
const idOf = (form: Built, title: string): string => form.questionIds['abcdef'.indexOf(title)] ?? '';

/** `d 1` moves d to the first place of its section, `d 1 2` to the first place of the third one. */
const typed = (form: Built, moves: string): [string, string][] =>
  moves.split(', ').flatMap((move): [string, string][] => {
    const [title = '', number = '', section] = move.split(' ');
    const id = idOf(form, title);
    const sectionId = section === undefined ? undefined : (form.sectionIds[Number(section)] ?? section);
    return [[`n.${id}`, number], ...(sectionId ? [[`s.${id}`, sectionId] as [string, string]] : [])];
  });

test.each([
  ['d 1', ['dabc', 'ef', '']],
  ['a 4', ['bcda', 'ef', '']],
  ['a 9999', ['bcda', 'ef', '']],
  ['b 3', ['acbd', 'ef', '']],
  ['a 2, b 1', ['bacd', 'ef', '']],
  ['a 4, b 3, c 2, d 1', ['dcba', 'ef', '']],
  ['e 1 0', ['eabcd', 'f', '']],
  ['e 5 0', ['abcde', 'f', '']],
  ['f 1 2, a 1 2', ['bcd', 'e', 'af']],
  ['a 1', ['abcd', 'ef', '']],
])('%s', async (moves, order) => {
  const form = await draft();
  const saved = await fillIn(cast.bob, pathOf(form), typed(form, moves));
  expect([saved.status, await orderOf(form)]).toEqual([303, order]);
});

test('the new order is shown before it is stored, and what is shown is what is stored', async () => {
  const form = await draft();
  const shown = await fillIn(cast.bob, pathOf(form), typed(form, 'd 1, e 2 0'), 'show');
  const html = await shown.text();
  expect(textOf(html)).toContain('This is the new order. It is not saved yet.');
  const numbers = fieldsOf(html).filter(([name]) => name.startsWith('n.'));
  expect(numbers.map(([name]) => 'abcdef'[form.questionIds.indexOf(name.slice(2))]).join('')).toBe('daebcf');
  expect(await orderOf(form)).toEqual(['abcd', 'ef', '']);
  const fields: [string, string][] = [...fieldsOf(html), ['do', 'save']];
  expect((await pagesOf(cast.bob).post(pathOf(form), fields)).status).toBe(303);
  expect(await orderOf(form)).toEqual(['daebc', 'f', '']);
  // Pressed once more, nothing is different.
  expect((await pagesOf(cast.bob).post(pathOf(form), fields)).status).toBe(303);
  expect(await orderOf(form)).toEqual(['daebc', 'f', '']);
});

test('what somebody else has moved, added and deleted meanwhile stays', async () => {
  const form = await draft();
  const fields = fieldsOf(await pagesOf(cast.bob).show(pathOf(form)));
  await fillIn(cast.alice, pathOf(form), typed(form, 'e 1 2'));
  const [first = ''] = form.sectionIds;
  await fillIn(cast.alice, `/build/${form.formId}/s/${first}/new?type=SHORT_TEXT`, [['title', 'g']]);
  await cast.alice.client.questions.deleteQuestion({ params: { sectionId: first, questionId: idOf(form, 'b') } });
  const changed = new Map(typed(form, 'd 1'));
  const posted = fields.map(([name, value]): [string, string] => [name, changed.get(name) ?? value]);
  expect((await pagesOf(cast.bob).post(pathOf(form), [...posted, ['do', 'save']])).status).toBe(303);
  expect(await orderOf(form)).toEqual(['dacg', 'f', 'e']);
});

test.each([
  ['b 0', 400, 'Enter a number from 1'],
  ['b x', 400, 'Enter a number from 1'],
  ['b 1 gone', 409, 'Somebody has deleted a section meanwhile'],
])('%s is %d, and nothing is moved', async (moves, status, words) => {
  const form = await draft();
  for (const action of ['save', 'show']) {
    const refused = await fillIn(cast.bob, pathOf(form), typed(form, moves), action);
    expect([refused.status, textOf(await refused.text())]).toEqual([status, expect.stringContaining(words)]);
  }
  expect(await orderOf(form)).toEqual(['abcd', 'ef', '']);
});

test('is changed in the changes of a published form, with two round trips to show it and three to save it', async () => {
  const form = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'a' },
      { type: 'SHORT_TEXT', title: 'b' },
    ],
  ]);
  await pagesOf(cast.bob).show(pathOf(form));
  const { cost, result } = await costOf(() => pagesOf(cast.bob).show(pathOf(form)));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  const fields = fieldsOf(result).map(([name, value]): [string, string] => [
    name,
    name === `n.${form.questionIds[1]}` ? '1' : value,
  ]);
  const saved = await costOf(() => pagesOf(cast.bob).post(pathOf(form), [...fields, ['do', 'save']]));
  expect([saved.result.status, saved.cost.roundTrips <= 3]).toEqual([303, true]);
  expect(await orderOf(form)).toEqual(['ab']);
  expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`))).toContain('Questions in another order');
});
