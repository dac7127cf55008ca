/**
 * The whole journey of a reviewer through the responses to the demo form: with scripts, without them, by keyboard alone,
 * at 320 pixels, in dark mode and in both languages. Each page and state is checked with axe-core.
 */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PEOPLE } from '#stacks/local/seed.ts';
import { buildExports } from '#test/support/exports.ts';
import { type Built, clientWith, newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { draftOf, store, submissionOf } from '#test/support/responses.ts';
import { record } from './browser.ts';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

const idOf = (who: string): string => PEOPLE.find(({ name }) => name === who)?.id ?? '';

/** A form of the demo organization with a question. */
const demoForm = (
  options?: Parameters<typeof newForm>[3],
  kind: QuestionKind = { type: 'SHORT_TEXT' },
): Promise<Built> => {
  const alice = { id: idOf('alice'), email: 'alice@example.org', token: '', client: clientWith() };
  return newForm(alice, 'demo', [[{ title: 'Name', ...kind }]], options);
};

const HOSTILE = '<img src=x onerror="document.title=1">';

type Texts = Record<'responses' | 'filter' | 'apply' | 'chip' | 'views' | 'name' | 'create', RegExp> &
  Record<'next' | 'delete' | 'keep' | 'export' | 'download' | 'none', RegExp>;
const ENGLISH: Texts = {
  responses: /^Responses/,
  filter: /^Filter$/,
  apply: /^Show responses$/,
  chip: /Remove the filter Was this your first visit/,
  views: /^Views$/,
  name: /^Name$/,
  create: /^Create view$/,
  next: /^Next$/,
  delete: /^Delete this response$/,
  keep: /^Keep it$/,
  export: /^Exports$/,
  download: /^Download$/,
  none: /Choose at least one question/,
};
const CHINESE: Texts = {
  responses: /^查看回覆/,
  filter: /^篩選$/,
  apply: /^顯示回覆$/,
  chip: /移除篩選「Was this your first visit/,
  views: /^檢視$/,
  name: /^名稱$/,
  create: /^建立檢視$/,
  next: /^下一份$/,
  delete: /^刪除這份回覆$/,
  keep: /^保留$/,
  export: /^匯出$/,
  download: /^下載$/,
  none: /請至少選擇一題/,
};

async function journey(page: Page, t: Texts, hasScripts: boolean, viewName: string) {
  const checked = () => expectAccessible(page, hasScripts);
  const rows = page.locator('.responses tbody tr');
  await page.getByRole('link', { name: t.responses }).first().click();
  await expect.poll(() => rows.count()).toBe(2);
  await page.locator('.highlight-form:not(.notices-form) summary').click();
  await checked();

  await page.getByRole('link', { name: t.filter }).click();
  await page.locator('summary', { hasText: 'Was this your first visit?' }).click();
  await page.getByLabel('Yes, my first time').check();
  await checked();
  await page.getByRole('button', { name: t.apply }).click();
  await page.getByRole('link', { name: t.chip }).waitFor();
  await checked();
  expect(await rows.count()).toBe(1);
  await page.getByRole('link', { name: t.chip }).click();
  await rows.nth(1).waitFor();

  await page.getByRole('link', { name: t.views }).click();
  await page.getByLabel(t.name).fill(viewName);
  await page.getByLabel('How was it?').uncheck();
  await checked();
  await page.getByRole('button', { name: t.create }).click();
  await page.locator('.view-menu > summary', { hasText: viewName }).waitFor();
  await checked();
  expect(await page.locator('.responses thead').innerText()).not.toContain('How was it?');

  await rows.first().getByRole('link').click();
  await page.locator('.answers').waitFor();
  await checked();
  await page.getByRole('link', { name: t.next }).click();
  await page.getByRole('link', { name: t.delete }).click();
  await checked();
  await page.getByRole('link', { name: t.keep }).click();

  await page.getByRole('link', { name: t.export }).click();
  await page.locator('.column-choice').waitFor();
  await checked();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: t.download }).first().click();
  expect((await download).suggestedFilename()).toBe('Visitor survey.xlsx');
  for (const box of await page.locator('[name=column]').all()) await box.uncheck();
  await page.getByRole('button', { name: t.download }).first().click();
  await page.getByRole('link', { name: t.none }).waitFor();
  await checked();
  // The name of the view, whose picture cannot be loaded, was shown as text everywhere.
  expect(await page.title()).not.toBe('1');
}

