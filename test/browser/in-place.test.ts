/** The pages of authors change in place: what stays, what is said, and what opens as it does without scripts. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, isFocused, listShifts, servePages, signInAs } from './page-server.ts';

const server = servePages();

/** Opens a page of a new form with three questions; its author. */
async function openBuilder(path: string): Promise<{ page: Page; isSamePage: () => Promise<unknown> }> {
  const questions = ['One', 'Two', 'Three'].map((title) => ({ type: 'SHORT_TEXT' as const, title }));
  const { formId, sectionIds } = await server().newForm([questions], { publish: false });
  const page = await server().open('alice', { viewport: { width: 1_000, height: 500 }, reducedMotion: 'reduce' });
  await page.goto(`${server().url}/build/${formId}`);
  await page.goto(`${server().url}/build/${formId}${path.replace('{sectionId}', sectionIds[0] ?? '')}`);
  await page.evaluate('window.mark = true');
  return { page, isSamePage: () => page.evaluate('window.mark === true') };
}

test('no page moves while it loads, nor when it says what was done', async () => {
  const { formId, sectionIds, questionIds } = await server().newForm([[{ type: 'SHORT_TEXT' }], []]);
  const page = await server().open('alice');
  const own = [
    '',
    '/questions',
    '/questions/order',
    '/rules',
    '/rules/try',
    '/settings',
    '/look',
    '/share',
    '/versions',
    '/delete',
  ];
  const more = [`/s/${sectionIds[0]}`, `/s/${sectionIds[0]}/rules`, `/s/${sectionIds[0]}/new`, `/q/${questionIds[0]}`];
  const { client } = await signInAs('alice');
  const unit = { name: 'North', description: '', metadata: {} };
  const { id: unitId } = (await client.units.createUnit({ params: { slug: 'demo' }, body: unit })).body;
  const units = ['/units', `/units/${unitId}`, `/units/${unitId}/delete`];
  const organization = ['', '/new', '/settings', '/members', ...units, '/delete'].map((path) => `/o/demo${path}`);
  const form = [...own, ...more].map((path) => `/build/${formId}${path}`);
  for (const path of ['/', '/account', '/orgs/new', ...organization, ...form]) {
    await page.goto(`${server().url}${path}?done=saved`, { waitUntil: 'networkidle' });
    expect(await listShifts(page), path).toEqual([]);
  }
  await client.units.deleteUnit({ params: { slug: 'demo', unitId } });
  await page.context().close();
});

test('a saved page keeps its scroll position and focus, and says once that it was saved', async () => {
  const { page, isSamePage } = await openBuilder('/settings');
  await page.locator('#description').fill('  Lakes ');
  await page.locator('#previewMessage').focus();
  const scrolled = await page.evaluate('scrollY');
  await page.locator('#previewMessage').press('Enter');
  const flash = page.locator('[data-flash]');
  await flash.waitFor();
  expect([await isSamePage(), await page.evaluate('scrollY')]).toEqual([true, scrolled]);
  await isFocused(page, '#previewMessage');
  expect(await listShifts(page)).toEqual([]);
  await expect.poll(() => page.locator('[data-announcer]').textContent()).toBe(await flash.locator('p').textContent());
  await expectAccessible(page);
  await page.waitForURL('**/settings');
  await page.reload();
  expect(await flash.count()).toBe(0);
  // Going back leads to the page before, as there is one entry for each page.
  await page.goBack();
  await page.waitForURL(/\/build\/[^/]+$/);
  await page.context().close();
});

test('the message is dismissed by its button and with Escape', async () => {
  const { page } = await openBuilder('/settings');
  for (const key of ['Enter', 'Escape']) {
    await page.locator('#previewMessage').press('Enter');
    await page.locator('[data-dismiss]').press(key);
    await page.locator('[data-flash]').waitFor({ state: 'detached' });
    await page.waitForURL('**/settings');
    await isFocused(page, 'main');
  }
  await page.context().close();
});

