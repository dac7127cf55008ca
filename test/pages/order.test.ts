/** The page on which the order of all questions is changed at once. */
import { expect, test } from 'vitest';
import { measureCost } from '#test/support/cost.ts';
import { type Built, newCast, newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';

const cast = await newCast();

const SECTIONS = [['a', 'b', 'c', 'd'], ['e', 'f'], []] as const;
const draft = (): Promise<Built> =>
  newForm(
    cast.alice,
    cast.slug,
    SECTIONS.map((titles) => titles.map((title) => ({ type: 'SHORT_TEXT' as const, title }))),
    { publish: false },
  );
const pathOf = ({ formId }: Built): string => `/build/${formId}/questions/order`;
const readOrder = async ({ formId }: Built): Promise<string[]> => {
  const { body } = await cast.bob.client.sections.listSections({ params: { formId } });
  return body.map(({ section }) => (section.questions ?? []).map(({ title }) => title).join(''));
};
const idOf = (form: Built, title: string): string => form.questionIds['abcdef'.indexOf(title)] ?? '';

/** `d 1` moves d to the first place of its section, `d 1 3` to the first place of the third one. */
const typed = (form: Built, moves: string): [string, string][] =>
  moves.split(', ').flatMap((move): [string, string][] => {
    const [title = '', number = '', section] = move.split(' ');
    const id = idOf(form, title);
    return [[`n.${id}`, number], ...(section ? [[`s.${id}`, section] as [string, string]] : [])];
  });

test.each([
  ['d 1', ['dabc', 'ef', '']],
  ['a 4', ['bcda', 'ef', '']],
  ['a 9999', ['bcda', 'ef', '']],
  ['b 3', ['acbd', 'ef', '']],
  ['a 2, b 1', ['bacd', 'ef', '']],
  ['a 4, b 3, c 2, d 1', ['dcba', 'ef', '']],
  ['e 1 1', ['eabcd', 'f', '']],
  ['e 5 1', ['abcde', 'f', '']],
  ['f 1 3, a 1 3', ['bcd', 'e', 'af']],
  ['a 1', ['abcd', 'ef', '']],
])('%s', async (moves, order) => {
  const form = await draft();
  const saved = await fillIn(cast.bob, pathOf(form), typed(form, moves));
  expect([saved.status, await readOrder(form)]).toEqual([303, order]);
});

test('the new order is shown before it is stored, and what is shown is what is stored', async () => {
  const form = await draft();
  const shown = await fillIn(cast.bob, pathOf(form), typed(form, 'd 1, e 2 1'), 'show');
  const html = await shown.text();
  expect(textOf(html)).toContain('This is the new order. It is not saved yet.');
  const numbers = fieldsOf(html).filter(([name]) => name.startsWith('n.'));
  expect(numbers.map(([name]) => 'abcdef'[form.questionIds.indexOf(name.slice(2))]).join('')).toBe('daebcf');
  expect(await readOrder(form)).toEqual(['abcd', 'ef', '']);
  const fields: [string, string][] = [...fieldsOf(html), ['do', 'save']];
  const saved = await pagesOf(cast.bob).post(pathOf(form), fields);
  expect(saved.headers.get('location')).toMatch(/done=ordered#q-/);
  expect(await readOrder(form)).toEqual(['daebc', 'f', '']);
  // Pressed once more, nothing is different.
  expect((await pagesOf(cast.bob).post(pathOf(form), fields)).status).toBe(303);
  expect(await readOrder(form)).toEqual(['daebc', 'f', '']);
});

test('what somebody else has moved, added and deleted meanwhile stays', async () => {
  const form = await draft();
  const fields = fieldsOf(await pagesOf(cast.bob).show(pathOf(form)));
  await fillIn(cast.alice, pathOf(form), typed(form, 'e 1 3'));
  const [first = ''] = form.sectionIds;
  await fillIn(cast.alice, `/build/${form.formId}/s/${first}/new?type=SHORT_TEXT`, [['title', 'g']]);
  await cast.alice.client.questions.deleteQuestion({ params: { sectionId: first, questionId: idOf(form, 'b') } });
  const changed = new Map(typed(form, 'd 1'));
  const posted = fields.map(([name, value]): [string, string] => [name, changed.get(name) ?? value]);
  expect((await pagesOf(cast.bob).post(pathOf(form), [...posted, ['do', 'save']])).status).toBe(303);
  expect(await readOrder(form)).toEqual(['dacg', 'f', 'e']);
});

test.each([
  ['b 0', 'Enter a number from 1'],
  ['b x', 'Enter a number from 1'],
  ['b 1 0', 'Enter the number of a section, from 1 to 3'],
  ['b 1 4', 'Enter the number of a section, from 1 to 3'],
  ['b 1 x', 'Enter the number of a section, from 1 to 3'],
])('%s is refused, what was typed stays, and nothing is moved', async (moves, words) => {
  const form = await draft();
  for (const action of ['save', 'show']) {
    const refused = await fillIn(cast.bob, pathOf(form), typed(form, moves), action);
    const html = await refused.text();
    expect([refused.status, textOf(html)]).toEqual([400, expect.stringContaining(words)]);
    expect(fieldsOf(html)).toEqual(expect.arrayContaining(typed(form, moves)));
  }
  expect(await readOrder(form)).toEqual(['abcd', 'ef', '']);
});

test('a number means the section that it had on the page, also when that was moved or deleted meanwhile', async () => {
  const form = await draft();
  const { formId, sectionIds } = form;
  const changed = new Map(typed(form, 'b 1 2'));
  const posted = fieldsOf(await pagesOf(cast.bob).show(pathOf(form)))
    .map(([name, value]): [string, string] => [name, changed.get(name) ?? value])
    .concat([['do', 'save']]);
  await fillIn(cast.alice, `/build/${formId}/questions`, [], `section-up:${sectionIds[2]}`);
  expect((await pagesOf(cast.bob).post(pathOf(form), posted)).status).toBe(303);
  expect(await readOrder(form)).toEqual(['acd', '', 'bef']);
  await pagesOf(cast.alice).post(`/build/${formId}/s/${sectionIds[1]}/delete`);
  const moved = posted.map(([name, value]): [string, string] =>
    name === `was.${idOf(form, 'a')}` ? [name, '1:9'] : name === `s.${idOf(form, 'a')}` ? [name, '2'] : [name, value],
  );
  const refused = await pagesOf(cast.bob).post(pathOf(form), moved);
  expect([refused.status, textOf(await refused.text())]).toEqual([
    409,
    expect.stringContaining('Somebody has deleted a section meanwhile'),
  ]);
});

test('what was typed for other questions stays when the section of a place was deleted meanwhile', async () => {
  const form = await draft();
  const { formId, sectionIds } = form;
  const changed = new Map(typed(form, 'a 1 3, b 1 2, c 4'));
  const posted = fieldsOf(await pagesOf(cast.bob).show(pathOf(form))).map(([name, value]): [string, string] => [
    name,
    changed.get(name) ?? value,
  ]);
  await pagesOf(cast.alice).post(`/build/${formId}/s/${sectionIds[1]}/delete`);
  for (const action of ['show', 'save']) {
    const refused = await pagesOf(cast.bob).post(pathOf(form), [...posted, ['do', action]]);
    const html = await refused.text();
    expect(refused.status).toBe(409);
    expect(textOf(html)).toContain('b Error: Enter the number of a section, from 1 to 2');
    // The third section is the second one now; the one of b is to be chosen again.
    expect(fieldsOf(html)).toEqual(expect.arrayContaining(typed(form, 'a 1 2, b 1, c 4')));
    const chosen = new Map(typed(form, 'b 1 2'));
    const again = fieldsOf(html).map(([name, value]): [string, string] => [name, chosen.get(name) ?? value]);
    if (action === 'save') await pagesOf(cast.bob).post(pathOf(form), [...again, ['do', action]]);
  }
  expect(await readOrder(form)).toEqual(['dc', 'ab']);
});

test('an error leaves all other questions where they are when sections were renumbered meanwhile', async () => {
  const form = await draft();
  const { formId, sectionIds } = form;
  const changed = new Map(typed(form, 'a x, c 1 3'));
  const posted = fieldsOf(await pagesOf(cast.bob).show(pathOf(form))).map(([name, value]): [string, string] => [
    name,
    changed.get(name) ?? value,
  ]);
  await fillIn(cast.alice, `/build/${formId}/questions`, [], `section-up:${sectionIds[1]}`);
  const refused = await pagesOf(cast.bob).post(pathOf(form), [...posted, ['do', 'save']]);
  expect(refused.status).toBe(400);
  const corrected = new Map(typed(form, 'a 1'));
  const again = fieldsOf(await refused.text()).map(([name, value]): [string, string] => [
    name,
    corrected.get(name) ?? value,
  ]);
  expect((await pagesOf(cast.bob).post(pathOf(form), [...again, ['do', 'save']])).status).toBe(303);
  expect(await readOrder(form)).toEqual(['ef', 'abd', 'c']);
});

test('is at most 220 KB for 200 questions in 30 sections', async () => {
  const questions = (section: number) =>
    Array.from({ length: section < 20 ? 7 : 6 }, (_, index) => ({
      type: 'SHORT_TEXT' as const,
      title: `How was the ${section}.${index} visit to the lake?`,
    }));
  const form = await newForm(
    cast.alice,
    cast.slug,
    Array.from({ length: 30 }, (_, section) => questions(section)),
    { publish: false },
  );
  const html = await pagesOf(cast.bob).show(pathOf(form));
  expect(html.match(/ name="n\./g)).toHaveLength(200);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(220_000);
});

test('is changed in the changes of a published form, with two round trips to show it and three to save it', async () => {
  const form = await newForm(cast.alice, cast.slug, [
    [
      { type: 'SHORT_TEXT', title: 'a' },
      { type: 'SHORT_TEXT', title: 'b' },
    ],
  ]);
  await pagesOf(cast.bob).show(pathOf(form));
  const { cost, result } = await measureCost(() => pagesOf(cast.bob).show(pathOf(form)));
  expect(cost.roundTrips).toBeLessThanOrEqual(2);
  const fields = fieldsOf(result).map(([name, value]): [string, string] => [
    name,
    name === `n.${form.questionIds[1]}` ? '1' : value,
  ]);
  const saved = await measureCost(() => pagesOf(cast.bob).post(pathOf(form), [...fields, ['do', 'save']]));
  expect([saved.result.status, saved.cost.roundTrips <= 3]).toEqual([303, true]);
  expect(await readOrder(form)).toEqual(['ab']);
  expect(textOf(await pagesOf(cast.bob).show(`/build/${form.formId}/changes`))).toContain('Questions in another order');
});
