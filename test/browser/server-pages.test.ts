/** What the pages look like and offer in a browser, with and without scripts: ratings, links to share, withdrawal, organizations. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SMALL, servePages, WIDE } from './page-server.ts';

const server = servePages();

/** Starts a response to a form. */
async function startForm(page: Page, formId: string): Promise<void> {
  await page.goto(`${server().url}/f/${formId}`);
  await page.locator('.actions button').first().click();
  await page.waitForURL('**/s/*');
}

const LOOKS = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['forced colours', { forcedColors: 'active' }],
] as const;

test.for(LOOKS)('a rating is filled up to the chosen icon, whatever the icon is (%s)', async ([, look]) => {
  const icons = ['star', 'thumbs-up', 'smile', 'gift'] as const;
  const { formId } = await server().newForm([
    icons.map((icon) => ({ type: 'RATING' as const, title: icon, scale: { minVal: 1, maxVal: 5, icon } })),
  ]);
  const page = await server().open('dave', { ...look, reducedMotion: 'reduce' });
  await startForm(page, formId);
  const fills = (title: string) =>
    page
      .getByRole('group', { name: title })
      .locator('.icon-shape')
      .evaluateAll((shapes) => shapes.map((shape) => shape.ownerDocument.defaultView?.getComputedStyle(shape).fill));
  for (const icon of icons) {
    expect(await fills(icon)).toEqual(Array.from({ length: 5 }, () => 'none'));
    await page.getByRole('group', { name: icon }).getByLabel('3 of 5').check({ force: true });
    const shown = await fills(icon);
    expect(shown.slice(3)).toEqual(['none', 'none']);
    expect(new Set(shown.slice(0, 3)).size).toBe(1);
    expect(shown[0]).toMatch(/^rgb/);
  }
  await expectAccessible(page);
  await page.context().close();
});

