/**
 * A form whose questions have every member, as its respondent meets it, with and without scripts and in both languages: each answer
 * that is not what its question asks for is said at its field, to eyes and ears, and right answers are submitted.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

const choices = ['Red', 'Green', 'Blue', 'White'].map((name) => ({ name }));
const scale = { minVal: 1, maxVal: 3 };
const short = (title: string, text: object) => ({ type: 'SHORT_TEXT' as const, title, text });

const QUESTIONS: Parameters<ReturnType<typeof server>['newForm']>[0] = [
  [
    { ...short('Name', { minLength: 2, maxLength: 5 }), name: 'who', required: true },
    short('Address', { format: 'EMAIL' }),
    short('Telephone', { format: 'PHONE' }),
    short('Weight', { format: 'NUMBER', min: 1, max: 90, unit: 'kg' }),
    short('People', { format: 'NUMBER', decimals: 0 }),
    short('Arrival', { format: 'TIME' }),
    short('Badge', { format: 'PATTERN', pattern: '[A-Z]{2}\\d+', hint: 'two letters and digits' }),
    { type: 'LONG_TEXT', title: 'Remarks', text: { maxLength: 10 } },
    { type: 'MULTIPLE_CHOICE', title: 'Colours', choices, selection: { min: 2, max: 3 }, shuffle: true },
    { type: 'DETAILED_MULTIPLE_CHOICE', title: 'Walks', choices, selection: { max: 1 } },
    { type: 'SINGLE_CHOICE', title: 'Paths', choices, grid: true, required: true },
    { type: 'SINGLE_CHOICE', title: 'Benches', choices, grid: true, required: true },
    { type: 'LINEAR_SCALE', title: 'Frogs', scale, grid: true },
    { type: 'LINEAR_SCALE', title: 'Herons', scale, grid: true },
    { type: 'DROPDOWN', title: 'Season', choices, shuffle: true },
    { type: 'RANKING', title: 'Order', choices, selection: { min: 2 } },
    { ...short('Source', { maxLength: 9 }), hidden: true },
  ],
  [{ type: 'SHORT_TEXT', title: 'Anything else, {{who}}?' }],
];

/** What is typed first, then the right answer, and the message in between. */
const TYPED: Record<string, [wrong: string, right: string, en: string, zhTw: string]> = {
  Name: ['A', 'Ann', 'Enter 2 to 5 characters', '請輸入 2 到 5 個字元'],
  Address: [
    'ann',
    'ann@example.org',
    'Enter an e-mail address, such as name@example.org',
    '請輸入電子郵件地址，例如 name@example.org',
  ],
  Telephone: [
    '12345',
    '(02) 2345-6789',
    'Enter a telephone number with 6 to 15 digits, such as +886 2 2345 6789',
    '請輸入 6 到 15 位數的電話號碼，例如 +886 2 2345 6789',
  ],
  Weight: ['91', '7,5', 'Enter a number from 1 to 90', '請輸入 1 到 90 之間的數字'],
  People: ['1.5', '2', 'Enter a whole number', '請輸入整數'],
  Arrival: [
    '24:00',
    '09:30',
    'Enter a time of day from 00:00 to 23:59, such as 09:30',
    '請輸入 00:00 到 23:59 之間的時間，例如 09:30',
  ],
  Badge: ['x1', 'AB1', 'two letters and digits', 'two letters and digits'],
  Remarks: ['much too long', 'short', 'Use at most 10 characters', '最多 10 個字元'],
};
/** Of questions with choices: how many are selected first and then, and the message. */
const SELECTED: Record<string, [wrong: number, right: number, en: string, zhTw: string]> = {
  Colours: [1, 2, 'Choose 2 to 3', '請選擇 2 到 3 項'],
  Walks: [2, 1, 'Choose at most 1', '最多選擇 1 項'],
};