const NARROW = { viewport: { width: 320, height: 640 }, locale: 'zh-TW' };
type Way = [string, BrowserContextOptions, Texts, boolean];
const WAYS: Way[] = [
  ['without scripts', { javaScriptEnabled: false }, ENGLISH, false],
  ['at 320 pixels, dark, in Chinese', { ...NARROW, colorScheme: 'dark' }, CHINESE, true],
];
const OTHER_WAYS: Way[] = [
  ['with scripts', {}, ENGLISH, true],
  ['without scripts, at 320 pixels, in Chinese', { ...NARROW, javaScriptEnabled: false }, CHINESE, false],
];

describe('a reviewer looks through the responses to the demo form', () => {
  test.for(IS_NIGHTLY ? [...WAYS, ...OTHER_WAYS] : WAYS)('%s', async ([way, options, texts, hasScripts]) => {
    const page = await server().open('alice', options);
    const activity = record(page);
    await page.goto(server().url);
    await journey(page, texts, hasScripts, `${HOSTILE} ${way}`);
    const foreign = activity.requested.filter(
      (url) => !url.startsWith(server().url) && !url.startsWith(server().storage),
    );
    expect(foreign).toEqual([]);
    // An export without columns has the status 400; the browser reports the download as a navigation that failed.
    const isExpected = (text: string) => text.includes('status of 400') || text === `failed: ${page.url()}`;
    expect(activity.errors.filter((text) => !isExpected(text))).toEqual([]);
    await page.context().close();
  });

  test('by keyboard alone', async () => {
    const page = await server().open('alice');
    await page.goto(server().url);
    const reach = async (target: Locator): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        await page.keyboard.press('Tab');
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      }
      throw new Error(`the keyboard does not reach ${target}`);
    };
    await reach(page.getByRole('link', { name: ENGLISH.responses }).first());
    await page.keyboard.press('Enter');
    await page.locator('.responses').waitFor();
    await reach(page.getByRole('link', { name: ENGLISH.filter }));
    await page.keyboard.press('Enter');
    await page.locator('.filter-form').waitFor();
    await reach(page.locator('summary', { hasText: 'Was this your first visit?' }));
    await page.keyboard.press('Enter');
    await reach(page.getByLabel('Yes, my first time'));
    await page.keyboard.press('Space');
    await reach(page.getByRole('button', { name: ENGLISH.apply }));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: ENGLISH.chip }).waitFor();

    const region = page.locator('.table-scroll');
    await reach(region);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => region.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
    await reach(page.locator('.responses tbody th a').first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Response by/ }).waitFor();
    await page.context().close();
  });
});

describe('an export of many responses', () => {
  test.for([true, false])('shows its progress until the file is there (scripts: %s)', async (javaScriptEnabled) => {
    const form = await demoForm({ title: `Many ${HOSTILE}` });
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
    await store(Array.from({ length: 1_001 }, (_, index) => submissionOf(form, idOf('dave'), at(index))));
    const page = await server().open('bob', { javaScriptEnabled });
    await page.goto(`${server().url}/review/${form.formId}/export`);
    await page.getByRole('button', { name: ENGLISH.download }).click();
    await page.getByRole('heading', { name: 'Waiting to start' }).waitFor();
    await page.getByText('It starts within a minute.').waitFor();
    await expectAccessible(page, javaScriptEnabled);
    await buildExports();
    if (!javaScriptEnabled) await page.getByRole('link', { name: 'Show the progress again' }).click();
    await page.getByRole('heading', { name: 'The file is ready' }).waitFor();
    await expectAccessible(page, javaScriptEnabled);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: ENGLISH.download }).click();
    expect((await download).suggestedFilename()).toMatch(/^Many .*\.xlsx$/);
    await page.goto(`${server().url}/review/${form.formId}/export`);
    await page.getByText('Ready', { exact: true }).waitFor();
    await expectAccessible(page, javaScriptEnabled);
    await page.context().close();
  });
});