describe.for([true, false])('with scripts: %s', (javaScriptEnabled) => {
  test('an optional choice is undone', async () => {
    const choices = [{ name: 'Red' }, { name: 'Blue' }];
    const { formId } = await server().newForm([[{ type: 'SINGLE_CHOICE', title: 'Colour', choices }]]);
    const page = await server().open('dave', { javaScriptEnabled });
    await startForm(page, formId);
    await page.getByLabel('Red').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.answer', { hasText: 'Red' }).waitFor();
    await expectAccessible(page, javaScriptEnabled);
    await page.getByRole('link', { name: 'Change Colour' }).click();
    await page.getByLabel('Clear').check();
    await page.getByRole('button', { name: 'Save and return' }).click();
    await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
    expect(await page.locator('.answer').innerText()).toContain('No answer');
    await page.context().close();
  });

  test('a submitted response is changed and withdrawn, and each says what was done', async () => {
    const { formId } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Name', required: true }]]);
    const page = await server().open('dave', { javaScriptEnabled });
    const checked = () => expectAccessible(page, javaScriptEnabled);
    await startForm(page, formId);
    await page.getByLabel('Name').fill('Dave');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'What happens next' }).waitFor();
    await checked();
    expect(await page.getByRole('button', { name: 'Print or save as PDF' }).count()).toBe(javaScriptEnabled ? 1 : 0);

    await page.getByRole('link', { name: 'Change Name' }).click();
    await page.getByLabel('Name').fill('');
    await page.getByRole('button', { name: 'Save and return' }).click();
    await page.getByRole('link', { name: 'Name – Enter an answer' }).waitFor();
    await checked();
    await page.getByRole('link', { name: 'Name – Enter an answer' }).click();
    await page.keyboard.type('David');
    await page.getByRole('button', { name: 'Save and return' }).click();
    await page.getByRole('heading', { name: 'Your change was saved' }).waitFor();
    expect(await page.locator('.answer').innerText()).toContain('David');

    await page.getByRole('link', { name: 'Withdraw this response' }).click();
    await page.getByRole('heading', { name: 'Withdraw this response?' }).waitFor();
    await checked();
    await page.getByRole('button', { name: 'Withdraw the response' }).click();
    await page.getByRole('status').getByText('Your response was withdrawn').waitFor();
    await checked();
    await page.context().close();
  });

  test('a change that leads to a further question waits, and is sent with its answer', async () => {
    const { formId } = await server().newBranch({
      first: [{ type: 'SHORT_TEXT', title: 'Do you come?' }],
      yes: [],
      no: [{ type: 'SHORT_TEXT', title: 'Why not?', required: true }],
    });
    const page = await server().open('dave', { javaScriptEnabled });
    const checked = () => expectAccessible(page, javaScriptEnabled);
    const waiting = page.getByText('Your changes are kept here and are not sent yet');
    await startForm(page, formId);
    await page.getByLabel('Do you come?').fill('yes');
    for (const name of ['Continue', 'Continue', 'Continue', 'Submit']) {
      const before = page.url();
      await page.getByRole('button', { name }).click();
      await page.waitForURL(({ href }) => href !== before);
    }
    await page.getByRole('link', { name: 'Change Do you come?' }).click();
    await page.getByLabel('Do you come?').fill('no');
    if (javaScriptEnabled) {
      // Without a press: the page says by itself that the change waits.
      await page.locator('[data-save-state]', { hasText: 'not sent yet' }).waitFor();
      await waiting.waitFor();
      await checked();
    }
    await page.getByRole('button', { name: 'Save and return' }).click();
    await page.getByLabel('Why not?').waitFor();
    await waiting.waitFor();
    await checked();
    // Left, and found again tomorrow.
    await page.goto(`${server().url}/f/${formId}`);
    await page.locator('a[href^="/r/"]').first().click();
    await page.getByRole('heading', { name: 'Your changes are not sent yet' }).waitFor();
    await checked();
    await page.getByRole('link', { name: 'See your changes' }).click();
    await page.getByText('These questions have to be answered').waitFor();
    await checked();
    await page.getByRole('link', { name: 'Answer them' }).click();
    await page.getByLabel('Why not?').fill('I am away');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your change was saved' }).waitFor();
    expect(await page.locator('.answers').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('I am away')]),
    );
    await page.context().close();
  });

  test('the link to a form can be copied from its pages', async () => {
    const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await server().open('alice', { javaScriptEnabled, permissions });
    for (const path of [`/review/${formId}`, `/build/${formId}/share`]) {
      await page.goto(server().url + path);
      await page.locator('.address', { hasText: `${server().url}/f/${formId}` }).waitFor();
      await expectAccessible(page, javaScriptEnabled);
      const copy = page.locator('.share-link [data-copy]');
      expect(await copy.isVisible()).toBe(javaScriptEnabled);
      if (!javaScriptEnabled) continue;
      await copy.click();
      await page.getByRole('status').getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${server().url}/f/${formId}`);
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))');
      await copy.click();
      await page.getByRole('status').getByText('Not copied').waitFor();
    }
    await page.context().close();
  });
});

test.for([WIDE, SMALL])('a member looks through all forms of an organization: %j', async (options) => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false, title: 'Not yet published' });
  const page = await server().open('alice', options);
  await page.goto(server().url);
  await expectAccessible(page);
  await page.locator('a[href="/o/demo"]').last().click();
  await page.waitForURL('**/o/demo');
  await expectAccessible(page);
  await page.locator('.tabs a[href*="DRAFT"]').click();
  await page.locator(`a[href="/review/${formId}"]`).waitFor();
  expect(await page.locator('.tabs a[href*="DRAFT"][aria-current]').count()).toBe(1);
  await expectAccessible(page);
  const row = page.locator('.rows > li', { has: page.locator(`a[href="/review/${formId}"]`) });
  await row.locator('summary').click();
  await expectAccessible(page);
  await row.locator('button[value="archive"]').click();
  await page.waitForURL('**/o/demo?status=DRAFT&done=archived');
  await page.locator('[role=status]').first().waitFor();
  await expectAccessible(page);
  await page.context().close();
});
