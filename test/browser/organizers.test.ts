/** The pages of organizations in a browser: the whole way of an admin, with a keyboard, without scripts, at every width. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages, signInAs } from './page-server.ts';

const server = servePages();

/** The names of a member, a unit and an organization that are as long as they may be. */
const LONG = `Limnology${'x'.repeat(80)}`;

test.for(LOOKS)('an admin creates, arranges and deletes an organization: %j', async (options) => {
  const hasScripts = !('javaScriptEnabled' in options);
  const page = await server().open('alice', options);
  const check = () => expectAccessible(page, hasScripts);
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const press = () => page.locator('main form button:not([formaction])').last().click();
  const opened = (path: string) => page.waitForURL(`**${path}*`);

  await page.goto(`${server().url}/orgs/new`);
  await check();
  await press();
  await page.locator('[data-error-summary]').waitFor();
  if (hasScripts) await page.locator('.error-summary:focus').waitFor();
  await check();
  await page.locator('#name').fill(LONG);
  await page.locator('#slug').fill(slug);
  await page.locator('main form details > summary').click();
  await page.locator('[name="key.0"]').fill('contact');
  await page.locator('[name="value.0"]').fill('lakes@example.org');
  // Enter in a field sends the form, whose only button is harmless.
  await page.locator('#slug').press('Enter');
  await opened(`/o/${slug}?done=created`);
  await check();

  const tab = (name: string) => page.locator(`.tabs a[href$="/${name}"]`).click();
  await tab('settings');
  await check();
  expect(await page.locator('[name="value.0"]').inputValue()).toBe('lakes@example.org');
  await tab('members');
  await check();
  await page.locator('#email').fill('nobody@example.org');
  await page.locator('#email').press('Enter');
  await page.locator('[data-error-summary]').waitFor();
  await check();
  await page.locator('#email').fill('bob@example.org');
  await page.locator('#email').press('Enter');
  await opened('/members?done=memberMailed');
  await check();
  await page.locator('a[href$="/remove"]').last().click();
  await page.locator('[data-confirmation]').waitFor();
  await check();
  await page.locator('button.danger').click();
  await opened('/members?done=memberRemoved');

  await tab('units');
  await check();
  for (const name of ['North', LONG]) {
    if (!(await page.locator('#name').isVisible())) await page.locator('main details.card > summary').click();
    await page.locator('#name').fill(name);
    await page.locator('#name').press('Enter');
    await page.locator('.tree a', { hasText: name }).waitFor();
  }
  await check();
  await page.getByRole('link', { name: 'North' }).click();
  await check();
  await page.locator('#parent').selectOption({ index: 1 });
  await page.locator('button[value="move"]').click();
  await opened('?done=unitMoved');
  await check();

  await page.goto(`${server().url}/o/${slug}/delete`);
  await check();
  await page.locator('#name').press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await page.locator('#name').fill(LONG);
  await page.locator('button.danger').click();
  await opened('/?done=organizationDeleted');
  await check();
  await page.goto(`${server().url}/account`);
  await check();
  await page.context().close();
});

test('what a member typed stays when a session ends meanwhile', async () => {
  const page: Page = await server().open('alice', {});
  await page.goto(`${server().url}/orgs/new`);
  await page.locator('#name').fill('Lakes');
  await page.locator('#slug').fill(`lakes-${crypto.randomUUID().slice(0, 8)}`);
  await page.context().clearCookies();
  await page.locator('#slug').press('Enter');
  await page.locator('input[type="hidden"][value="Lakes"]').waitFor({ state: 'attached' });
  await page.context().close();
});

test('the address of an organization is checked while it is typed', async () => {
  const page = await server().open('alice');
  const status = page.locator('[data-slug-status]');
  const expectStatus = (text: string | RegExp) => expect.poll(() => status.textContent()).toMatch(text);
  await page.goto(`${server().url}/orgs/new`);
  const free = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  await page.locator('#slug').pressSequentially(free);
  await expectStatus(`“${free}” is available.`);
  await page.locator('#slug').fill('demo');
  await expectStatus('Another organization uses this address');
  await expectAccessible(page);
  await page.locator('#slug').fill('no slug');
  await expectStatus('Enter an address of 1 to 64 letters');
  await page.locator('#slug').fill('me');
  await expectStatus('Enter an address of 1 to 64 letters');
  await page.locator('#slug').fill('');
  await expectStatus(/^$/);
  await page.goto(`${server().url}/o/demo/settings`);
  await page.locator('#slug').fill('demos');
  await expectStatus('“demos” is available.');
  await page.locator('#slug').fill('demo');
  await expectStatus(/^$/);
  await page.context().close();
});

test.for([
  { plain: ' spaces "\'<&>', json: [1, { a: null }], lines: 'a\r\nb' },
  { 'two\r\nlines': 'a\u2028b', '': '', '\ud83c': '\ud83c' },
])('a browser sends metadata of other clients as it is stored: %j', async (metadata) => {
  const { client } = await signInAs('alice');
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  await client.orgs.createOrganization({ body: { name: 'Lakes', description: '', slug, metadata } });
  const page = await server().open('alice');
  await page.goto(`${server().url}/o/${slug}/settings`);
  await expectAccessible(page);
  await page.locator('#description').fill('Deep');
  await page.locator('form.card button').click();
  await page.waitForURL('**/settings?done=saved');
  const { body } = await client.orgs.getOrganization({ params: { slug } });
  expect([body.description, JSON.stringify(body.metadata)]).toEqual(['Deep', JSON.stringify(metadata)]);
  await page.context().close();
});
