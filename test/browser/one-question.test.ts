/**
 * A section that shows one question at a time: keys, the way forth and back, faults, links to questions, and what stays as it is, which
 * is every save, every upload and the page without scripts.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { QuestionKind } from '#test/support/fixtures.ts';
import { displays, preview, readQuestions, save, start, text } from '#test/support/responses.ts';
import { record } from './browser.ts';
import { expectAccessible, NO_SCRIPTS, SMALL, servePages, signInAs, WIDE } from './page-server.ts';

const server = servePages();

const named = (...names: string[]) => names.map((name) => ({ name }));

/** Questions of each kind of control; those of the table are one. */
const LAKES: QuestionKind[] = [
  { type: 'SHORT_TEXT', title: 'Your name', required: true },
  { type: 'SINGLE_CHOICE', title: 'Which lake?', choices: named('Ness', 'Lomond', 'Tay'), required: true },
  { type: 'MULTIPLE_CHOICE', title: 'What did you see?', choices: named('Frogs', 'Herons') },
  { type: 'LINEAR_SCALE', title: 'How clean?', scale: { minVal: 0, maxVal: 10 } },
  { type: 'SINGLE_CHOICE', title: 'Boats?', choices: named('Yes', 'No') },
  { type: 'SINGLE_CHOICE', title: 'Trains?', choices: named('Yes', 'No'), grid: true },
  { type: 'LONG_TEXT', title: 'Why?' },
  { type: 'DROPDOWN', title: 'How long?', choices: named('An hour', 'A day') },
];
const NAME: QuestionKind = { type: 'SHORT_TEXT', title: 'Your name' };
const LAKE: QuestionKind = { type: 'SHORT_TEXT', title: 'Your lake' };
const BOAT: QuestionKind = { type: 'SHORT_TEXT', title: 'Your boat' };
const LAST: QuestionKind = { type: 'SHORT_TEXT', title: 'Anything else?' };

type Options = Parameters<ReturnType<typeof server>['open']>[1];

/** Opens the first section of a draft of dave's, with one question at a time. */
async function openDraft(sections: QuestionKind[][], options: Options = WIDE) {
  const dave = await signInAs('dave');
  const form = await server().newForm(sections, { layout: 'ONE_QUESTION' });
  const responseId = await start(dave, form.formId);
  const page = await server().open('dave', options);
  const section = `${server().url}/r/${responseId}/s/${form.sectionIds[0]}`;
  await page.goto(section);
  const stored = async (): Promise<Record<string, string | null>> => {
    const answers = displays(await preview(dave, form.formId, responseId));
    const titles = new Map(
      (await readQuestions(await signInAs('alice'), form.formId)).map(({ id, title }) => [id, title]),
    );
    return Object.fromEntries(Object.entries(answers).map(([id, value]) => [titles.get(id) ?? id, value]));
  };
  return { ...form, dave, responseId, page, section, stored };
}

/** Waits until the page shows a question, and no other. */
async function shows(page: Page, step: string, title: string): Promise<void> {
  await page.locator('[data-question-step]', { hasText: new RegExp(`^${step}$`) }).waitFor();
  expect(await page.locator('.question-title:visible').allInnerTexts()).toEqual([expect.stringContaining(title)]);
}

