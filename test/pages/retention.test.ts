/** How long responses are kept, on the pages: settings with a confirmation, what respondents read, and what goes next. */
import { expect, test } from 'vitest';
import { newForm, send } from '#test/support/fixtures.ts';
import { fieldsOf, fillIn, pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, respond, store, submissionOf } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, bob, dave, erin, slug } = await castAt();
const DAY = 86_400;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY * 1_000).toISOString();
const pages = pagesOf(alice);

const readForm = async (formId: string) => (await alice.client.forms.getForm({ params: { formId } })).body;

/** Posts the settings of a form with some changes, as alice or somebody else. */
async function post(formId: string, changes: readonly (readonly [string, string])[], by = pages) {
  const path = `/build/${formId}/settings`;
  const names = new Set(changes.map(([name]) => name));
  const fields = fieldsOf(await by.show(path)).filter(([name]) => !names.has(name) && name !== 'do');
  return by.post(path, [...fields, ...changes, ['do', 'save']]);
}

/** The fields of the confirmation, as its button sends them. */
const confirmed = (html: string, action: string): [string, string][] => [
  ...fieldsOf(html).filter(([name]) => name !== 'do'),
  ['do', action],
];

test('a shorter time is confirmed on a page with the number of responses that go, and can be taken back', async () => {
  const form = await newForm(alice, slug, [[]], { title: 'Lakes' });
  const { formId } = form;
  await store([5, 12, 30].map((days) => submissionOf(form, dave.id, daysAgo(days))));
  const asked = await post(formId, [
    ['retentionDays', '10'],
    ['title', 'Lakes of the North'],
    ['description', 'First\r\n\r\nSecond'],
  ]);
  const page = await asked.text();
  expect(asked.status).toBe(409);
  expect(textOf(page)).toContain(
    'Responses are deleted 10 days after they were submitted. 2 responses go when this begins.',
  );
  expect((await readForm(formId)).retentionDays).toBe(null);
  // Back to the settings: everything that was typed is there.
  const back = await pages.post(`/build/${formId}/settings`, confirmed(page, 'preview'));
  expect(fieldsOf(await back.text())).toEqual(
    expect.arrayContaining([
      ['retentionDays', '10'],
      ['title', 'Lakes of the North'],
    ]),
  );
  const saved = await pages.post(`/build/${formId}/settings`, confirmed(page, 'save'));
  expect(saved.headers.get('location')).toBe(`/build/${formId}/settings?done=saved`);
  expect(await readForm(formId)).toMatchObject({
    retentionDays: 10,
    title: 'Lakes of the North',
    descriptionHtml: '<p>First</p><p>Second</p>',
  });
  // Pressed again, as a browser that goes back does.
  expect((await pages.post(`/build/${formId}/settings`, confirmed(page, 'save'))).status).toBe(303);
  const settings = await pages.show(`/build/${formId}/settings`);
  expect(textOf(settings)).toContain('Responses or drafts are deleted sooner from 3 May 2026, 12:00 UTC');
  const taken = await pages.post(`/build/${formId}/settings`, [['do', 'takeBack']]);
  expect(taken.status).toBe(303);
  expect(await readForm(formId)).toMatchObject({ retentionDays: null, retentionFrom: null });
  expect((await pages.post(`/build/${formId}/settings`, [['do', 'takeBack']])).status).toBe(303);
});

test('a confirmation holds for the time that it has named, and a longer time needs none', async () => {
  const { formId } = await newForm(alice, slug, [[]], { retentionDays: 100 });
  const page = await (await post(formId, [['retentionDays', '50']])).text();
  const other = confirmed(page, 'save').map(([name, value]): [string, string] =>
    name === 'retentionDays' ? [name, '5'] : [name, value],
  );
  expect((await pages.post(`/build/${formId}/settings`, other)).status).toBe(409);
  expect((await readForm(formId)).retentionDays).toBe(100);
  expect((await post(formId, [['retentionDays', '200']])).status).toBe(303);
  expect((await post(formId, [['retentionDays', '']])).status).toBe(303);
  expect((await readForm(formId)).retentionDays).toBe(null);
  const drafts = await post(formId, [['draftDays', '7']]);
  expect(textOf(await drafts.text())).toContain('Drafts are deleted 7 days after they were saved last.');
});