test('a table is sorted, searched and turned back; a response is copied as a link and printed without its frame', async () => {
  const form = await demoForm(
    { title: 'Thirty' },
    { type: 'LINEAR_SCALE', title: 'Points', scale: { minVal: 0, maxVal: 10 } },
  );
  const [questionId = ''] = form.questionIds;
  const responses = Array.from({ length: 30 }, (_, index) => {
    const answer = { [questionId]: { type: 'LINEAR_SCALE' as const, value: index % 10 } };
    return submissionOf(
      form,
      idOf(index < 29 ? 'dave' : 'bob'),
      new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
      answer,
    );
  });
  await store(responses);
  const page = await server().open('alice', { permissions: ['clipboard-read', 'clipboard-write'] });
  const points = async () => (await page.locator('.responses td.number').allInnerTexts()).map(Number);
  await page.goto(`${server().url}/review/${form.formId}?rows=25`);
  await page.getByRole('link', { name: 'Points' }).click();
  await page.locator('[aria-sort=ascending]', { hasText: 'Points' }).waitFor();
  const first = await points();
  expect(first).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8]);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect.poll(points).toEqual([8, 8, 9, 9, 9]);
  await page.getByRole('link', { name: 'Previous page' }).click();
  await expect.poll(points).toEqual(first);

  await page.getByLabel('Search names and answers').fill('BOB');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(points).toEqual([9]);
  await page.getByText('1 response matches.').waitFor();
  await expectAccessible(page, true);
  // Enter in the box of a row presses nothing: the table stays, with what is selected.
  await page.locator('.responses tbody [name=r]').focus();
  for (const key of ['Space', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'Export selected' }).waitFor();

  await page.locator('.responses tbody th a').click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toMatch(new RegExp(`/review/${form.formId}/r/${responses.at(-1)?.id}$`));
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.neighbours').isVisible()).toBe(false);
  expect(await page.locator('.answers').isVisible()).toBe(true);
  const places = await page.locator('.place a').all();
  expect(await Promise.all(places.map((place) => place.isVisible()))).toEqual([false, true, true, false, false, false]);
  await page.context().close();
});

test('drafts are selected by keys, reminded of and deleted', async () => {
  const form = await demoForm();
  const begun = (who: string, day: string) => draftOf(form, idOf(who), `2026-01-${day}T00:00:00.000Z`);
  await store([begun('dave', '01'), begun('chelsea', '02')]);
  const page = await server().open('alice');
  await page.goto(`${server().url}/review/${form.formId}/drafts`);
  await page.getByText('0 of 1 question answered.').first().waitFor();
  const remind = page.getByRole('button', { name: 'Remind selected' });
  expect(await remind.isVisible()).toBe(false);
  await expectAccessible(page);
  await page.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await remind.waitFor();
  await expectAccessible(page);
  // Enter in a box shows the list again, with the box selected.
  await page.getByRole('checkbox').first().press('Enter');
  await page.waitForURL(/drafts\?r=/);
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(1);
  await remind.focus();
  await page.keyboard.press('Enter');
  await page.getByText('Reminders of the selected drafts are being sent.').first().waitFor();
  await page.getByText('Reminded').first().waitFor();
  await page.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Delete selected' }).press('Enter');
  await page.getByRole('heading', { name: 'Delete 1 draft?' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Delete 1 draft' }).press('Enter');
  await page.getByText('The selected drafts were deleted.').first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(1);
  // The way back leads to nothing that could be deleted again.
  await page.goBack();
  await page.getByText('No response was selected.').first().waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(1);
  await page.context().close();
});

test('forms without responses, failed mails and refusals have accessible pages', async () => {
  const [open, draft, answered] = [await demoForm(), await demoForm({ publish: false }), await demoForm()];
  const submitted = submissionOf(answered, idOf('dave'), '2026-01-01T00:00:00.000Z');
  await store([submitted]);
  await storeMail(submitted.id, 'bounced');
  const page = await server().open('alice');
  for (const [path, shown] of [
    [open.formId, 'No responses yet'],
    [draft.formId, 'The form is a draft'],
    [`${answered.formId}?f-${answered.questionIds[0]}=nothing`, 'No responses match'],
    [`${answered.formId}/r/${submitted.id}`, 'The e-mail bounced'],
    [`${answered.formId}/views`, 'There are no views yet'],
    [`${answered.formId}/drafts`, 'There are no drafts'],
    ['00000000', 'Page not found'],
    ['nothing/at/all', 'Page not found'],
  ] as const) {
    await page.goto(`${server().url}/review/${path}`);
    await page.getByText(shown).waitFor();
    await expectAccessible(page);
  }
  await page.context().close();
  const outsider = await server().open('chelsea');
  await outsider.goto(`${server().url}/review/${open.formId}`);
  await outsider.getByRole('heading', { name: 'You do not have access' }).waitFor();
  await expectAccessible(outsider);
  await outsider.context().close();
});

test('two members who change a view see both versions', async () => {
  const { formId } = await demoForm();
  const page = await server().open('bob');
  await page.goto(`${server().url}/review/${formId}/views`);
  await page.getByRole('button', { name: 'Create view' }).click();
  await page.goto(`${server().url}/review/${formId}/views`);
  await page.getByRole('link', { name: 'Edit Untitled view' }).click();
  const name = (shown: Page) => shown.locator('#view-title');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await name(other).fill('Theirs');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.locator('[data-flash]').getByText('The view was saved.').waitFor();
  await name(page).fill('Mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Theirs', { exact: true }).waitFor();
  expect(await name(page).inputValue()).toBe('Mine');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'View “Mine”' }).waitFor();
  await page.context().close();
});