test.for(LOOKS)('each answer is judged at its field, and spoken: %j', async (look) => {
  const hasScripts = !('javaScriptEnabled' in look);
  const isChinese = 'locale' in look;
  const { formId, questionIds, sectionIds } = await server().newForm(QUESTIONS, { title: 'Every member' });
  const titles = QUESTIONS.flatMap((section) => section.map(({ title = '' }) => title));
  const page = await server().open('dave', look);
  const control = (title: string) => page.locator(`[name="q.${questionIds[titles.indexOf(title)]}"]`);
  const next = () => page.locator('button[value="next"].large').click();
  const select = async (title: string, count: number): Promise<void> => {
    const boxes = control(title);
    for (let index = 0; index < choices.length; index += 1) await boxes.nth(index).setChecked(index < count);
  };
  await page.goto(`${server().url}/f/${formId}?q.${questionIds[titles.indexOf('Source')]}=poster`);
  await page.locator(`form[action="/f/${formId}/start"] button`).first().click();
  await control('Name').waitFor();
  expect(await control('Source').count()).toBe(0);
  expect(await page.locator('table.question-grid').count()).toBe(2);
  await expectAccessible(page, hasScripts);

  for (const [title, [wrong]] of Object.entries(TYPED)) await control(title).fill(wrong);
  for (const [title, [wrong]] of Object.entries(SELECTED)) await select(title, wrong);
  await control('Paths').first().check();
  await next();
  await page.locator('[data-error-summary]').waitFor();
  if (hasScripts) await page.locator('[data-error-summary]:focus').waitFor();
  const spoken = (en: string, zhTw: string): string => (isChinese ? `錯誤：${zhTw}` : `Error: ${en}`);
  const messages = Object.entries({ ...TYPED, ...SELECTED }).map(([title, [, , en, zhTw]]) => [
    title,
    spoken(en, zhTw),
  ]);
  expect(await readMessages(page, questionIds, titles)).toEqual({
    ...Object.fromEntries(messages),
    Benches: spoken('Choose an answer', '請選擇答案'),
  });
  for (const [title, [wrong]] of Object.entries(TYPED)) expect(await control(title).inputValue()).toBe(wrong);
  await expectAccessible(page, hasScripts);

  for (const [title, [, right]] of Object.entries(TYPED)) await control(title).fill(right);
  for (const [title, [, right]] of Object.entries(SELECTED)) await select(title, right);
  for (const title of ['Benches', 'Frogs', 'Herons']) await control(title).nth(1).check();
  await next();
  await page.waitForURL(`**/s/${sectionIds[1]}`);
  await page.getByText('Anything else, Ann?').first().waitFor();
  await expectAccessible(page, hasScripts);
  await next();
  await page.waitForURL('**/check');
  await expectAccessible(page, hasScripts);
  await page.locator('form[action$="/submit"] button').last().click();
  await page.waitForURL('**/done');
  await expectAccessible(page, hasScripts);
  await page.context().close();
});

/** The messages of all fields by the titles of their questions, each of which the invalid control names as its description. */
async function readMessages(page: Page, questionIds: readonly string[], titles: readonly string[]) {
  const found = (await page.evaluate(`Object.fromEntries(
    [...document.querySelectorAll('[aria-invalid="true"]')].flatMap((control) => {
      const id = (control.name || control.querySelector('[name^="q."]')?.name || '').replace('q.', '');
      const texts = (control.getAttribute('aria-describedby') ?? control.closest('[aria-describedby]')?.getAttribute('aria-describedby') ?? '')
        .split(' ').flatMap((each) => (each.endsWith('-error') ? [document.getElementById(each)?.textContent ?? ''] : []));
      return texts.length === 0 ? [] : [[id, texts.join(' ')]];
    }),
  )`)) as Record<string, string>;
  const titleOf = new Map(questionIds.map((id, index) => [id, titles[index] ?? '']));
  return Object.fromEntries(Object.entries(found).map(([id, text]) => [titleOf.get(id) ?? id, text]));
}
