/** Every press on a section has a visible effect, and every change says that it happened, or why not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Built } from '#test/support/fixtures.ts';
import { expectAccessible, type PageServer, signInAs, startPageServer } from './page-server.ts';

let server: PageServer;
let form: Built;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  form = await server.newForm([
    [
      { type: 'SHORT_TEXT', title: 'Name', required: true },
      { type: 'HYPERLINK', title: 'Link' },
      { type: 'DATE', title: 'Day', date: { hasYear: true, hasMonth: true, hasDay: true } },
      { type: 'RANKING', title: 'Rank', choices: [{ name: 'Paths' }, { name: 'Signs' }] },
      {
        type: 'UPLOAD_FILE',
        title: 'Pictures',
        uploadFile: { allowedFileTypes: ['PNG', 'TXT'], maxFileAmount: 2, maxFileSizeLimit: 2_048 },
      },
    ],
    [{ type: 'SHORT_TEXT', title: 'Later' }],
  ]);
});

/** A page with the first section of a new response. */
async function start(javaScriptEnabled = true): Promise<Page> {
  const page = await server.open('dave', { javaScriptEnabled });
  await page.goto(`${server.url}/f/${form.formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Name').waitFor();
  return page;
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const saved = (page: Page) => page.locator('[data-save-state]', { hasText: /^Saved [\d:]+$/ }).waitFor();
const announced = (page: Page, text: string) => page.locator('[data-announcer]', { hasText: text }).waitFor();
const focused = (page: Page) => page.evaluate('document.activeElement.id || document.activeElement.textContent');
const file = (name: string, bytes = 5) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'frogs') });

describe('a date that is half typed', () => {
  const typeDay = async (page: Page): Promise<void> => {
    await page.getByLabel('Name').fill('Dave');
    await page.getByLabel('Day').focus();
    await page.keyboard.type('30');
  };

  test('keeps the page with a message, and clears no stored date', async () => {
    const page = await start();
    await page.getByLabel('Day').fill('2026-05-01');
    await saved(page);
    await page.getByLabel('Day').focus();
    await page.keyboard.press('Delete');
    await page.getByLabel('Name').fill('Dave');
    await page.locator('.question .error', { hasText: 'Enter a complete date' }).waitFor();
    await next(page).click();
    await page.locator('[data-press-result]', { hasText: 'Enter a complete date' }).waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('date');
    await expectAccessible(page);
    const asked = page.waitForEvent('dialog');
    const reloaded = page.reload();
    expect((await asked).type()).toBe('beforeunload');
    await (await asked).accept();
    await reloaded;
    expect(await page.getByLabel('Day').inputValue()).toBe('2026-05-01');
    await page.context().close();
  });

  test('keeps the page without scripts too', async () => {
    const page = await start(false);
    await typeDay(page);
    await next(page).click();
    expect(await page.evaluate('document.activeElement.type')).toBe('date');
    expect(await page.getByLabel('Name').inputValue()).toBe('Dave');
    await page.context().close();
  });
});

describe('files', () => {
  test('are checked before anything is sent, with a sentence for each kind of fault', async () => {
    const page = await start();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file('song.mp3'), file('evil.exe'), file('empty.txt', 0), file('large.txt', 2_049)]);
    expect(await page.locator('.files [role=alert]').allInnerTexts()).toEqual([
      'Not uploaded: song.mp3 and evil.exe. Only files of type PNG or TXT are allowed.',
      'Not uploaded: empty.txt. Empty files are not accepted.',
      'Not uploaded: large.txt. Each file must be at most 2 kB.',
    ]);
    expect(requested).toEqual([]);
    await expectAccessible(page);
    await input.setInputFiles(['a', 'b', 'c', 'd'].map((name) => file(`${name}.txt`)));
    await page.getByText('Not uploaded: c.txt and d.txt. The number of files is limited to 2.').waitFor();
    await page.getByRole('link', { name: 'b.txt' }).waitFor();
    await page.context().close();
  });

  test('show their size at once, and the control names no other file', async () => {
    const page = await start();
    await page.locator('input[type=file]').setInputFiles(file('a.txt'));
    await page.locator('[data-file]', { hasText: '5 bytes' }).waitFor();
    await announced(page, 'a.txt was uploaded');
    const colour = await page.evaluate("getComputedStyle(document.querySelector('input[type=file]')).color");
    expect(colour).toBe('rgba(0, 0, 0, 0)');
    await page.context().close();
  });

  test('that are pictures are shown small, and stay so once they are stored', async () => {
    const page = await start();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const buffer = Buffer.from(png, 'base64');
    await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer });
    await page.locator('[data-file] > canvas.thumbnail').waitFor();
    await page.locator('input[type=file]').setInputFiles(file('a.txt'));
    await page.locator('[data-file]', { hasText: 'a.txt' }).waitFor();
    expect(await page.locator('.thumbnail').count()).toBe(1);
    await expectAccessible(page);
    await page.context().close();
  });

  test('whose content is not of their type are refused with a reason', async () => {
    const page = await start();
    await page.locator('input[type=file]').setInputFiles({ ...file('a.png'), mimeType: 'image/png' });
    await page.getByText('a.png: The file was not attached: its content does not match').waitFor();
    await page.context().close();
  });

  test('being sent: a cancelled one gives the focus back, leaving asks first', async () => {
    const page = await start();
    await page.route(`${server.storage}/**`, () => undefined);
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file('a.txt'), file('b.txt')]);
    await page.getByRole('progressbar', { name: 'Uploading a.txt' }).waitFor();
    await page.locator('.files li', { hasText: 'a.txt' }).locator('.upload-percent', { hasText: '%' }).waitFor();
    await page.locator('.files li', { hasText: 'b.txt' }).getByText('Waiting…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).nth(1).click();
    await expect.poll(() => page.locator('.files li').count()).toBe(1);
    expect(await focused(page)).toBe(await input.getAttribute('id'));
    const dialog = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await dialog).type()).toBe('beforeunload');
    await (await dialog).dismiss();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator('.files li').count()).toBe(0);
    await page.context().close();
  });

  test('that could not be sent keep the page until they are tried again or removed', async () => {
    const page = await start();
    await page.getByLabel('Name').fill('Dave');
    await page.route(`${server.storage}/**`, (route) => route.abort());
    await page.locator('input[type=file]').setInputFiles(file('a.txt'));
    await page.getByText('a.txt could not be uploaded').waitFor();
    await next(page).click();
    await page.locator('[data-press-result]', { hasText: 'A file was not uploaded' }).waitFor();
    expect(await focused(page)).toBe('Try again');
    await page.locator('.files').getByRole('button', { name: 'Remove' }).click();
    await next(page).click();
    await page.getByLabel('Later').waitFor();
    await page.context().close();
  });

  test('that are chosen before the scripts have come are sent when they come', async () => {
    const page = await server.open('dave');
    const { promise, resolve: letThrough } = Promise.withResolvers<void>();
    await page.route(/answers.*\.js/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto(`${server.url}/f/${form.formId}`);
    await page.getByRole('button', { name: 'Start' }).click({ noWaitAfter: true });
    await page.locator('input[type=file]').setInputFiles(file('early.txt'));
    letThrough();
    await page.getByRole('link', { name: 'early.txt' }).waitFor();
    await page.context().close();
  });

  test('that cannot be removed say so', async () => {
    const page = await start();
    await page.locator('input[type=file]').setInputFiles(file('a.txt'));
    await page.getByRole('link', { name: 'a.txt' }).waitFor();
    await (await signInAs('alice')).client.forms.archiveForm({ params: { formId: form.formId } });
    await page.getByRole('button', { name: 'Remove a.txt' }).click();
    await page.getByText('a.txt could not be removed. This form is archived.').waitFor();
    await page.context().close();
  });
});

test('Continue without a connection waits, and leads on by itself once there is one', async () => {
  const page = await start();
  await page.getByLabel('Name').fill('Dave');
  await saved(page);
  await page.context().setOffline(true);
  await next(page).click();
  await page.getByRole('button', { name: 'Continues once you are online…' }).waitFor();
  await page.context().setOffline(false);
  await page.getByLabel('Later').waitFor();
  await page.context().close();
});

test('saving is announced once, a failure and its end again', async () => {
  const page = await start();
  await page.evaluate(`
    window.heard = [];
    new MutationObserver(() => heard.push(document.querySelector('[data-announcer]').textContent))
      .observe(document.querySelector('[data-announcer]'), { childList: true, characterData: true, subtree: true });
  `);
  const address = page.url();
  const save = async (name: string): Promise<void> => {
    const response = page.waitForResponse((each) => each.request().method() === 'POST');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Link').focus();
    await response;
    await saved(page);
  };
  for (const name of ['D', 'Da', 'Dav']) await save(name);
  await page.route(address, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.getByLabel('Name').fill('Dave');
  await page.locator('[data-save-state]', { hasText: 'Not saved' }).waitFor();
  await page.unroute(address);
  await saved(page);
  const heard = (await page.evaluate('heard')) as string[];
  expect(heard.map((text) => text.replace(/[\d:]+/, ''))).toEqual(['Saved ', 'Not saved. Trying again…', 'Saved ']);
  await page.context().close();
});

test('a corrected error leaves the summary and the title of the page', async () => {
  const page = await start();
  await page.getByLabel('Link').fill('https:/');
  await next(page).click();
  await page.locator('.error-summary li').nth(1).waitFor();
  expect(await page.title()).toMatch(/^Error:/);
  await page.getByLabel('Name').fill('Dave');
  await page.locator('.error-summary li').nth(1).waitFor({ state: 'detached' });
  expect(await page.locator('.error-summary li').count()).toBe(1);
  await page.getByLabel('Link').fill('https://example.org');
  await page.locator('.error-summary').waitFor({ state: 'detached' });
  expect(await page.title()).toMatch(/^(?!Error).*Spring survey/);
  await page.context().close();
});

test.for([true, false])('a web address gets its scheme (scripts: %s)', async (javaScriptEnabled) => {
  const page = await start(javaScriptEnabled);
  await page.getByLabel('Name').fill('Dave');
  await page.getByLabel('Link').fill('example.org/frogs');
  await page.getByLabel('Name').focus();
  if (javaScriptEnabled) expect(await page.getByLabel('Link').inputValue()).toBe('https://example.org/frogs');
  await next(page).click();
  await page.getByLabel('Later').waitFor();
  await page.goBack();
  await page.reload();
  expect(await page.getByLabel('Link').inputValue()).toBe('https://example.org/frogs');
  await page.context().close();
});

test.for([true, false])('a time of day is shown as it is stored (scripts: %s)', async (javaScriptEnabled) => {
  const times = await server.newForm([[{ type: 'SHORT_TEXT', title: 'Arrival', text: { format: 'TIME' } }]]);
  const page = await server.open('dave', { javaScriptEnabled });
  await page.goto(`${server.url}/f/${times.formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Arrival').fill('9.30 pm');
  await page.getByLabel('Arrival').blur();
  if (javaScriptEnabled) {
    expect(await page.getByLabel('Arrival').inputValue()).toBe('21:30');
    await saved(page);
    await page.reload();
    expect(await page.getByLabel('Arrival').inputValue()).toBe('21:30');
  }
  await next(page).click();
  await page.waitForURL('**/check');
  await page.goBack();
  await page.reload();
  expect(await page.getByLabel('Arrival').inputValue()).toBe('21:30');
  await page.context().close();
});

