/** The pages on which questions are made, in a browser: with and without scripts, by keyboard, narrow, dark, in Chinese. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { expectAccessible, LOOKS, SMALL, servePages } from './page-server.ts';

const server = servePages();

/** Types whose forms differ most. */
const SOME_TYPES = ['SHORT_TEXT', 'SINGLE_CHOICE', 'LONG_TEXT', 'DATE', 'UPLOAD_FILE', 'RATING'] as const;

/** In the smallest look every type. */
const TYPES_OF_LOOKS = LOOKS.map((look) => [look === SMALL ? QUESTION_TYPES : SOME_TYPES, look] as const);

/** Creates an empty form and opens its questions. */
async function newForm(page: Page): Promise<string> {
  await page.goto(`${server().url}/o/demo/new`);
  await page.locator('#title').fill('Lakes');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=created*');
  await page.locator('main a[href$="/questions"]').first().click();
  return /build\/([^/?]+)/.exec(page.url())?.[1] ?? '';
}

test.for(LOOKS)('an author copies a section and moves it: %j', async (options) => {
  const page = await server().open('bob', options);
  const { formId, sectionIds } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Lake' }], []]);
  await page.goto(`${server().url}/build/${formId}/questions`);
  await page.locator(`button[value="copy-section:${sectionIds[0]}"]`).click();
  await page.waitForURL('**?done=sectionCopied*');
  await expectAccessible(page, !('javaScriptEnabled' in options));
  const titles = (section: number) => page.locator('.builder-section').nth(section).locator('h3 a').allTextContents();
  expect([await titles(0), await titles(1), await titles(2)]).toEqual([['Lake'], ['Lake'], []]);
  await page.locator('button[value^="section-down:"]').nth(1).press('Enter');
  await page.waitForURL('**?done=sectionMoved*');
  expect([await titles(0), await titles(1), await titles(2)]).toEqual([['Lake'], [], ['Lake']]);
  await page.locator('a[href$="#place"]').last().click();
  await expectAccessible(page, !('javaScriptEnabled' in options));
  await page.locator('#place').selectOption({ index: 0 });
  await page.locator('button[value="move"]').click();
  await page.waitForURL('**?done=sectionMoved*');
  expect(new URL(page.url()).hash).toBe(`#${await page.locator('.builder-section').first().getAttribute('id')}`);
  expect([await titles(0), await titles(1), await titles(2)]).toEqual([['Lake'], ['Lake'], []]);
  await page.context().close();
});

test.for(TYPES_OF_LOOKS)('an author makes a section with questions of the types %j in %j', async ([types, options]) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  const formId = await newForm(page);
  await check();
  await page.locator('button[value^="section:"]').click();
  await page.waitForURL('**?done=sectionAdded*');
  await check();
  await page.locator('#title').fill('About the lake');
  await page.locator('#description').fill('Two\nlines');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**/questions?done=saved*');

  for (const type of types) {
    await page.locator('a[href$="/new"]').first().click();
    if (type === types[0]) await check();
    await page.locator(`a[href$="type=${type}#title"]`).click();
    await check();
    // Enter in an empty field saves, which says what is missing.
    await page.locator('#title').press('Enter');
    await page.locator('.error-summary').waitFor();
    await page.locator('#title').fill(`Question of type ${type}`);
    for (const [index, name] of ['Loch Ness', 'Windermere'].entries()) {
      const choice = page.locator(`#choice-${index}`);
      if (await choice.count()) await choice.fill(name);
    }
    await page.locator('.actions button[value="save"]').click();
    await page.waitForURL('**/questions?done=questionAdded*');
  }
  await check();
  expect(await page.locator('.builder-section .rows > li').count()).toBe(types.length);

  // Move by button, and the moved question keeps its place in view.
  const [first, second, third] = types;
  await page.locator('button[value^="up:"]').nth(1).click();
  await page.waitForURL('**?done=questionMoved*');
  const titles = await page.locator('.builder-section .rows h3 a').allTextContents();
  expect(titles.slice(0, 3)).toEqual([second, first, third].map((type) => `Question of type ${type}`));

  // A question with choices: rows are added, moved, removed and pasted, and stored together.
  const choiceQuestion = page.locator('.builder-section .rows h3 a', { hasText: 'SINGLE_CHOICE' });
  await choiceQuestion.click();
  await check();
  await page.locator('button[value="add-choice"]').click();
  await expect.poll(() => page.locator('#choice-2').count()).toBe(1);
  await page.locator('#choice-2').fill('Derwent Water');
  await page.locator('button[value="add-other"]').click();
  await expect.poll(() => page.locator('#choice-3').count()).toBe(1);
  await page.locator('button[value="choice-up:2"]').click();
  await expect.poll(() => page.locator('#choice-1').inputValue()).toBe('Derwent Water');
  await page.locator('#choice-0').press('Enter');
  await page.waitForURL('**/questions?done=saved*');
  await choiceQuestion.click();
  await page.locator('a[href$="/choices"]').click();
  await check();
  await expect.poll(() => page.locator('#choices').inputValue()).toBe('Loch Ness\nDerwent Water\nWindermere');
  await page.locator('#choices').fill('Loch Ness\nUllswater\tA long lake');
  await page.locator('main form button').first().click();
  await page.locator('[data-error-summary]').waitFor();
  await check();
  await page.locator('main form button').first().click();
  await page.waitForURL('**?done=saved*');
  expect(
    await page
      .locator('[name="choice.name"]')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('value'))),
  ).toEqual(['Loch Ness', 'Ullswater', '']);

  // What is lost is said before something is deleted.
  await page.locator('a[href$="/delete"]').click();
  await page.locator('[data-confirmation]').waitFor();
  await check();
  await page.locator('button.danger').click();
  await page.waitForURL('**?done=questionDeleted*');
  expect(await page.locator('.builder-section .rows > li').count()).toBe(types.length - 1);
  await page.locator('.builder-section h2 a').click();
  await page.locator('a[href$="/delete"]').click();
  await page.locator('[data-confirmation]').waitFor();
  await check();
  await page.locator('button.danger').click();
  await page.waitForURL('**?done=sectionDeleted*');
  expect(await page.locator('.builder-section').count()).toBe(0);
  expect(formId).not.toBe('');
  await page.context().close();
});

