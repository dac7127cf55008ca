/**
 * The morning of a reviewer: a response by its reference, the week, all answers to a question as CSV, the failed copies, a daily
 * mail, and the rows of a test, which are deleted. In every look, with and without scripts.
 */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { formatReference } from '#core/responses/reference.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { newForm } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { store, submissionOf } from '#test/support/responses.ts';
import { expectAccessible, LOOKS, servePages, signInAs } from './page-server.ts';

const server = servePages();

const idOf = (who: string): string => PEOPLE.find(({ name }) => name === who)?.id ?? '';

/** A form that sends copies: ten rows of a test by chelsea, then three answers of dave in the week of 4 May, two of which bounced. */
async function collected() {
  const form = await newForm(
    await signInAs('alice'),
    'demo',
    [[{ type: 'SHORT_TEXT', title: 'What should we change?' }]],
    { sendResponseEmail: true },
  );
  const [questionId = ''] = form.questionIds;
  const submitted = (who: string, at: string, value: string) =>
    submissionOf(form, idOf(who), at, { [questionId]: { type: 'SHORT_TEXT', value } });
  const tests = Array.from({ length: 10 }, (_, index) =>
    submitted('chelsea', `2026-04-20T10:0${index}:00.000Z`, `test ${index}`),
  );
  const real = [
    submitted('dave', '2026-05-04T08:00:00.000Z', 'The ramp is too steep'),
    submitted('dave', '2026-05-06T12:00:00.000Z', '=1+1'),
    submitted('dave', '2026-05-10T20:00:00.000Z', 'Longer hours'),
  ];
  await store([...tests, ...real]);
  for (const { id } of real.slice(0, 2)) await storeMail(id, 'bounced');
  return { formId: form.formId, questionId, real };
}

test.for(LOOKS)('goes from a reference to ten deleted rows: %o', async (look) => {
  const { formId, real } = await collected();
  const hasScripts = !('javaScriptEnabled' in look);
  const page = await server().open('alice', { ...look, locale: 'en', timezoneId: 'UTC', acceptDownloads: true });
  const rows = page.locator('.responses tbody tr');
  const checked = () => expectAccessible(page, hasScripts);
  const table = `${server().url}/review/${formId}`;

  await page.goto(table);
  await page.locator('#q').fill(formatReference(real[1]?.id ?? '').toLowerCase());
  await page.locator('#q').press('Enter');
  await page.getByText('1 response matches.').waitFor();
  expect(await rows.locator('th a').getAttribute('href')).toContain(`/r/${real[1]?.id}`);
  await checked();

  await page.goto(`${table}?filter=open`);
  await page.locator('#filter-from').fill('2026-05-04');
  await page.locator('#filter-to').fill('2026-05-10');
  await page.locator('#filter .actions button').click();
  await page.getByText('3 responses match.').waitFor();
  expect(await rows.count()).toBe(3);

  await page.locator('.table-tools a[href*="/statistics"]').click();
  await page.locator('.all-answers').click();
  await page.locator('.answers').waitFor();
  expect(await page.locator('.answers .pre-line').allInnerTexts()).toEqual([
    'Longer hours',
    '=1+1',
    'The ramp is too steep',
  ]);
  await checked();

  await page.getByRole('link', { name: 'Show these responses' }).click();
  await page.getByText('3 responses match.').waitFor();
  await page.locator('.table-tools a[href*="/export"]').click();
  await page.locator('#format').selectOption('CSV');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv.trim().split('\r\n')).toHaveLength(4);
  expect(csv).toContain("'=1+1");
  expect(csv).not.toContain('test 3');

  await page.goto(table);
  await page.locator('a[href$="/failed"]').click();
  await page.getByText('The e-mail bounced').first().waitFor();
  await checked();
  await page.locator('button[value=resend]').click();
  await page.getByText('There are no mails that could not be sent.').waitFor();

  await page.goto(table);
  await page.getByText('Mail me about new responses: off').click();
  const box = "getComputedStyle(document.querySelector('.notices-form .choice')).display";
  expect(await page.evaluate(box)).toBe('flex');
  await page.locator('#notices-frequency').selectOption('DAILY');
  await checked();
  await page.locator('form[action$="/notices"] button').click();
  await page.getByText('Your mails about new responses were changed.').first().waitFor();
  await page.getByText('Mail me about new responses: once a day, in the morning').waitFor();

  await page.goto(`${table}?q=chelsea`);
  await page.getByText('10 responses match.').waitFor();
  expect(await page.locator('#selection').isVisible()).toBe(false);
  for (const box of await rows.locator('input[type=checkbox]').all()) await box.check();
  await checked();
  await page.locator('#selection button[formaction$="/delete-selected"]').click();
  await page.getByRole('heading', { name: 'Delete 10 responses?' }).waitFor();
  await checked();
  await page.getByRole('button', { name: 'Delete 10 responses' }).click();
  await page.getByText('The selected responses were deleted.').first().waitFor();
  await page.goto(table);
  await expect.poll(() => rows.count()).toBe(3);
  await page.context().close();
});
