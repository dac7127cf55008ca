/** What depends on how a browser shows a page: forced colours, large text, the size of targets, paper, the focus. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, servePages, signInAs } from './page-server.ts';

const server = servePages();

/** Opens a page of the form as its author. */
async function openAs(who: string, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await server().open(who, options);
  await page.goto(server().url + path);
  return page;
}

const RANKING = ['Paths', 'Signs', 'Benches'].map((name) => ({ name }));

/** Submits a response of dave. */
async function respond(formId: string, answers: readonly { questionId: string; value: string }[]): Promise<void> {
  const { client } = await signInAs('dave');
  const body = { answers: answers.map((answer) => ({ ...answer, questionType: 'HYPERLINK' as const })), submit: true };
  await client.responses.startResponse({ params: { formId }, body });
}

test('forced colours mark only the current page and tab', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  await respond(formId, []);
  const page = await openAs('alice', `/review/${formId}`, { forcedColors: 'active' });
  const colours = await page.evaluate(`[...document.querySelectorAll('.app-bar .tabs a')].map((link) => [
    link.hasAttribute('aria-current'),
    getComputedStyle(link).borderBlockEndColor === getComputedStyle(document.body).backgroundColor,
  ])`);
  expect(colours).toEqual([false, false, false, false, false, true].map((isCurrent) => [isCurrent, !isCurrent]));
  await page.context().close();
});

test('text of 200 % fits a phone on the page of statistics', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }], [{ type: 'SHORT_TEXT' }]]);
  await respond(formId, []);
  const page = await openAs('alice', `/review/${formId}/statistics`, { viewport: { width: 390, height: 800 } });
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  // What is wider than the screen, from the outside in; tabs scroll in their row.
  const wide = `[...document.querySelectorAll('main *')]
    .filter((element) => element.checkVisibility() && !element.closest('nav.tabs') && element.getBoundingClientRect().right > innerWidth)
    .map((element) => element.outerHTML.slice(0, 80))`;
  expect(await page.evaluate(wide)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.context().close();
});

test('links in the cells of the table can be hit', async () => {
  const { formId, questionIds } = await server().newForm([[{ type: 'HYPERLINK', title: 'Link' }]]);
  for (const value of [`https://example.org/${'long/'.repeat(40)}`, 'https://example.org'])
    await respond(formId, [{ questionId: questionIds[0] ?? '', value }]);
  const page = await openAs('alice', `/review/${formId}`);
  await page.locator('.cell a').first().waitFor();
  const heights = await page.evaluate(
    "[...document.querySelectorAll('.cell a')].flatMap((link) => [...link.getClientRects()].map(({ height }) => height))",
  );
  for (const height of heights as number[]) expect(height).toBeGreaterThanOrEqual(24);
  await expectAccessible(page);
  await page.context().close();
});

test('on paper no heading stands alone at the foot of a page', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const page = await server().open('dave');
  const { client } = await signInAs('dave');
  const { id } = (await client.responses.startResponse({ params: { formId }, body: { submit: true } })).body;
  await page.goto(`${server().url}/r/${id}/done`);
  await page.emulateMedia({ media: 'print' });
  expect(await page.evaluate("getComputedStyle(document.querySelector('.answers h3')).breakAfter")).toBe('avoid');
  await page.context().close();
});

test('the submit of a response names the zone of the browser', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const page = await openAs('dave', `/f/${formId}`, { timezoneId: 'Asia/Taipei' });
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/check');
  expect(await page.locator('input[name="timeZone"]').inputValue()).toBe('Asia/Taipei');
  await page.context().close();
});

test('by keyboard a choice stops at the top of a ranking, and an error is called one', async () => {
  const { formId } = await server().newForm([
    [
      { type: 'RANKING', title: 'Rank', choices: RANKING },
      { type: 'HYPERLINK', title: 'Link' },
    ],
  ]);
  const page = await openAs('dave', `/f/${formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  for (const { name } of RANKING) await page.getByRole('button', { name: `Add ${name} to` }).click();
  const up = page.getByRole('button', { name: 'Move Signs up' });
  await up.focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('Enter');
  expect(await page.locator('.ranked .rank-name').allInnerTexts()).toEqual(['Signs', 'Paths', 'Benches']);
  expect(await up.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
  expect(await up.getAttribute('aria-disabled')).toBe('true');
  await page.getByLabel('Link').fill('https:/');
  await page.locator('.question .error').waitFor();
  expect(await page.locator('.question .error').textContent()).toMatch(/^Error: Enter a full web address/);
  await expectAccessible(page);
  await page.context().close();
});
