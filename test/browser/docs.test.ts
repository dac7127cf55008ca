/** The documentation page in a browser: it lists every operation, and each can be tried out. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '#core/api/index.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { docsPage } from '#stacks/local/gateway/docs.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { type Person, person } from '#test/support/fixtures.ts';
import { type Activity, closePages, record, shareBrowser } from './browser.ts';

let dave: Person;
let server: RunningServer;
let browser: Browser;
let page: Page;
let activity: Activity;

beforeAll(async () => {
  browser = await shareBrowser();
  dave = await person('dave');
  server = await startServer({ routes: routes(), port: 0, pages: docsPage([{ name: 'dave', id: dave.id }]) });
  const current = app();
  replaceApp({ ...current, config: { ...current.config, publicUrl: server.url, development: true } });
});

afterAll(async () => {
  await closePages();
  await server?.stop();
});

beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  activity = record(page);
  await page.goto(`${server.url}/docs`);
  await page.locator('.opblock').first().waitFor();
});

afterEach(async () => {
  await page?.context().close();
});

/** Opens the block of an operation for input. */
async function tryOut(operationId: string): Promise<Locator> {
  const name = page.locator('.opblock-summary-operation-id').getByText(operationId, { exact: true });
  const block = page.locator('.opblock').filter({ has: name });
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  return block;
}

/** Executes the operation; returns the status that the page shows. */
async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click();
  return (await block.locator('.live-responses-table .response-col_status').last().innerText()).trim();
}

// A load of the page takes seconds, so that there are few.
test('the page loads without errors or warnings, requests nothing from other hosts, and lists every operation', async () => {
  expect(page.url()).toBe(`${server.url}/docs`);
  await page.locator('.opblock-summary-control').first().click();
  await page.locator('.opblock-body').first().waitFor();
  expect(activity.errors).toEqual([]);
  const elsewhere = activity.requested.filter(
    (url) => !/^(?:data|blob):/.test(url) && new URL(url).origin !== server.url,
  );
  expect(elsewhere).toEqual([]);
  expect(activity.requested).toContain(`${server.url}/docs/openapi.json`);
  const listed = await page.locator('.opblock-summary-operation-id').allInnerTexts();
  const declared = operations.map(({ noun, name }) => `${noun}.${name}`);
  expect(listed.map((id) => id.replaceAll('\u200b', '').trim()).sort()).toEqual(declared.sort());
});

test('"Try it out" works once auth.loginInternal or a click has signed in, and not after another click', async () => {
  const me = await tryOut('users.getCurrentUser');
  const executeAgain = async (): Promise<string> => {
    await me.getByRole('button', { name: 'Clear' }).click();
    return execute(me);
  };
  const sign = async (name: string, state: string): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await page.getByText(state).waitFor();
  };
  expect(await execute(me)).toBe('401');
  const login = await tryOut('auth.loginInternal');
  await login.locator('textarea').fill(JSON.stringify({ uid: dave.id }));
  expect(await execute(login)).toBe('200');
  expect(await executeAgain()).toBe('200');
  expect(await me.locator('.live-responses-table').innerText()).toContain(dave.email);
  await sign('nobody', 'Signed out');
  expect(await executeAgain()).toBe('401');
  await sign('dave', 'Signed in as dave');
  expect(await executeAgain()).toBe('200');
});

test('a link signs in through the provider and returns to the page', async () => {
  await page.getByRole('link', { name: 'through the provider' }).click();
  await page.getByRole('button', { name: 'Continue as frank' }).click();
  await page.waitForURL(`${server.url}/docs`);
  await page.locator('.opblock').first().waitFor();
  const me = await tryOut('users.getCurrentUser');
  expect(await execute(me)).toBe('200');
  expect(await me.locator('.live-responses-table').innerText()).toContain('frank@example.org');
});