/** Says in which question the focus is. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `document.activeElement.closest('[data-question]')?.querySelector('.question-title').firstChild.textContent.trim() ?? document.activeElement.tagName`,
  );
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const back = (page: Page) => page.locator('.section-actions button:visible', { hasText: /^Back$/ });
const proceed = (page: Page) => page.locator('.section-actions [value="next"]');
const label = (page: Page, title: string) => page.getByLabel(new RegExp(`^${title.replace('?', '\\?')}`));

describe('by keys', () => {
  test('a section is answered with digits and Enter, and each question is announced', async () => {
    const { page, stored } = await openDraft([LAKES, [LAST]]);
    const activity = record(page);
    await page.evaluate(`globalThis.said = []; new MutationObserver(() =>
      said.push(document.querySelector('[data-announcer]').textContent)).observe(
        document.querySelector('[data-announcer]'), { childList: true, characterData: true, subtree: true })`);
    await shows(page, 'Question 1 of 7', 'Your name');
    await label(page, 'Your name').fill('Ada 12');
    await page.keyboard.press('Enter');
    await shows(page, 'Question 2 of 7', 'Which lake?');
    expect(await focused(page)).toBe('Which lake?');
    await page.keyboard.press('2');
    expect(await page.getByLabel('Lomond').isChecked()).toBe(true);
    await page.keyboard.press('9');
    await page.keyboard.press('Control+1');
    expect(await page.getByLabel('Lomond').isChecked()).toBe(true);
    await page.keyboard.press('3');
    await page.keyboard.press('Enter');
    await shows(page, 'Question 3 of 7', 'What did you see?');
    for (const key of ['1', '2', '1', 'Enter']) await page.keyboard.press(key);
    await shows(page, 'Question 4 of 7', 'How clean?');
    for (const key of ['0', '7', 'Enter']) await page.keyboard.press(key);
    await page.locator('[data-question-step]', { hasText: 'Question 5 of 7' }).waitFor();
    expect(await focused(page)).toBe('Boats?');
    await page.keyboard.press('1');
    expect(await focused(page)).toBe('Trains?');
    for (const key of ['2', 'Enter']) await page.keyboard.press(key);
    await shows(page, 'Question 6 of 7', 'Why?');
    for (const key of ['1', 'Enter', '2']) await page.keyboard.press(key);
    expect(await label(page, 'Why?').inputValue()).toBe('1\n2');
    await next(page).click();
    await shows(page, 'Question 7 of 7', 'How long?');
    expect(await focused(page)).toBe('How long?');
    await page.keyboard.press('1');
    expect(await label(page, 'How long?').inputValue()).toBe('');
    await label(page, 'How long?').selectOption('A day');
    expect(await next(page).isVisible()).toBe(false);
    expect(await page.evaluate('said')).toEqual(
      expect.arrayContaining([2, 3, 4, 5, 6, 7].map((n) => `Question ${n} of 7`)),
    );
    await proceed(page).click();
    // A section of one question has no steps.
    await label(page, 'Anything else?').waitFor();
    expect(await page.locator('[data-question-step], [data-next-question], script[src*="one-question"]').count()).toBe(
      0,
    );
    expect(await stored()).toMatchObject({
      'Your name': 'Ada 12',
      'Which lake?': 'Tay',
      'What did you see?': 'Herons',
      'How clean?': '7 (0-10)',
      'Boats?': 'Yes',
      'Trains?': 'No',
      'Why?': '1\n2',
      'How long?': 'A day',
    });
    expect(activity.errors).toEqual([]);
    await page.context().close();
  });

  test('one press is one step: a key that is held and a double click skip and send nothing', async () => {
    const { page } = await openDraft([[NAME, LAKE, BOAT], [LAST]]);
    await label(page, 'Your name').focus();
    // Enter also ends a composition, as of Chinese; in Safari just after it.
    for (const init of ['isComposing: true', 'keyCode: 229']) {
      await page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ${init} }))`,
      );
      await shows(page, 'Question 1 of 3', 'Your name');
    }
    for (let count = 0; count < 5; count += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await shows(page, 'Question 2 of 3', 'Your lake');
    await next(page).dblclick();
    await shows(page, 'Question 3 of 3', 'Your boat');
    for (let count = 0; count < 2; count += 1) await page.keyboard.press('Enter');
    await label(page, 'Anything else?').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await shows(page, 'Question 3 of 3', 'Your boat');
    await page.context().close();
  });
});

describe('forth and back', () => {
  test('the buttons, the history of the browser, a reload and a visit on another day show the question again', async () => {
    const { page, section, responseId } = await openDraft([[NAME, { ...LAKE, required: true }, BOAT], [LAST]]);
    await label(page, 'Your name').fill('Ada');
    await next(page).click();
    await label(page, 'Your lake').fill('Ness');
    await next(page).click();
    await shows(page, 'Question 3 of 3', 'Your boat');
    await page.goBack();
    await shows(page, 'Question 2 of 3', 'Your lake');
    expect(await focused(page)).toBe('Your lake');
    await back(page).click();
    await shows(page, 'Question 1 of 3', 'Your name');
    await next(page).click();
    await page.reload();
    await shows(page, 'Question 2 of 3', 'Your lake');
    expect(await label(page, 'Your lake').inputValue()).toBe('Ness');
    await label(page, 'Your lake').fill('');
    await page.locator('[data-save-state]', { hasText: /^Saved/ }).waitFor();
    // The question that misses an answer, and once nothing is missing, the one after the last answer.
    await page.goto(`${server().url}/r/${responseId}`);
    await shows(page, 'Question 2 of 3', 'Your lake');
    expect(page.url().startsWith(section)).toBe(true);
    await page.context().close();
  });

  test('the section before opens at its last question, also from the page with all answers', async () => {
    const { page, responseId } = await openDraft([
      [NAME, LAKE],
      [LAST, BOAT],
    ]);
    await next(page).click();
    await proceed(page).click();
    await shows(page, 'Question 1 of 2', 'Anything else?');
    await back(page).click();
    await shows(page, 'Question 2 of 2', 'Your lake');
    await page.goto(`${server().url}/r/${responseId}/check`);
    await page.getByRole('link', { name: 'Back' }).click();
    await shows(page, 'Question 2 of 2', 'Your boat');
    await page.context().close();
  });

  test('a link of the page with all answers opens its question, from which one press returns', async () => {
    const { page, responseId, stored } = await openDraft([[NAME, LAKE, BOAT]]);
    await page.goto(`${server().url}/r/${responseId}/check`);
    await page.locator('a[href*="from=check"]').nth(1).click();
    await shows(page, 'Question 2 of 3', 'Your lake');
    expect(await page.locator('.section-actions button:visible').allInnerTexts()).toEqual([
      'Save and return',
      'Next',
      'Back',
      'Save and finish later',
    ]);
    await label(page, 'Your lake').fill('Tay');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/check');
    expect(await stored()).toMatchObject({ 'Your lake': 'Tay' });
    await page.context().close();
  });

  test('another language shows the same question', async () => {
    const { page } = await openDraft([[NAME, LAKE]]);
    await next(page).click();
    await page.getByRole('button', { name: '中文' }).click();
    await shows(page, '第 2 題，共 2 題', 'Your lake');
    await page.context().close();
  });
});

describe('questions with faults', () => {
  test('the first is shown, and the links of the summary open each', async () => {
    const { page } = await openDraft([LAKES, [LAST]]);
    for (let count = 0; count < 6; count += 1) await next(page).click();
    await shows(page, 'Question 7 of 7', 'How long?');
    await proceed(page).click();
    await page.locator('.error-summary:focus').waitFor();
    await shows(page, 'Question 1 of 7', 'Your name');
    await page.locator('.error-summary a', { hasText: 'Which lake?' }).click();
    await shows(page, 'Question 2 of 7', 'Which lake?');
    expect(await focused(page)).toBe('Which lake?');
    await page.keyboard.press('1');
    await back(page).click();
    await label(page, 'Your name').fill('Ada');
    for (let count = 0; count < 6; count += 1) await next(page).click();
    await proceed(page).click();
    await label(page, 'Anything else?').waitFor();
    await page.context().close();
  });

  test('half a date that was left is pointed out, and shown by Continue', async () => {
    const date = { hasYear: true, hasMonth: true, hasDay: true };
    const { page } = await openDraft([[{ type: 'DATE', title: 'When?', date }, NAME, LAKE], [LAST]]);
    await label(page, 'When?').focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await shows(page, 'Question 2 of 3', 'Your name');
    await page.getByRole('link', { name: 'Question 1 needs another look' }).waitFor();
    await next(page).click();
    await proceed(page).click();
    await shows(page, 'Question 1 of 3', 'When?');
    await page.locator('[data-press-result]', { hasText: 'Enter a complete date that exists' }).waitFor();
    await page.context().close();
  });
});

test('hidden questions are not counted, and what a link has filled in is shown', async () => {
  const hidden: QuestionKind = { type: 'SHORT_TEXT', title: 'Source', name: 'source', hidden: true };
  const { formId } = await server().newForm([[hidden, { ...NAME, name: 'name' }, LAKE]], { layout: 'ONE_QUESTION' });
  const page = await server().open('dave');
  await page.goto(`${server().url}/f/${formId}?q.source=mail&q.name=Ada`);
  await page.getByRole('button', { name: 'Start' }).click();
  await shows(page, 'Question 1 of 2', 'Your name');
  expect(await label(page, 'Your name').inputValue()).toBe('Ada');
  await page.context().close();
});

test('without scripts, it is a section with all its questions', async () => {
  const { page, stored } = await openDraft([[NAME, LAKE, BOAT], [LAST]], NO_SCRIPTS);
  expect(await page.locator('.question:visible').count()).toBe(3);
  expect(await page.locator('.section-actions button:visible').allInnerTexts()).toEqual([
    'Continue',
    'Back',
    'Save and finish later',
  ]);
  await expectAccessible(page, false);
  await label(page, 'Your boat').fill('Frog');
  await page.keyboard.press('Enter');
  await label(page, 'Anything else?').waitFor();
  expect(await stored()).toMatchObject({ 'Your boat': 'Frog' });
  await page.context().close();
});

test.each([SMALL, WIDE])('everybody can use it: %j', async (look) => {
  const { page } = await openDraft([LAKES], look);
  const step = page.locator('[data-question-step]');
  const forward = page.locator('[data-next-question]');
  await step.waitFor();
  await expectAccessible(page);
  for (let count = 0; count < 6; count += 1) {
    await forward.click();
    await expectAccessible(page);
  }
  await proceed(page).click();
  await page.locator('.error-summary:focus').waitFor();
  await expectAccessible(page);
  await page.context().close();
});

describe('the second minute', () => {
  const FILE = { name: 'frogs.txt', mimeType: 'text/plain', buffer: Buffer.from('frogs') };
  const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 3, maxFileSizeLimit: 1_000 };
  const PICTURES: QuestionKind = { type: 'UPLOAD_FILE', title: 'Pictures', uploadFile };

  test('an upload goes on while another question is answered, and Continue waits for it', async () => {
    const { page, stored } = await openDraft([[PICTURES, NAME], [LAST]]);
    const released = Promise.withResolvers<void>();
    await page.route(`${server().storage}/**`, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.getByRole('progressbar', { name: 'Uploading frogs.txt' }).waitFor();
    await next(page).click();
    await label(page, 'Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await page.locator('.section-actions [aria-busy="true"]', { hasText: 'Uploading…' }).waitFor();
    await shows(page, 'Question 2 of 2', 'Your name');
    released.resolve();
    await label(page, 'Anything else?').waitFor();
    expect(await stored()).toMatchObject({ Pictures: expect.stringContaining('frogs.txt'), 'Your name': 'Ada' });
    await page.context().close();
  });

  test('a file that was not uploaded is pointed out from another question', async () => {
    const { page } = await openDraft([[PICTURES, NAME], [LAST]]);
    await page.route(`${server().storage}/**`, (route) => route.abort());
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await next(page).click();
    await page.getByRole('link', { name: 'Question 1 needs another look' }).waitFor();
    await proceed(page).click();
    await shows(page, 'Question 1 of 2', 'Pictures');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'frogs.txt' }).waitFor();
    expect(await page.getByRole('link', { name: 'needs another look' }).count()).toBe(0);
    await page.context().close();
  });

  test('what is typed while the network is lost is kept through the steps and stored once it is back', async () => {
    const { page, stored } = await openDraft([[NAME, LAKE], [LAST]]);
    await page.context().setOffline(true);
    await label(page, 'Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await label(page, 'Your lake').fill('Ness');
    await page.keyboard.press('Enter');
    await page.locator('.section-actions [aria-busy="true"]', { hasText: 'Continues once you are online…' }).waitFor();
    await page.context().setOffline(false);
    await label(page, 'Anything else?').waitFor();
    expect(await stored()).toMatchObject({ 'Your name': 'Ada', 'Your lake': 'Ness' });
    await page.context().close();
  });

  test('an answer of another tab is a conflict at its question, which Continue shows', async () => {
    const { page, dave, responseId, questionIds, stored } = await openDraft([[NAME, LAKE], [LAST]]);
    await save(dave, responseId, [text(questionIds[0] ?? '', 'Other')]);
    await label(page, 'Your name').fill('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Question 1 needs another look' }).waitFor();
    await shows(page, 'Question 2 of 2', 'Your lake');
    await label(page, 'Your lake').fill('Ness');
    await page.keyboard.press('Enter');
    await shows(page, 'Question 1 of 2', 'Your name');
    await page.getByRole('button', { name: 'Keep my answer' }).click();
    await page.locator('[data-conflict]').waitFor({ state: 'detached' });
    await next(page).click();
    await proceed(page).click();
    await label(page, 'Anything else?').waitFor();
    expect(await stored()).toMatchObject({ 'Your name': 'Ada', 'Your lake': 'Ness' });
    await page.context().close();
  });

  test.for([
    false,
    true,
  ])('choices that depend on the question before appear at theirs while it is shown (a row of a table: %s)', async (isRow) => {
    const row = { type: 'SINGLE_CHOICE', choices: named('Frogs', 'Herons'), grid: true } as const;
    const kinds = isRow ? ['In June?', 'In July?'].map((title) => ({ ...row, title })) : [LAKES[2] ?? NAME];
    const { formId, sectionIds, questionIds } = await server().newForm([kinds], { layout: 'ONE_QUESTION' });
    const alice = await signInAs('alice');
    const best = {
      type: 'SINGLE_CHOICE' as const,
      title: 'The best?',
      required: false,
      description: null,
      order: kinds.length + 1,
    };
    const body = { ...best, sourceId: questionIds[0] ?? '' };
    await alice.client.questions.createQuestion({ params: { sectionId: sectionIds[0] ?? '' }, body });
    const page = await server().open('dave');
    await page.clock.install();
    await page.goto(`${server().url}/f/${formId}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('[data-question-step]', { hasText: /^Question 1 of 2$/ }).waitFor();
    const titles = kinds.map(({ title }): unknown => expect.stringContaining(title ?? ''));
    expect(await page.locator('.question-title:visible').allInnerTexts()).toEqual(titles);
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const key of ['2', 'Enter']) await page.keyboard.press(key);
    // They do not wait for the pause after which answers are saved.
    await page.clock.runFor(100);
    await shows(page, 'Question 2 of 2', 'The best?');
    await page.getByRole('radio', { name: 'Herons' }).waitFor();
    await shows(page, 'Question 2 of 2', 'The best?');
    expect(await focused(page)).toBe('The best?');
    await page.keyboard.press('1');
    expect(await page.getByRole('radio', { name: 'Herons' }).isChecked()).toBe(true);
    await page.context().close();
  });
});

test('authors try it in the preview', async () => {
  const { formId } = await server().newForm([[{ ...NAME, required: true }, LAKE], [LAST]], { layout: 'ONE_QUESTION' });
  const page = await server().open('alice');
  await page.goto(`${server().url}/build/${formId}/preview`);
  await page.getByRole('button', { name: 'Start' }).click();
  await shows(page, 'Question 1 of 2', 'Your name');
  await label(page, 'Your name').focus();
  await page.keyboard.press('Enter');
  await shows(page, 'Question 2 of 2', 'Your lake');
  await page.keyboard.press('Enter');
  await shows(page, 'Question 1 of 2', 'Your name');
  await label(page, 'Your name').fill('Ada');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await label(page, 'Anything else?').waitFor();
  await page.context().close();
});
