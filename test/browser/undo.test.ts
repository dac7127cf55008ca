/** Undoing a deletion in a browser, with and without scripts. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author deletes a question and takes it back: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('main a[href$="/questions"]').first().click();
  const titles = page.locator('.builder-section .rows h3 a');
  await check();
  const before = await titles.allTextContents();
  await page.locator('.rows a[href$="/delete"]').first().click();
  await page.locator('[data-confirmation] button').click();
  await page.waitForURL('**?done=questionDeleted*');
  expect(await titles.allTextContents()).toEqual(before.slice(1));
  await check();
  // Another tab offers the same; the second press says that it is done.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await page.locator('button[form="undo"]').click();
  await page.waitForURL('**?done=undone#q-*');
  expect(await titles.allTextContents()).toEqual(before);
  expect(await page.locator('button[form="undo"]').count()).toBe(0);
  await check();
  await other.locator('button[form="undo"]').click();
  await other.waitForURL('**?done=nothingToUndo*');
  await page.context().close();
});
