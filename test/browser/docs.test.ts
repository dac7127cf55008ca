/** The documentation page as a newcomer meets it: in a browser, with every operation, ready to be tried out. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { docsPage } from '#stacks/local/docs.ts';
import { routes } from '#stacks/local/routes.ts';
import { type RunningServer, startServer } from '#stacks/local/server.ts';
import { startBrowser, type Watched, watch } from '#test/support/browser.ts';
import { type Person, person } from '#test/support/world.ts';

let dave: Person;
let server: RunningServer;
let browser: Browser;
let page: Page;
let watched: Watched;

beforeAll(async () => {
  browser = await startBrowser();
  dave = await person('dave');
  server = await startServer({ routes: routes(), port: 0, pages: docsPage([{ name: 'dave', id: dave.id }]) });
  const world = app();
  replaceApp({ ...world, config: { ...world.config, publicUrl: server.url, development: true } });
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  watched = watch(page);
  await page.goto(server.url);
  await page.locator('.opblock').first().waitFor();
});

afterEach(async () => {
  await page?.context().close();
});

/** The block of an operation, opened and ready to be filled in. */
async function tryOut(operationId: string): Promise<Locator> {
  const name = page.locator('.opblock-summary-operation-id').getByText(operationId, { exact: true });
  const block = page.locator('.opblock').filter({ has: name });
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  return block;
}

/** Executes what is filled in; answers the status that the page shows. */
async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click();
  return (await block.locator('.live-responses-table .response-col_status').last().innerText()).trim();
}

test('the page loads without a complaint and asks no other host for anything', async () => {
  expect(page.url()).toBe(`${server.url}/docs`);
  await page.locator('.opblock-summary-control').first().click();
  await page.locator('.opblock-body').first().waitFor();
  expect(watched.complaints).toEqual([]);
  const elsewhere = watched.requested.filter(
    (url) => !/^(?:data|blob):/.test(url) && new URL(url).origin !== server.url,
  );
  expect(elsewhere).toEqual([]);
  expect(watched.requested).toContain(`${server.url}/docs/openapi.json`);
});

test('the page lists every operation', async () => {
  const listed = await page.locator('.opblock-summary-operation-id').allInnerTexts();
  const declared = operations.map(({ noun, name }) => `${noun}.${name}`);
  expect(listed.map((id) => id.replaceAll('\u200b', '').trim()).sort()).toEqual(declared.sort());
});

test('"Try it out" works once auth.loginInternal has signed in', async () => {
  const me = await tryOut('users.getCurrentUser');
  expect(await execute(me)).toBe('401');
  const login = await tryOut('auth.loginInternal');
  await login.locator('textarea').fill(JSON.stringify({ uid: dave.id }));
  expect(await execute(login)).toBe('200');
  await me.getByRole('button', { name: 'Clear' }).click();
  expect(await execute(me)).toBe('200');
  expect(await me.locator('.live-responses-table').innerText()).toContain(dave.email);
});

test('one click signs a demo person in, and another one out', async () => {
  await page.getByRole('button', { name: 'dave' }).click();
  await page.getByText('Signed in as dave').waitFor();
  const me = await tryOut('users.getCurrentUser');
  expect(await execute(me)).toBe('200');
  await page.getByRole('button', { name: 'nobody' }).click();
  await page.getByText('Signed out').waitFor();
  await me.getByRole('button', { name: 'Clear' }).click();
  expect(await execute(me)).toBe('401');
});

test('a link leads through the provider and back, signed in', async () => {
  await page.getByRole('link', { name: 'through the provider' }).click();
  await page.getByRole('button', { name: 'Continue as frank' }).click();
  await page.waitForURL(`${server.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  const me = await tryOut('users.getCurrentUser');
  expect(await execute(me)).toBe('200');
  expect(await me.locator('.live-responses-table').innerText()).toContain('frank@example.org');
});