test('the message goes after a while, not while somebody is at it, and nothing moves', async () => {
  const { page } = await openBuilder('/settings');
  await page.clock.install();
  await page.reload();
  await page.locator('#previewMessage').press('Enter');
  const flash = page.locator('[data-flash]');
  await flash.hover();
  const scrolled = await page.evaluate('scrollTo(0, document.body.scrollHeight), scrollY');
  await page.clock.fastForward(3_000);
  await page.clock.fastForward(30_000);
  expect(await flash.isVisible()).toBe(true);
  await page.mouse.move(0, 0);
  await page.clock.fastForward(30_000);
  expect([await flash.isVisible(), await page.evaluate('scrollY')]).toEqual([false, scrolled]);
  expect(await listShifts(page)).toEqual([]);
  expect(await page.locator('[data-announcer]').textContent()).toBe(await flash.locator('p').textContent());
  await page.context().close();
});

test('the message goes five seconds after it came, and with the next press or edit', async () => {
  const { page } = await openBuilder('/settings');
  await page.clock.install();
  await page.reload();
  const flash = page.locator('[data-flash]');
  const save = async () => {
    await page.locator('#previewMessage').press('Enter');
    await flash.waitFor();
  };
  await save();
  await page.clock.fastForward(2_000);
  expect(await flash.isVisible()).toBe(true);
  await page.clock.fastForward(3_000);
  expect(await flash.isVisible()).toBe(false);
  for (const goOn of [
    () => page.locator('#previewMessage').pressSequentially('x'),
    () => page.locator('.app-bar').click({ position: { x: 1, y: 1 } }),
  ]) {
    await save();
    await goOn();
    await flash.waitFor({ state: 'hidden' });
  }
  await page.context().close();
});

test('on a phone the message does not cover what has the focus', async () => {
  const { page } = await openBuilder('/settings');
  await page.setViewportSize({ width: 390, height: 500 });
  const field = page.locator('#previewMessage');
  await field.focus();
  await page.evaluate("document.documentElement.style.scrollPadding = '0'");
  for (const [edge, isAbove] of [
    ['end', 1],
    ['start', 0],
  ] as const) {
    await field.evaluate((element, block) => element.scrollIntoView({ block }), edge);
    await page.keyboard.press('Enter');
    await page.locator('[data-flash]').waitFor();
    await expect.poll(() => page.locator('[data-flash][data-above]').count()).toBe(isAbove);
    const [message, focused] = [await page.locator('[data-flash]').boundingBox(), await field.boundingBox()];
    if (!message || !focused) throw new Error('Both are shown.');
    expect(message.y >= focused.y + focused.height || focused.y >= message.y + message.height).toBe(true);
    await page.locator('[data-dismiss]').click();
    await field.focus();
  }
  await page.context().close();
});

test('a question moves with the focus on the pressed button', async () => {
  const { page, isSamePage } = await openBuilder('/questions');
  const titles = () => page.locator('.builder-section h3 a').allTextContents();
  await page.locator('button[value^="down:"]').first().press('Enter');
  await expect.poll(titles).toEqual(['Two', 'One', 'Three']);
  await isFocused(page, 'li:nth-child(2) button[value^="down:"]');
  // At the end it cannot be moved down again: the row has the focus.
  await page.keyboard.press('Enter');
  await expect.poll(titles).toEqual(['Two', 'Three', 'One']);
  await isFocused(page, 'li:nth-child(3)');
  expect(await isSamePage()).toBe(true);
  await page.context().close();
});

test('what is typed meanwhile, and what is typed into another form, stays', async () => {
  const page = await server().open('alice');
  await page.goto(`${server().url}/o/demo/units`);
  for (const name of ['North', 'South']) {
    await page.locator('#name').evaluate((field) => field.closest('details')?.setAttribute('open', ''));
    await page.locator('#name').fill(name);
    await page.locator('#name').press('Enter');
    await page.locator('.tree a', { hasText: name }).waitFor();
  }
  await page.locator('.tree a', { hasText: 'South' }).click();
  await page.waitForURL('**/units/*');
  await page.locator('#name').fill('South Bank');
  await page.locator('button[value="move"]').click();
  await page.locator('[data-flash]').waitFor();
  expect(await page.locator('#name').inputValue()).toBe('South Bank');
  await page.route('**/units/*', async (route) => {
    if (route.request().method() === 'POST') await page.locator('#description').fill('Sunny');
    await route.continue();
  });
  await page.locator('#name').press('Enter');
  await expect.poll(() => page.locator('h1').textContent()).toBe('South Bank');
  expect(await page.locator('#description').inputValue()).toBe('Sunny');
  await page.context().close();
});

