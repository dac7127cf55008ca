/** After sign-out, going back shows no answers: with the cache of whole pages that browsers have, which tests turn off. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from './browser.ts';
import { type PageServer, signOut, startPageServer } from './page-server.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer(await startBrowser([], ['--disable-back-forward-cache']));
});
afterAll(() => server?.stop());

/** Opens the page of a demo user whose text must not be seen by the next one. */
const PAGES: readonly [name: string, who: string, open: (page: Page) => Promise<unknown>][] = [
  ['the home page', 'alice', async () => undefined],
  ['a form with own responses', 'dave', (page) => page.getByRole('link', { name: 'Visitor survey' }).first().click()],
  ['all responses', 'alice', (page) => page.locator('a[href^="/review/"]').first().click()],
  [
    'one response',
    'alice',
    async (page) => {
      await page.locator('a[href^="/review/"]').first().click();
      await page.locator('.responses tbody th a').first().click();
    },
  ],
  [
    'the answers of a section',
    'dave',
    async (page) => {
      await page.getByRole('link', { name: 'Visitor survey' }).first().click();
      await page.locator('.actions a.button').first().click();
    },
  ],
];

describe.each([
  ['with scripts', true],
  ['without scripts', false],
] as const)('%s', (_, javaScriptEnabled) => {
  test.for(javaScriptEnabled ? PAGES : PAGES.slice(2))('%s', async ([, who, open]) => {
    const page = await server.open(who, { javaScriptEnabled });
    await page.goto(server.url);
    await open(page);
    await page.waitForLoadState();
    const shown = page.url();
    await signOut(page);
    await page.waitForURL('**/sign-in');
    await page.goBack();
    await page.waitForURL('**/sign-in?to=*');
    expect(new URL(page.url()).searchParams.get('to')).toBe(new URL(shown).pathname + new URL(shown).search);
    await page.context().close();
  });
});

test('a page that is restored while its reader is signed in shows its answers again', async () => {
  const page = await server.open('dave');
  await page.goto(server.url);
  const home = page.url();
  await page.getByRole('link', { name: 'Visitor survey' }).first().click();
  await page.waitForURL('**/f/**');
  await page.goBack();
  await page.getByRole('link', { name: 'Visitor survey' }).first().waitFor();
  expect(page.url()).toBe(home);
  await page.context().close();
});
