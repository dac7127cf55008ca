/**
 * The whole journey of a respondent through the demo form: with scripts, without them, at 320 pixels, in dark mode and in
 * both languages. Each page is checked with axe-core. `journey.test.ts` answers a form by keyboard alone.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { record } from './browser.ts';
import { expectAccessible, listShifts, servePages } from './page-server.ts';

const server = servePages();

const ENGLISH = {
  start: 'Start',
  continue: 'Continue',
  again: 'Start another response',
  summary: 'There is a problem',
  add: /^Add Benches/,
  check: 'Check your answers',
  submit: 'Submit',
  done: 'Thank you',
};
const CHINESE: Record<keyof typeof ENGLISH, string | RegExp> = {
  start: '開始填寫',
  continue: '繼續',
  again: '再填一份',
  summary: '請修正以下問題',
  add: /^將「Benches」加入/,
  check: '確認你的答案',
  submit: '送出',
  done: '謝謝你的填寫',
};

const PICTURE = {
  name: 'heron <b>.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
};

async function journey(page: Page, t: Record<keyof typeof ENGLISH, string | RegExp>, hasScripts: boolean) {
  const next = () => page.getByRole('button', { name: t.continue, exact: true }).click();
  await expectAccessible(page, hasScripts);
  await page.getByRole('link', { name: 'Visitor survey' }).first().click();
  await page.waitForURL('**/f/*');
  await expectAccessible(page, hasScripts);
  await page
    .getByRole('button', { name: t.start })
    .or(page.getByRole('button', { name: t.again }))
    .first()
    .click();

  // Nothing is answered: the summary takes the focus and leads to each field.
  await page.getByRole('heading', { name: 'Your visit' }).waitFor();
  await expectAccessible(page, hasScripts);
  await next();
  await page.getByRole('heading', { name: t.summary }).waitFor();
  if (hasScripts) await page.locator('[data-error-summary]:focus').waitFor();
  await expectAccessible(page, hasScripts);
  await page.locator('.error-summary a').first().click();
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('text');

  await page.getByLabel('What shall we call you?').fill('Dave <script>alert(1)</script>');
  await page.getByLabel('When did you come?').fill('2026-05-01');
  await page.getByLabel('How many of you came?').fill('4.5');
  await page.getByLabel('Yes, my first time').check();
  await page.getByLabel('How did you get here?').selectOption({ label: 'Otherwise' });
  await page.locator('.other-of-dropdown input').fill('By canoe');
  await next();
  // What the question expects is said at its field, and what was typed stays.
  await page.getByRole('heading', { name: t.summary }).waitFor();
  expect(await page.getByLabel('How many of you came?').inputValue()).toBe('4.5');
  await expectAccessible(page, hasScripts);
  await page.getByLabel('How many of you came?').fill('4');
  await next();

  await page.getByRole('heading', { name: 'First impressions' }).waitFor();
  await page.getByLabel('Herons').check();
  await page.getByLabel('The bank').check();
  await page.getByRole('button', { name: t.add }).click();
  await page.locator('.ranked', { hasText: 'Benches' }).waitFor();
  await page.locator('.scale:not(.rating) input[value="8"]').check();
  await expectAccessible(page, hasScripts);
  await next();

  await page.getByRole('heading', { name: 'In closing' }).waitFor();
  await page.locator('.rating input[value="4"]').check();
  await page.getByLabel('What else should we know?').fill('Frogs & <b>herons</b>');
  await page.getByLabel('Have you written about it?').fill('half a link');
  await page.locator('input[type=file]').setInputFiles(PICTURE);
  if (hasScripts) await page.getByRole('link', { name: PICTURE.name }).waitFor();
  await next();
  await page.getByRole('heading', { name: t.summary }).waitFor();
  expect(await page.getByLabel('Have you written about it?').inputValue()).toBe('half a link');
  expect(await page.getByLabel('What else should we know?').inputValue()).toBe('Frogs & <b>herons</b>');
  await expectAccessible(page, hasScripts);
  await page.getByLabel('Have you written about it?').fill('https://example.org/frogs');
  await next();

  await page.getByRole('heading', { name: t.check }).waitFor();
  const answers = await page.locator('.answers').allInnerTexts();
  for (const text of ['Dave <script>alert(1)</script>', 'By canoe', 'Herons', 'The bank', 'Benches', PICTURE.name]) {
    expect(answers.join('\n')).toContain(text);
  }
  await expectAccessible(page, hasScripts);
  await page.getByRole('button', { name: t.submit, exact: true }).click();
  await page.getByRole('heading', { name: t.done }).waitFor();
  await expectAccessible(page, hasScripts);
  expect(await page.getByText('Thank you for your time, Dave <script>alert(1)</script>!').count()).toBe(1);
}

type Way = [string, string, BrowserContextOptions, typeof CHINESE, boolean];
const WAYS: Way[] = [
  ['without scripts', 'bob', { javaScriptEnabled: false }, ENGLISH, false],
  [
    'at 320 pixels, dark, in Chinese',
    'oscar',
    { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'zh-TW' },
    CHINESE,
    true,
  ],
];
const OTHER_WAYS: Way[] = [
  ['with scripts', 'alice', {}, ENGLISH, true],
  [
    'without scripts, at 320 pixels, in Chinese',
    'chelsea',
    { javaScriptEnabled: false, viewport: { width: 320, height: 640 }, locale: 'zh-TW' },
    CHINESE,
    false,
  ],
];

describe('a respondent answers the demo form', () => {
  test.for(IS_NIGHTLY ? [...WAYS, ...OTHER_WAYS] : WAYS)('%s', async ([, who, options, texts, hasScripts]) => {
    const page = await server().open(who, options);
    const activity = record(page);
    await page.goto(server().url);
    await journey(page, texts, hasScripts);
    const foreign = activity.requested.filter(
      (url) => !url.startsWith(server().url) && !url.startsWith(server().storage),
    );
    expect(foreign).toEqual([]);
    // A section with errors has the status 400, which the browser reports.
    expect(activity.errors.filter((text) => !text.includes('status of 400'))).toEqual([]);
    await page.context().close();
  });
});

test('no page moves while it loads, also with the fonts of a form', async () => {
  const page = await server().open('dave');
  await page.goto(server().url);
  const response = await page.locator('a.row-link').first().getAttribute('href');
  const form = `${server().url}${response}`;
  await page.goto(form);
  const done = await page.locator('a.row-link[href$="/done"]').first().getAttribute('href');
  await page.locator('.actions a.button').first().click();
  await page.waitForURL('**/r/**');
  for (const address of [server().url, form, page.url(), `${server().url}${done}`]) {
    await page.goto(address, { waitUntil: 'networkidle' });
    expect(await listShifts(page), address).toEqual([]);
  }
  await page.context().close();
});
