/** Changes of a published form in a browser: made, looked at and published, with and without scripts. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author changes a published form and publishes the changes: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published*');
  await page.locator('main a[href$="/questions"]').first().click();
  await check();
  await page.locator('.builder-section .rows h3 a').first().click();
  await page.locator('#title').fill('Which lake do you mean?');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=saved*');
  await check();
  await page.locator('main a[href$="/changes"]').click();
  await check();
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=changesPublished*');
  expect(await page.locator('a[href$="/changes"]').count()).toBe(0);
  await page.context().close();
});

test.for(LOOKS)('an author decides between edits of the same question: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('button[value="template:feedback"]').click();
  await page.waitForURL('**?done=created*');
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published*');
  const formId = new URL(page.url()).pathname.split('/').at(-1);
  await page.locator('main a[href$="/questions"]').first().click();
  await page.locator('.builder-section .rows h3 a').first().click();
  await page.locator('#title').fill('Which lake do you mean?');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=saved*');
  const sections = await (await page.request.get(`${server().url}/api/forms/${formId}/sections`)).json();
  const [question] = sections[0].questions;
  const edited = await page.request.put(`${server().url}/api/sections/${question.sectionId}/questions/${question.id}`, {
    data: { ...question, title: 'Which river?' },
    headers: { origin: server().url },
  });
  expect(edited.status()).toBe(200);
  await page.locator('main a[href$="/changes"]').click();
  await check();
  // Enter applies what is decided, and says what is not.
  await page.locator('input[type="radio"]').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await page.locator('input[type="radio"][value="THEIRS"]').check();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/changes?done=changesMerged');
  await check();
  // Nothing of the own edit is left to publish.
  expect(await page.locator('button[value="publish"]').count()).toBe(0);
  await page.locator('button[value="discard"]').click();
  await page.waitForURL('**?done=changesDiscarded*');
  expect(await page.locator('.builder-section .rows h3 a').first().textContent()).toBe('Which river?');
  await page.context().close();
});