test('what cannot be sent is still there, and can be sent again', async () => {
  const { page, isSamePage } = await openBuilder('/settings');
  await page.route('**/settings', (route) => route.abort());
  await page.locator('#previewMessage').fill('Soon');
  await page.locator('#previewMessage').press('Enter');
  await page.locator('.flash.bad').waitFor();
  expect([await isSamePage(), await page.locator('#previewMessage').inputValue()]).toEqual([true, 'Soon']);
  await expectAccessible(page);
  await page.unroute('**/settings');
  await page.locator('#previewMessage').press('Enter');
  await page.locator('[data-flash][role="status"]').waitFor();
  await page.context().close();
});

test.for([
  ['a service that is busy', 503],
  ['a response that is no page', 200],
] as const)('%s: the form is sent as without scripts', async ([, status]) => {
  const { page, isSamePage } = await openBuilder('/settings');
  await page.route('**/settings', (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.fulfill({ status, body: '{"problem":"busy"}' }),
  );
  await page.locator('#previewMessage').fill('Soon');
  await page.locator('#previewMessage').press('Enter');
  await page.locator('[data-flash]').waitFor();
  expect([await isSamePage(), await page.locator('#previewMessage').inputValue()]).toEqual([false, 'Soon']);
  await page.context().close();
});

test('a refusal whose page does not keep what was typed: this page stays, and says why', async () => {
  const { page, isSamePage } = await openBuilder('/settings');
  await page.locator('#description').fill('x'.repeat(300_000));
  await page.locator('#previewMessage').fill('Soon');
  await page.locator('#previewMessage').press('Enter');
  const refused = 'Too large to be stored';
  await expect.poll(() => page.locator('h1, .flash.bad p').allTextContents()).toContain(refused);
  expect([await isSamePage(), await page.locator('#previewMessage').count()]).toEqual([true, 1]);
  expect(await page.locator('#previewMessage').inputValue()).toBe('Soon');
  await page.context().close();
});

test('a session that has ended: what was typed is on the page that leads to sign-in', async () => {
  const { page } = await openBuilder('/settings');
  await page.context().clearCookies();
  await page.locator('#previewMessage').fill('Soon');
  await page.locator('#previewMessage').press('Enter');
  await page.locator('a[href="/sign-in"]').waitFor();
  expect(await page.locator('input[name="previewMessage"]').inputValue()).toBe('Soon');
  await page.context().close();
});

test('a question is deleted in a dialog, which the way back and Escape close', async () => {
  const { page, isSamePage } = await openBuilder('/questions');
  const link = page.locator('a[data-dialog]').first();
  const dialog = page.locator('dialog');
  for (const key of ['Escape', 'Enter']) {
    await link.press('Enter');
    // Enter must not delete: the focus is on the way back.
    await isFocused(page, 'dialog [data-cancel]');
    await expectAccessible(page);
    await page.keyboard.press(key);
    await dialog.waitFor({ state: 'detached' });
    await isFocused(page, 'a[data-dialog]');
  }
  await link.click();
  await dialog.locator('button.danger').click();
  await expect.poll(() => page.locator('.builder-section h3').count()).toBe(2);
  expect([await isSamePage(), await dialog.count()]).toEqual([true, 0]);
  await page.context().close();
});

test('a form is deleted in a dialog, which keeps its field until the title is right', async () => {
  const { page } = await openBuilder('');
  await page.locator('main details > summary').last().click();
  await page.locator('a[data-dialog]').click();
  await isFocused(page, 'dialog #title');
  await page.keyboard.press('Enter');
  await isFocused(page, 'dialog .error-summary');
  await expectAccessible(page);
  await page.locator('dialog [data-cancel]').click();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.context().close();
});

test('leaving with text that is not saved is asked about, and after saving it is not', async () => {
  const { page } = await openBuilder('/s/{sectionId}');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.locator('#title').pressSequentially('Lakes');
  await page.locator('.tabs a').first().click();
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await page.locator('#title').press('Enter');
  await page.waitForURL('**/questions*');
  expect(asked).toEqual(['beforeunload']);
  await page.context().close();
});
