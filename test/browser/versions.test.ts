/** Versions of a form in a browser: looked at and restored, with and without scripts. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author restores the first version of a form: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published*');
  const overview = new URL(page.url()).pathname;
  await page.goto(`${server().url}${overview}/questions`);
  const first = page.locator('.builder-section .rows h3 a').first();
  const title = await first.textContent();
  await first.click();
  await page.locator('#title').fill('Which lake do you mean?');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=saved*');
  await page.locator('main a[href$="/changes"]').click();
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=changesPublished*');
  await page.goto(`${server().url}${overview}`);
  await page.locator('details summary').last().click();
  await page.locator('main a[href$="/versions"]').last().click();
  await check();
  expect(await page.locator('.rows > li').count()).toBe(2);
  await page.locator('.rows h2 a').last().click();
  await check();
  await page.locator('button[value="restore"]').click();
  await page.waitForURL('**/changes?done=versionRestored');
  await check();
  // The same version again asks nothing; an earlier one would replace these changes, which is said.
  await page.goto(`${server().url}${overview}/versions`);
  await page.locator('.rows h2 a').first().click();
  await page.locator('button[value="replace"]').waitFor();
  await check();
  await page.goto(`${server().url}${overview}/changes`);
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=changesPublished*');
  expect(await page.locator('.builder-section .rows h3 a').first().textContent()).toBe(title);
  await page.context().close();
});
