/** The typed client in a browser: a page imports the built files, and the cookies of the session authenticate it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { app, replaceApp } from '#core/http/app.ts';
import { buildClient } from '#stacks/build/client.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { type RunningServer, startServer } from '#stacks/local/gateway/server.ts';
import { newOrganization, type Person, person } from '#test/support/fixtures.ts';
import { clientPages, closePages, shareBrowser } from './browser.ts';

const home = mkdtempSync(join(tmpdir(), 'client-'));
let browser: Browser;
let server: RunningServer;
let dave: Person;

beforeAll(async () => {
  buildClient(home);
  browser = await shareBrowser();
  dave = await person('dave');
  server = await startServer({ routes: routes(), port: 0, pages: clientPages(home) });
  const current = app();
  replaceApp({ ...current, config: { ...current.config, publicUrl: server.url } });
});

afterAll(async () => {
  await closePages();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** The script of the page, in plain JavaScript. */
const PAGE_SCRIPT = `async ({ uid, slug }) => {
  const { createClient } = await import('/client/client.js');
  const client = createClient({ baseUrl: '' });
  const signedOut = await client.users.getCurrentUser().catch((error) => error.problem.status);
  await client.auth.loginInternal({ body: { uid } });
  const me = await client.users.getCurrentUser();
  const body = { title: 'From a page', visibility: 'PUBLIC', allowEditResponse: true };
  const form = await client.forms.createForm({ params: { slug }, body });
  const refused = await client.forms
    .updateForm({ params: { formId: form.body.id }, body: { title: '' } })
    .catch((error) => error.problem.errors);
  return { signedOut, me: me.body.id, title: form.body.title, etag: form.headers.get('etag'), refused };
}`;

test('a page signs in, reads and writes with its cookies, and gets a problem for a bad request', async () => {
  const { slug } = await newOrganization(dave);
  const page = await browser.newPage();
  await page.goto(server.url);
  const outcome = await page.evaluate(`(${PAGE_SCRIPT})(${JSON.stringify({ uid: dave.id, slug })})`);
  expect(outcome).toEqual({
    signedOut: 401,
    me: dave.id,
    title: 'From a page',
    etag: '"1"',
    refused: [{ pointer: '/body/title', detail: 'must be 1 to 200 characters' }],
  });
});
