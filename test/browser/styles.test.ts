/** Every shared part of the pages in every state: nothing for axe to find, in both languages, light and dark, wide and narrow. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { stylesPages } from '#stacks/local/styles/page.ts';
import { IS_NIGHTLY } from '#test/support/nightly.ts';
import { closePages, record, shareBrowser } from './browser.ts';
import { expectAccessible } from './page-server.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  browser = await shareBrowser();
  server = await startServer({ routes: routes(), port: 0, pages: stylesPages() });
});
afterAll(async () => {
  await closePages();
  await server?.stop();
});

/** Parts that only some pages have. */
const PARTS = [
  ...['.search', '.paging', '.page-size', '.field-button', '.beside', '.landing', '.cover img', '.list-form'],
  ...['.active-filters .chip', '.facet', '.responses td .cell', '.responses tbody a'],
];

const SHOWN = [
  ['/styles', 1_280, 'light'],
  ['/styles/zh-TW', 320, 'dark'],
] as const;
const OTHERS = [
  ['/styles', 320, 'dark'],
  ['/styles/zh-TW', 1_280, 'dark'],
  ['/styles/zh-TW', 320, 'light'],
] as const;
test.for(IS_NIGHTLY ? [...SHOWN, ...OTHERS] : SHOWN)('%s at %d pixels, %s', async ([path, width, colorScheme]) => {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  const { errors } = record(page);
  await page.goto(server.url + path);
  await expectAccessible(page);
  await page.locator('.account-menu > summary').click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.locator('.place summary').click();
  await expectAccessible(page);
  await page.locator('a[data-dialog]').first().click();
  await page.locator('dialog [data-cancel]:focus').waitFor();
  await expectAccessible(page);
  expect(errors).toEqual([]);
  await page.keyboard.press('Escape');
  // Nothing is sent where there is no network.
  await context.setOffline(true);
  await page.locator('.field-button button').click();
  await page.locator('.flash.bad').waitFor();
  await expectAccessible(page);
  expect(await page.locator('[data-question]').count()).toBeGreaterThan(50);
  for (const part of PARTS) expect([part, await page.locator(part).first().isVisible()]).toEqual([part, true]);
  await context.close();
});

test('a menu closes with Escape, which gives the focus back, and when something else is pressed or has the focus', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/styles`);
  const summary = page.locator('.account-menu > summary');
  const isOpen = () => page.locator('.account-menu').evaluate((menu) => menu.hasAttribute('open'));
  await summary.press('Enter');
  await page.locator('.account-menu a').first().focus();
  await page.keyboard.press('Escape');
  expect([await isOpen(), await page.evaluate('document.activeElement.tagName')]).toEqual([false, 'SUMMARY']);
  await summary.click();
  await page.locator('h1').click();
  expect(await isOpen()).toBe(false);
  await summary.click();
  await page.locator('.account-menu button').last().focus();
  await page.keyboard.press('Tab');
  expect(await isOpen()).toBe(false);
  await page.context().close();
});