test('a member who may not delete responses is refused at the field', async () => {
  const { formId } = await newForm(alice, slug, [[]]);
  const response = await post(formId, [['retentionDays', '10']], pagesOf(bob));
  expect([response.status, textOf(await response.text())]).toEqual([
    403,
    expect.stringContaining(
      'Only admins and the person who created the form can have responses or drafts deleted sooner',
    ),
  ]);
});

test('the confirmation and the settings are in Chinese too', async () => {
  const form = await newForm(alice, slug, [[]]);
  await store([submissionOf(form, dave.id, daysAgo(12))]);
  const chinese = pagesOf(alice, { 'accept-language': 'zh-TW' });
  const asked = textOf(await (await post(form.formId, [['retentionDays', '10']], chinese)).text());
  expect(asked).toContain('回覆會在送出 10 天後刪除。開始時將刪除 1 份回覆。');
});

test('respondents read after how many days their answers and drafts are deleted', async () => {
  const settings = { audience: 'ANYONE', visibility: 'PRIVATE', retentionDays: 90, draftDays: 14 } as const;
  const { formId } = await newForm(alice, slug, [[]], settings);
  expect(textOf(await pagesOf(erin).show(`/f/${formId}`))).toContain('Your answers are deleted after 90 days.');
  const landing = textOf(await (await send('GET', `/f/${formId}`, {})).text());
  expect(landing).toContain('What you do not submit is deleted 14 days after you saved it last.');
  const privacy = textOf(await pagesOf(erin).show(`/f/${formId}/privacy`));
  expect(privacy).toContain('What you do not submit is deleted 14 days after you saved it last.');
  expect(privacy).toContain('What you submit is deleted 90 days after you submitted it');
  const chinese = pagesOf(erin, { 'accept-language': 'zh-TW' });
  expect(textOf(await chinese.show(`/f/${formId}`))).toContain('你的答案會在 90 天後刪除。');
});

test('the responses say how many go next, and when', async () => {
  const form = await newForm(alice, slug, [[]]);
  const { formId } = form;
  await store([5, 8.5, 9, 30].map((days) => submissionOf(form, dave.id, daysAgo(days))));
  await respond(dave, formId);
  await alice.client.forms.updateForm({ params: { formId }, body: { retentionDays: 10 } });
  await sweepIn(0);
  // In two days those go that are 8 days old.
  const places = [`/review/${formId}`, `/build/${formId}`];
  for (const path of places)
    expect(textOf(await pages.show(path))).toContain('3 responses go on Sunday 3 May, for their age.');
  const chinese = pagesOf(alice, { 'accept-language': 'zh-TW' });
  for (const path of places) expect(textOf(await chinese.show(path))).toContain('將因期限刪除 3 份回覆。');
  // Where the reader is, the third of May begins before midnight in UTC.
  const eastern = pagesOf(alice, { cookie: `access_token=${alice.token}; zone=Pacific%2FKiritimati` });
  for (const path of places) expect(textOf(await eastern.show(path))).toContain('go on Monday 4 May');
  await alice.client.forms.updateForm({ params: { formId }, body: { retentionDays: null } });
  await sweepIn(0);
  for (const path of places) expect(textOf(await pages.show(path))).not.toContain('for their age');
});

test('Enter in the settings of a form whose time was changed elsewhere tells of it', async () => {
  const { formId } = await newForm(alice, slug, [[]], { retentionDays: 100 });
  const path = `/build/${formId}/settings`;
  const fields = fieldsOf(await pages.show(path)).filter(([name]) => name !== 'retentionDays' && name !== 'do');
  await alice.client.forms.updateForm({ params: { formId }, body: { retentionDays: 200 } });
  const response = await pages.post(path, [...fields, ['retentionDays', '300'], ['do', 'save']]);
  expect([response.status, textOf(await response.text())]).toEqual([409, expect.stringContaining('200')]);
  await fillIn(alice, path, [['retentionDays', '300']]);
});
