/** Somebody without an account, on a phone: from the bare link to “submitted” in three presses, with and without scripts. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { withApp } from '#test/support/faults.ts';
import { PICTURES } from '#test/support/files.ts';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LAKE = { type: 'SHORT_TEXT', title: 'Which lake?', required: true } as const;

const newForm = async (kinds: Parameters<ReturnType<typeof server>['newForm']>[0]) =>
  (await server().newForm(kinds, { audience: 'ANYONE', title: 'Lakes' })).formId;

/** Opens the bare link of a form. */
async function arrive(formId: string, javaScriptEnabled: boolean): Promise<Page> {
  const page = await server().open('nobody', { ...PHONE, javaScriptEnabled });
  await page.goto(`${server().url}/f/${formId}`);
  return page;
}

/** Presses the button that starts as if the reader had looked at the page for some seconds. */
const startAfterReading = (page: Page, next: () => Promise<unknown>) =>
  withApp(
    ({ now }) => ({ now: () => new Date(now().getTime() + 5_000) }),
    async () => {
      await page.getByRole('button', { name: 'Start', exact: true }).tap();
      await next();
    },
  );

describe.each([
  ['with scripts', true],
  ['without scripts', false],
] as const)('%s', (_, hasScripts) => {
  test('a stranger submits a form from its bare link in three presses', async () => {
    const page = await arrive(await newForm([[LAKE]]), hasScripts);
    await page.getByText('You need no account.').waitFor();
    await expectAccessible(page, hasScripts);
    await startAfterReading(page, () => page.getByLabel('Which lake?').waitFor());
    await page.getByLabel('Which lake?').fill('Loch Ness');
    await page.getByRole('button', { name: 'Continue', exact: true }).tap();
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    await page.getByRole('button', { name: 'Submit', exact: true }).tap();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await expectAccessible(page, hasScripts);
    expect(await page.getByText('Loch Ness').isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'Link to my answers' }).isVisible()).toBe(true);
    await page.context().close();
  });
});

test('who finishes later gets the link first, and who goes back after an error sees the section', async () => {
  const page = await arrive(await newForm([[LAKE]]), true);
  await startAfterReading(page, () => page.getByLabel('Which lake?').waitFor());
  await page.getByRole('button', { name: 'Continue', exact: true }).tap();
  await page.locator('.error-summary').waitFor();
  await page.getByLabel('Which lake?').fill('Loch Ness');
  await page.getByRole('button', { name: 'Continue', exact: true }).tap();
  await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Which lake?').inputValue()).toBe('Loch Ness');
  await page.getByRole('button', { name: 'Save and finish later' }).tap();
  await page.getByRole('status').getByText('Your answers are saved.').waitFor();
  const link = page.getByRole('link', { name: 'Link to my answers' });
  expect([await link.count(), (await link.boundingBox())?.y]).toEqual([1, expect.any(Number)]);
  expect((await link.boundingBox())?.y).toBeLessThan(PHONE.viewport.height);
  await expectAccessible(page);
  const address = await link.getAttribute('href');
  // Tomorrow, in a browser that knows nothing of it.
  const other = await server().open('nobody', PHONE);
  await other.goto(server().url + address);
  await other.getByRole('button', { name: /Continue/ }).tap();
  await other.getByRole('link', { name: 'Continue', exact: true }).tap();
  await other.getByText('Loch Ness').first().waitFor();
  await other.context().close();
  await page.context().close();
});

test('where files are taken, the browser works and the form begins by itself', async () => {
  const page = await arrive(await newForm([[LAKE, { type: 'UPLOAD_FILE', uploadFile: PICTURES }]]), true);
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  await page.getByLabel('Which lake?').waitFor();
  await page.context().close();
});

test('without scripts, the page says how long to wait, and its button begins then', async () => {
  const page = await arrive(await newForm([[LAKE, { type: 'UPLOAD_FILE', uploadFile: PICTURES }]]), false);
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  await page.getByText('Please wait 20 seconds, then press the button.').waitFor();
  await expectAccessible(page, false);
  await withApp(
    ({ now }) => ({ now: () => new Date(now().getTime() + 25_000) }),
    async () => {
      await page.getByRole('button', { name: 'Start', exact: true }).tap();
      await page.getByLabel('Which lake?').waitFor();
    },
  );
  await page.context().close();
});

test('the field that nobody sees is not reached by keyboard and is in no tree for screen readers', async () => {
  const page = await arrive(await newForm([[LAKE]]), true);
  const field = page.locator('input[name=website]');
  expect(await field.count()).toBe(1);
  expect(await page.getByRole('textbox').count()).toBe(0);
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.name')).not.toBe('website');
  }
  await page.context().close();
});