test('a choice that leaves the ranking is announced', async () => {
  const page = await start();
  // The first save is announced too.
  await page.getByLabel('Name').fill('Dave');
  await announced(page, 'Saved');
  await page.getByRole('button', { name: 'Add Signs to' }).click();
  await announced(page, 'Signs is now number 1');
  await page.getByRole('button', { name: 'Remove Signs from' }).click();
  await announced(page, 'Signs was removed from your order');
  await page.context().close();
});

test('what one tab could not save is kept while another tab saves', async () => {
  const first = await start();
  const address = first.url();
  await first.route(address, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await first.getByLabel('Name').fill('Typed without a connection');
  await first.locator('[data-save-state]', { hasText: 'Not saved' }).waitFor();
  const second = await first.context().newPage();
  await second.goto(address.replace(/\/s\/.*/, `/s/${form.sectionIds[1]}`));
  // Another section of the response offers the text, with a link to its question.
  await second.locator('[data-kept]', { hasText: 'Typed without a connection' }).waitFor();
  await expectAccessible(second);
  await second.getByLabel('Later').fill('Saved');
  await saved(second);
  await first.close();
  await second.getByRole('link', { name: 'Name' }).click();
  await saved(second);
  expect(await second.getByLabel('Name').inputValue()).toBe('Typed without a connection');
  await second.reload();
  expect(await second.getByLabel('Name').inputValue()).toBe('Typed without a connection');
  await second.context().close();
});
