/** Undoing the last deletion or move: by its author or another one, once, for a week, unless the same was edited since. */
import { describe, expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { measureCost } from '#test/support/cost.ts';
import { beforeFirstWrite } from '#test/support/faults.ts';
import { type Built, newCast, newForm, type Person } from '#test/support/fixtures.ts';
import { fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { respond, sent } from '#test/support/responses.ts';

const cast = await newCast();

const formWith = (publish = true): Promise<Built> =>
  newForm(
    cast.alice,
    cast.slug,
    [
      [
        { type: 'SHORT_TEXT', title: 'Which lake?' },
        { type: 'SHORT_TEXT', title: 'How deep?' },
      ],
      [{ type: 'SHORT_TEXT', title: 'Why?' }],
    ],
    { publish },
  );
const list = ({ formId }: Built) => `/build/${formId}/questions`;
const show = async (form: Built, by: Person = cast.bob) => textOf(await pagesOf(by).show(list(form)));
const removeQuestion = (form: Built, index: number) =>
  pagesOf(cast.bob).post(`/build/${form.formId}/q/${form.questionIds[index]}/delete`);
const removeSection = (form: Built, index: number) =>
  pagesOf(cast.bob).post(`/build/${form.formId}/s/${form.sectionIds[index]}/delete`);
const readOffer = async (form: Built, by: Person = cast.bob) =>
  /name="undo" value="([^"]+)"/.exec(await pagesOf(by).show(list(form)))?.[1] ?? '';
const press = async (form: Built, undo: string, by: Person = cast.bob) => {
  const response = await pagesOf(by).post(`/build/${form.formId}/undo`, [['undo', undo]]);
  return { status: response.status, location: response.headers.get('location'), text: textOf(await response.text()) };
};
const stored = async ({ formId }: Built) => (await reloadStructure(app().table, formId)).structure;

describe.each([
  ['of a draft', false],
  ['of a published form, in its changes', true],
])('a deletion %s', (_name, isPublished) => {
  test.each([
    ['a question', removeQuestion, 0, /You deleted the question “Which lake\?”/, 'q'],
    ['a section', removeSection, 0, /You deleted the section/, 's'],
  ] as const)('of %s is taken back', async (_what, remove, index, said, anchor) => {
    const form = await formWith(isPublished);
    const before = (await show(form)).replace(/.*Preview/, '');
    await remove(form, index);
    expect(await show(form)).toMatch(said);
    const { location } = await press(form, await readOffer(form));
    expect(location).toMatch(new RegExp(`done=undone#${anchor}-`));
    const after = await show(form);
    expect(after).not.toContain('You deleted');
    for (const title of ['Which lake?', 'How deep?', 'Why?']) expect(after).toContain(title);
    if (!isPublished) expect(after.replace(/.*Preview/, '')).toBe(before);
  });
});

test('a move is taken back', async () => {
  const form = await formWith(false);
  await fillIn(cast.bob, list(form), [], `down:${form.questionIds[0]}`);
  expect(await show(form)).toMatch(/You moved questions.*How deep\?.*Which lake\?/);
  await press(form, await readOffer(form));
  expect(await show(form)).toMatch(/Which lake\?.*How deep\?/);
});

test('a question with answers is no longer removed, and its answers count as before', async () => {
  const form = await formWith(false);
  const { formId, questionIds } = form;
  const [lake = ''] = questionIds;
  await cast.alice.client.forms.publishForm({ params: form });
  await respond(cast.dave, formId, [sent(lake, 'SHORT_TEXT', 'Loch Ness')]);
  await cast.alice.client.forms.archiveForm({ params: form });
  await cast.alice.client.forms.unarchiveForm({ params: form });
  await removeQuestion(form, 0);
  expect((await stored(form)).removed).toMatchObject([{ id: lake }]);
  await press(form, await readOffer(form));
  const structure = await stored(form);
  expect(structure.removed).toEqual([]);
  expect(structure.sections[0]?.questions.map(({ id }) => id)).toEqual(questionIds.slice(0, 2));
  const table = await cast.alice.client.exports.previewTable({ params: { formId }, body: { questionIds: [lake] } });
  expect(JSON.stringify(table.body)).toMatch(/"Which lake\?".*Loch Ness/);
});

