/** Organizations and their forms by keyboard alone, with and without scripts, and what members who are no admins see. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { webp } from '#test/support/webp.ts';
import { expectAccessible, LOOKS, NO_SCRIPTS, SMALL, servePages, signInAs, WIDE } from './page-server.ts';

const server = servePages();

/** Moves the focus forward until it is on an element. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no focus on ${target} of ${page.url()}`);
}

/** What a keyboard does on a page; `opened` waits for an address. */
function keyboardOf(page: Page) {
  const press = async (selector: string) => {
    await tabTo(page, page.locator(selector));
    await page.keyboard.press('Enter');
  };
  const type = async (selector: string, text: string) => {
    await tabTo(page, page.locator(selector));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  const choose = async (selector: string, presses = 1) => {
    await tabTo(page, page.locator(selector));
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('ArrowDown');
  };
  // Choosers are caught from now on: catching begins a moment after the first listener is there.
  page.on('filechooser', () => undefined);
  const pick = async (selector: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    await tabTo(page, page.locator(selector));
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(file);
  };
  const opened = (path: string) => page.waitForURL(`**${path}`);
  return { press, type, choose, pick, opened };
}

test.for([WIDE, NO_SCRIPTS])('what is created is named first, unless there are errors to read: %j', async (look) => {
  const page = await server().open('alice', look);
  for (const [path, field] of [
    ['/orgs/new', 'name'],
    ['/o/demo/new', 'title'],
  ] as const) {
    await page.goto(server().url + path);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(field);
    await page.keyboard.press('Enter');
    await page.locator('[data-error-summary]').waitFor();
    expect(await page.locator(`#${field}:focus, #${field}[autofocus]`).count()).toBe(0);
  }
  await page.context().close();
});

test.for(LOOKS)('an admin runs an organization without a mouse: %j', async (look) => {
  const page = await server().open('alice', look);
  const { press, type, choose, opened } = keyboardOf(page);
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;

  await page.goto(`${server().url}/orgs/new`);
  await type('#name', 'Lakes');
  await type('#slug', slug);
  await page.keyboard.press('Enter');
  await opened(`/o/${slug}?done=created`);

  await press('.tabs a[href$="/settings"]');
  await type('#description', 'Deep');
  await press('main form details > summary');
  await type('[name="key.0"]', 'contact');
  await press('main .actions button');
  await opened('/settings?done=saved');
  expect(await page.locator('#description').inputValue()).toBe('Deep');

  await press('.tabs a[href$="/members"]');
  await type('#email', 'bob@example.org');
  await page.keyboard.press('Enter');
  await opened('/members?done=memberMailed');
  await press('button[value^="ADMIN:"]');
  await opened('/members?done=roleChanged');
  await page.locator('button[value^="MEMBER:"] >> nth=1').waitFor();
  const bob = page.locator('.rows > li', { hasText: 'bob@example.org' });
  await tabTo(page, bob.locator('a[href$="/remove"]'));
  await page.keyboard.press('Enter');
  await page.locator('[data-confirmation]').waitFor();
  await press('[data-confirmation] button.danger');
  await opened('/members?done=memberRemoved');
  expect(await bob.count()).toBe(0);

  await press('.tabs a[href$="/units"]');
  for (const name of ['North', 'Lake']) {
    // In place it stays open for the next one.
    if (!(await page.locator('#name').isVisible())) await press('main details.card > summary');
    await type('#name', name);
    await page.keyboard.press('Enter');
    await page.locator('.tree a', { hasText: name }).waitFor();
  }
  await tabTo(page, page.getByRole('link', { name: 'Lake', exact: true }));
  await page.keyboard.press('Enter');
  await choose('#parent');
  await press('button[value="move"]');
  await opened('?done=unitMoved');
  await press('main a.danger');
  await page.locator('[data-confirmation]').waitFor();
  await press('[data-confirmation] button.danger');
  await opened('/units?done=unitDeleted');
  expect(await page.locator('.tree a').allTextContents()).toEqual(['North']);

  await press(`.tabs a[href$="/${slug}"]`);
  await press(`main a[href="/o/${slug}/new"]`);
  await press('button[value="template:poll"]');
  await opened('/build/*?done=created');
  await press('.tabs a[href$="/look"]');
  await choose('#headerFont');
  await press('main .actions button[value="save"]');
  await opened('/look?done=saved');
  expect(await page.locator('#headerFont').inputValue()).not.toBe('');
  await press('.tabs a[href$="/share"]');
  await page.locator('.qr svg').waitFor();
  if (!('javaScriptEnabled' in look)) {
    await tabTo(page, page.locator('[data-copy]').first());
    await page.keyboard.press('Enter');
  }
  await press('#prefill summary');
  await tabTo(page, page.locator('[name^="q."]').first());
  await page.keyboard.press('Space');
  await press('main form .actions button');
  await page.locator('.address', { hasText: '?q.' }).waitFor();
  await expectAccessible(page, !('javaScriptEnabled' in look));
  await page.context().close();
});

test.for(LOOKS)('an admin sets a form up and puts it away without a mouse: %j', async (look) => {
  const page = await server().open('alice', look);
  const { press, type, pick, opened } = keyboardOf(page);
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { title: 'Rivers' });
  const { client } = await signInAs('alice');
  const params = { formId };
  const form = async () => (await client.forms.getForm({ params })).body;
  const build = `${server().url}/build/${formId}`;

  await page.goto(build);
  await press('.tabs a[href$="/settings"]');
  await type('#previewMessage', 'Soon');
  await press('main .actions button[value="save"]');
  await opened('/settings?done=saved');
  expect(await form()).toMatchObject({ title: 'Rivers', previewMessage: 'Soon' });
  await press('.tabs a[href$="/look"]');
  await pick('#cover', { name: 'cover.webp', mimeType: 'image/webp', buffer: Buffer.from(webp(1_200, 400)) });
  await page.locator('button[value="upload"]:not([disabled])').waitFor();
  await press('button[value="upload"]');
  await opened('/look?done=saved');
  expect((await form()).coverImage).not.toBeNull();

  await page.goto(build);
  await press('button[value="close"]');
  await opened(`/build/${formId}?done=closed`);
  await press('.overview > details > summary');
  await press('button[value="duplicate"]');
  await opened('/build/*?done=duplicated');
  expect(page.url()).not.toContain(formId);
  await page.goto(build);
  await press('.overview > details > summary');
  await press('button[value="archive"]');
  await opened(`/build/${formId}?done=archived`);
  expect((await form()).status).toBe('ARCHIVED');

  const { body } = await client.forms.getDefinition({ params });
  await page.goto(`${server().url}/o/demo/new`);
  const buffer = Buffer.from(JSON.stringify(body));
  await pick('#file', { name: 'rivers.json', mimeType: 'application/json', buffer });
  await press('button[value="file"]');
  await opened('/build/*?done=created');
  await page.getByRole('heading', { level: 1, name: 'Rivers' }).waitFor();
  await page.context().close();
});

test('a member who is no admin reads members, units and settings, and changes none of them', async () => {
  const { client } = await signInAs('alice');
  const slug = `lakes-${crypto.randomUUID().slice(0, 8)}`;
  const details = { name: 'Lakes', description: 'Deep', metadata: { contact: 'lakes@example.org' } };
  await client.orgs.createOrganization({ body: { ...details, slug } });
  await client.orgs.addMember({ params: { slug }, body: { email: 'bob@example.org' } });
  const { id } = (await client.units.createUnit({ params: { slug }, body: details })).body;
  const page = await server().open('bob', SMALL);
  for (const path of ['/settings', '/members', '/units', `/units/${id}`]) {
    await page.goto(`${server().url}/o/${slug}${path}`);
    await page.getByText('只有組織的管理員').waitFor();
    await expectAccessible(page);
    const controls = 'main :is(button, select, textarea, input, .danger):not([readonly], [disabled], [type="hidden"])';
    expect([path, await page.locator(controls).count()]).toEqual([path, 0]);
  }
  await page.goto(`${server().url}/o/${slug}`);
  expect(await page.locator(`main a[href="/o/${slug}/new"]`).count()).toBeGreaterThan(0);
  await page.context().close();
});
