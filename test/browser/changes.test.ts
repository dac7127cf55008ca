/** Changes of a published form in a browser: made, looked at and published, with and without scripts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, type PageServer, startPageServer } from './page-server.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server?.stop());

const LOOKS = [
  { viewport: { width: 1_280, height: 800 } },
  { viewport: { width: 320, height: 640 }, colorScheme: 'dark', locale: 'zh-TW' },
  { viewport: { width: 768, height: 1_024 }, javaScriptEnabled: false },
] as const;

test.for(LOOKS)('an author changes a published form and publishes the changes: %j', async (options) => {
  const page = await server.open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server.url}/o/demo/new`);
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published*');
  await page.locator('.tabs a[href$="/questions"]').click();
  await check();
  await page.locator('.builder-section .rows h3 a').first().click();
  await page.locator('#title').fill('Which lake do you mean?');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=saved*');
  await check();
  await page.locator('a[href$="/changes"]').click();
  await check();
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=changesPublished*');
  expect(await page.locator('a[href$="/changes"]').count()).toBe(0);
  await page.context().close();
});
