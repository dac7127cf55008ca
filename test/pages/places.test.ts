/** Places on the pages: how many are left, choices that are full, a form that is full, and what its authors set. */
import { expect, test } from 'vitest';
import { newForm } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { cancel, castAt, choice, readQuestion, respond, sent, start } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, dave, erin, slug } = await castAt();
const pages = pagesOf(erin);

async function courseForm(
  type: 'SINGLE_CHOICE' | 'DROPDOWN',
  settings: { maxResponses?: number; closedMessage?: string } = {},
) {
  const choices = [{ name: 'Yoga', limit: 1 }, { name: 'Judo', limit: 5 }, { name: 'Rest' }];
  const form = await newForm(alice, slug, [[{ type, title: 'Course', choices }]], {
    allowEditResponse: true,
    ...settings,
  });
  const [questionId = '', sectionId = ''] = [form.questionIds[0], form.sectionIds[0]];
  const question = await readQuestion(alice, form.formId, questionId);
  const idOf = (name: string) => choice(question, name);
  const pick = (name: string) => [sent(questionId, type, [idOf(name)])];
  return { ...form, questionId, sectionId, idOf, pick };
}

const controlOf = (html: string, value: string): string =>
  html.match(new RegExp(`<(?:input|option)[^>]*value="${value}"[^>]*>[^<]*`))?.[0] ?? '';

test.for([
  'SINGLE_CHOICE',
  'DROPDOWN',
] as const)('a %s says what is left, and a full choice cannot be chosen', async (type) => {
  const form = await courseForm(type);
  await respond(dave, form.formId, form.pick('Yoga'));
  const id = await start(erin, form.formId);
  const html = await pages.show(`/r/${id}/s/${form.sectionId}`);
  for (const part of ['No place left', '5 places left']) expect(textOf(html)).toContain(part);
  expect(controlOf(html, form.idOf('Yoga'))).toContain(' disabled');
  for (const name of ['Judo', 'Rest']) expect(controlOf(html, form.idOf(name))).not.toContain('disabled');
  const chinese = await pagesOf(erin, { 'accept-language': 'zh-TW' }).show(`/r/${id}/s/${form.sectionId}`);
  for (const part of ['名額已滿', '剩下 5 個名額']) expect(textOf(chinese)).toContain(part);
});

test('what somebody has chosen before it was full stays chosen, and is refused when it is submitted', async () => {
  const form = await courseForm('SINGLE_CHOICE');
  const id = await start(erin, form.formId, form.pick('Yoga'));
  const other = await respond(dave, form.formId, form.pick('Yoga'));
  const section = await pages.show(`/r/${id}/s/${form.sectionId}`);
  expect(controlOf(section, form.idOf('Yoga'))).toMatch(/ checked(?!.* disabled)/);
  // Pressed again without a change, nothing is lost.
  await fillIn(erin, `/r/${id}/s/${form.sectionId}`, []);
  const { headers } = await pages.post(`/r/${id}/submit`);
  expect(headers.get('location')).toBe(`/r/${id}/check?full`);
  const check = textOf(await pages.show(`/r/${id}/check?full`));
  expect(check).toContain('Course – what you chose has no place left');
  await cancel(dave, other);
  expect(textOf(await pages.show(`/r/${id}/check?full`))).toContain('There is one now: submit again.');
  expect((await pages.post(`/r/${id}/submit`)).headers.get('location')).toBe(`/r/${id}/done`);
});

test('an edit of a submission that finds no place is shown at its question', async () => {
  const form = await courseForm('SINGLE_CHOICE');
  const id = await respond(erin, form.formId, form.pick('Judo'));
  const path = `/r/${id}/s/${form.sectionId}`;
  const fields = fieldsOf(await pages.show(path)).filter(([name]) => !name.startsWith('q.'));
  await respond(dave, form.formId, form.pick('Yoga'));
  const response = await pages.post(path, [...fields, [`q.${form.questionId}`, form.idOf('Yoga')], ['do', 'next']]);
  const text = textOf(await response.text());
  expect([response.status, text]).toEqual([
    400,
    expect.stringContaining('Yoga has no place left: choose something else'),
  ]);
});

test('the first page says how many places are left, and what its authors say when there are none', async () => {
  const form = await courseForm('SINGLE_CHOICE', { maxResponses: 2, closedMessage: 'Come back in spring.' });
  const path = `/f/${form.formId}`;
  const first = await respond(dave, form.formId, form.pick('Rest'));
  expect(textOf(await pages.show(path))).toContain('1 place left');
  const draft = await start(erin, form.formId, form.pick('Rest'));
  await respond(dave, form.formId, form.pick('Rest'));
  const full = await pages.show(path);
  expect(textOf(full)).toContain('All places are taken Come back in spring.');
  expect(full).not.toContain(`${path}/start`);
  expect((await pages.post(`/r/${draft}/submit`)).headers.get('location')).toBe(`/r/${draft}/check?full`);
  expect(textOf(await pages.show(`/r/${draft}/check?full`))).toContain('All places are taken Come back in spring.');
  await cancel(dave, first);
  expect(textOf(await pages.show(path))).toContain('1 place left');
});

test('authors see how many are taken, and that they are being counted', async () => {
  const form = await courseForm('SINGLE_CHOICE');
  await respond(dave, form.formId, form.pick('Rest'));
  const path = `/build/${form.formId}/settings`;
  await fillIn(alice, path, [['maxResponses', '3']]);
  const author = pagesOf(alice);
  expect(textOf(await author.show(path))).toContain('are being counted');
  expect(textOf(await pages.show(`/f/${form.formId}`))).not.toContain('left');
  await sweepIn(61);
  expect(textOf(await author.show(path))).toContain('1 of 3 places are taken.');
});

test('the preview of authors shows what is left of the limits that their changes have', async () => {
  const form = await courseForm('SINGLE_CHOICE', { maxResponses: 3 });
  const author = pagesOf(alice);
  const path = `/build/${form.formId}/preview`;
  expect(textOf(await author.show(path))).toContain('3 places left');
  await respond(dave, form.formId, form.pick('Yoga'));
  expect(textOf(await author.show(path))).toContain('2 places left');
  const section = await (await author.post(path, [['do', 'tryPreview']])).text();
  expect(textOf(section)).toContain('No place left');
  expect(section).toMatch(new RegExp(`value="${form.idOf('Yoga')}"[^>]*disabled`));
  // A form without limits says nothing of places.
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  expect(textOf(await author.show(`/build/${formId}/preview`))).not.toContain('left');
});