test('the editor has no notice, and the versions list every edit that can be undone, in any order', async () => {
  const form = await formWith();
  await removeQuestion(form, 0);
  await removeSection(form, 1);
  const editor = await pagesOf(cast.bob).show(`/build/${form.formId}`);
  expect(textOf(editor)).not.toContain('You deleted');
  // The button of its bar undoes with this form.
  expect(editor).toMatch(/<form id="undo"[^>]* data-own/);
  const readListed = async (language = 'en') => {
    const html = await pagesOf(cast.bob, { 'accept-language': language }).show(`/build/${form.formId}/versions`);
    return { said: textOf(html), ids: [...html.matchAll(/name="undo" value="([^"]+)"/g)].map(([, id = '']) => id) };
  };
  const { said, ids } = await readListed();
  expect(said).toMatch(/can be undone.*You deleted the section.*You deleted the question “Which lake\?”/);
  expect((await readListed('zh-TW')).said).toMatch(/可以復原的編輯.*你刪除了題目「Which lake\?」/);
  expect((await press(form, ids[1] ?? '')).location).toContain('done=undone');
  expect((await readListed()).ids).toEqual(ids.slice(0, 1));
  expect((await press(form, ids[0] ?? '')).location).toContain('done=undone');
  expect((await readListed()).said).not.toContain('can be undone');
  expect(await show(form)).toMatch(/Which lake\?.*How deep\?.*Why\?/);
});

test('another author takes it back, and a second press finds it done', async () => {
  const form = await formWith();
  await removeQuestion(form, 1);
  expect(await show(form, cast.alice)).toContain('Another author deleted the question “How deep?”');
  const undo = await readOffer(form);
  const response = await beforeFirstWrite(
    () => press(form, undo),
    () => press(form, undo, cast.alice),
  );
  expect(response.location).toContain('done=nothingToUndo');
  expect((await show(form)).match(/How deep\?/g)?.length).toBeGreaterThan(0);
  const [item] = await app().table.read([keys.formUndo(form.formId, undo)]);
  expect(item).toBeUndefined();
});

test('a question returns without a name that another one got meanwhile, and the page says so', async () => {
  const form = await formWith();
  const setName = (index: number, name: string) =>
    fillIn(cast.alice, `/build/${form.formId}/q/${form.questionIds[index]}`, [['name', name]]);
  await setName(0, 'lake');
  await removeQuestion(form, 0);
  await setName(1, 'Lake');
  const { location } = await press(form, await readOffer(form));
  expect(location).toContain('done=undoneUnnamed');
  const [shown = ''] = location?.split('#') ?? [];
  expect(await pagesOf(cast.alice).show(shown)).toContain('The question has no name now');
  const { body } = await cast.alice.client.forms.getChanges({ params: form });
  const questions = body.sections.flatMap((section) => section.questions ?? []);
  expect(questions.filter(({ name }) => name !== undefined).map(({ title, name }) => [title, name])).toEqual([
    ['How deep?', 'Lake'],
  ]);
});

test('what was edited elsewhere since stays, also when it is published meanwhile', async () => {
  const form = await formWith();
  await removeQuestion(form, 0);
  await fillIn(cast.alice, `/build/${form.formId}/q/${form.questionIds[1]}`, [['title', 'How wide?']]);
  await fillIn(cast.alice, `/build/${form.formId}/changes`, [], 'publish');
  const { location } = await press(form, await readOffer(form));
  expect(location).toContain('done=undone');
  expect(await show(form)).toMatch(/Which lake\?.*How wide\?.*Why\?/);
});

test('what was edited in the same place since is shown in both versions, and nothing changes', async () => {
  const form = await formWith();
  await removeQuestion(form, 0);
  const undo = await readOffer(form);
  const { body } = await cast.alice.client.forms.getChanges({ params: form });
  expect(body.sections).toHaveLength(2);
  // Removing the section is offered next; a question cannot return to a section that is gone.
  await removeSection(form, 0);
  const older = await press(form, undo);
  expect([older.status, older.text]).toEqual([409, expect.stringContaining('cannot be undone any more')]);
  const newer = await readOffer(form);
  const list = `/build/${form.formId}/questions`;
  const start = /value="section:([^"]+)"/.exec(await pagesOf(cast.bob).show(list))?.[1];
  await fillIn(cast.alice, list, [], `section:${start}`);
  const refused = await press(form, newer);
  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringMatching(
      /cannot be undone any more.*What follows “the start” Now Goes to “Section without a title” Before it Goes to/,
    ),
  ]);
  expect(await show(form)).not.toContain('How deep?');
});

test('is offered for a week, also while the expired item is not deleted yet', async () => {
  const form = await formWith();
  await removeQuestion(form, 0);
  const undo = await readOffer(form);
  const key = keys.formUndo(form.formId, undo);
  const [item] = await app().table.read([key]);
  const seconds = Date.now() / 1_000;
  expect(Number(item?.expiresAt) - seconds).toBeGreaterThan(6.9 * 86_400);
  expect(Number(item?.expiresAt) - seconds).toBeLessThan(7.1 * 86_400);
  await app().table.write([{ update: key, set: { expiresAt: Math.floor(seconds) } }]);
  expect(await show(form)).not.toContain('You deleted');
  expect((await press(form, undo)).location).toContain('done=nothingToUndo');
});

test('somebody who restored it meanwhile leaves nothing to undo', async () => {
  const form = await formWith();
  await removeQuestion(form, 0);
  await fillIn(cast.alice, `/build/${form.formId}/changes`, [], 'discard');
  expect(await show(form)).not.toContain('deleted the question');
});

test('only members undo, and no step waits more than three times for storage', async () => {
  const form = await formWith();
  const removed = await measureCost(() => removeQuestion(form, 0));
  expect((await press(form, 'any', cast.chelsea)).status).toBe(403);
  const undo = await readOffer(form);
  const shown = await measureCost(() => show(form));
  const undone = await measureCost(() => press(form, undo));
  expect(undone.result.location).toContain('done=undone');
  expect([removed, shown, undone].map(({ cost }) => cost.roundTrips)).toEqual([
    expect.toSatisfy((trips: number) => trips <= 3),
    expect.toSatisfy((trips: number) => trips <= 2),
    expect.toSatisfy((trips: number) => trips <= 3),
  ]);
});