test.for(LOOKS)('an author formats the explanation of a question: %j', async (options) => {
  const page = await server().open('bob', options);
  const hasScripts = !('javaScriptEnabled' in options);
  const { formId, questionIds } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  await page.goto(`${server().url}/build/${formId}/q/${questionIds[0]}`);
  const area = page.locator('#description');
  expect(await page.locator('.toolbar').isVisible()).toBe(false);
  // Whoever has no tools reads which signs there are.
  expect(await page.locator('[data-markdown] noscript').textContent()).toContain('++');
  if (hasScripts) {
    await area.fill('deep lake');
    await area.press('ControlOrMeta+a');
    await page.locator('[data-tool=list]').click();
    await area.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+b');
    await page.keyboard.type('blue');
    expect(await area.inputValue()).toBe('- deep lake\n**blue**');
    await page.keyboard.press('ControlOrMeta+z');
    expect(await area.inputValue()).not.toContain('blue');
  }
  await area.fill('- deep lake\n- **blue**');
  await page.locator('button[value="preview"]').click();
  await page.locator('.preview-text li strong').waitFor();
  expect(await area.inputValue()).toBe('- deep lake\n- **blue**');
  await expectAccessible(page, hasScripts);
  // Enter in the title saves, though the button for the preview comes first.
  await page.locator('#title').press('Enter');
  await page.waitForURL('**/questions?done=saved*');
  await page.context().close();
});

test.for(LOOKS)('an author changes the order of all questions: %j', async (options) => {
  const page = await server().open('bob', options);
  const hasScripts = !('javaScriptEnabled' in options);
  const titles = ['a', 'b', 'c', 'd'];
  const sections = [titles.slice(0, 3), titles.slice(3), []].map((names) =>
    names.map((title) => ({ type: 'SHORT_TEXT' as const, title })),
  );
  const { formId } = await server().newForm(sections, { publish: false });
  await page.goto(`${server().url}/build/${formId}/questions`);
  await page.locator('a[href$="/questions/order"]').click();
  const shown = () =>
    page.evaluate(
      '[...document.querySelectorAll("ol.order")].map((list) => list.innerText.match(/^[a-d]$/gm)?.join("") ?? "")',
    );
  const handle = (title: string) =>
    page
      .locator('ol.order > li', { has: page.getByRole('heading', { name: title, exact: true }) })
      .locator('[data-handle]');
  await expectAccessible(page, hasScripts);
  expect(await handle('a').isVisible()).toBe(hasScripts);
  if (hasScripts) {
    await handle('a').focus();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowDown');
    expect(await shown()).toEqual(['bc', 'ad', '']);
    await handle('b').scrollIntoViewIfNeeded();
    await handle('c').hover();
    await page.mouse.down();
    const to = await handle('b').boundingBox();
    await page.mouse.move((to?.x ?? 0) + 5, (to?.y ?? 0) - 2, { steps: 4 });
    await page.mouse.up();
    expect(await shown()).toEqual(['cb', 'ad', '']);
    // Nothing is stored before it is saved.
    await page.locator('.actions button[value="show"]').click();
    await page.locator('.notice[role="status"]').waitFor();
  } else {
    const number = (title: string) =>
      page
        .locator('ol.order > li', { has: page.getByRole('heading', { name: title, exact: true }) })
        .locator('input[name^="n."]');
    await page.locator('ol.order > li').first().locator('input[name^="s."]').fill('2');
    await number('c').fill('1');
    // Enter shows the new order.
    await number('c').press('Enter');
    await page.locator('.notice[role="status"]').waitFor();
  }
  expect(await shown()).toEqual(['cb', 'ad', '']);
  await expectAccessible(page, hasScripts);
  await page.locator('.actions button[value="save"]').click();
  await page.waitForURL('**/questions?done=ordered*');
  expect(await page.locator('.builder-section h3 a').allTextContents()).toEqual(['c', 'b', 'a', 'd']);
  await page.context().close();
});
