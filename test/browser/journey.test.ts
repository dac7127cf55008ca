/** From the first question to the first answer, with the keyboard only: an author, a respondent and a reviewer. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { servePages } from './page-server.ts';

const server = servePages();
const MAX_TABS = 90;

/** What the focused element is called, by its label or its text. */
const FOCUSED = `((e) => (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent).replace(/\\s+/g, ' ').trim())(document.activeElement)`;

/** Presses Tab until an element with this name has the focus. */
async function reach(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let count = 0; count < MAX_TABS; count += 1) {
    await page.keyboard.press('Tab');
    const focused = String(await page.evaluate(FOCUSED));
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    passed.push(focused.slice(0, 30));
  }
  throw new Error(`Tab does not reach ${name} on ${page.url()}, only ${passed.join(', ')}`);
}

async function press(page: Page, name: string | RegExp, then: string): Promise<void> {
  await reach(page, name);
  await page.keyboard.press('Enter');
  await page.waitForURL(then);
}

async function type(page: Page, name: string, text: string): Promise<void> {
  // Pages of which it is the first field begin with the focus in it.
  if (String(await page.evaluate(FOCUSED)) !== name) await reach(page, name);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

test.for([true, false])('a form is built, answered and reviewed (scripts: %s)', async (javaScriptEnabled) => {
  const author = await server().open('bob', { javaScriptEnabled });
  await author.goto(`${server().url}/o/demo`);
  await press(author, 'New form', '**/new');
  await type(author, 'Title', `Lakes ${javaScriptEnabled}`);
  await press(author, 'Create form', '**?done=created');
  await press(author, 'Questions', '**/questions');
  for (const [title, name] of [
    ['You', 'Add a section'],
    ['Why not', 'Add a section here after “You”'],
    ['The end', 'Add a section here after “Why not”'],
  ] as const) {
    await reach(author, name);
    await author.keyboard.press('Enter');
    await author.waitForURL('**?done=sectionAdded*');
    await type(author, 'Title of the section', title);
    await author.keyboard.press('Enter');
    await author.waitForURL('**/questions?done=saved*');
  }
  await press(author, 'Add a question to “You”', '**/new');
  await press(author, /^Yes or no/, '**preset=yesNo#title');
  await type(author, 'Question', 'Do you swim?');
  await author.keyboard.press('Enter');
  await author.waitForURL('**?done=questionAdded*');
  await press(author, 'Add a question to “Why not”', '**/new');
  await press(author, /^Short text/, '**type=SHORT_TEXT#title');
  await type(author, 'Question', 'Why not?');
  await author.keyboard.press('Enter');
  await author.waitForURL('**?done=questionAdded*');

  // Who swims is not asked why not.
  await press(author, 'Rules', '**/rules');
  // The first one is that of the start.
  await reach(author, /^Change/);
  await press(author, /^Change/, '**/s/*/rules');
  await reach(author, /Yes/);
  await author.keyboard.type('“The');
  await press(author, 'Save', '**/rules?done=saved*');
  expect(await author.locator('main').innerText()).toContain('If “Do you swim?” is “Yes”, go to “The end”.');
  await press(author, 'Publish', '**/build/*#publish');
  await press(author, 'Publish', '**?done=published');
  const formId = /build\/([^?]+)/.exec(author.url())?.[1] ?? '';

  await press(author, 'Questions', '**/questions');
  await press(author, 'Do you swim?', '**/q/*');
  await type(author, 'Question', 'Do you like to swim?');
  await author.keyboard.press('Enter');
  await author.waitForURL('**/questions?done=saved*');
  await press(author, 'See and publish the changes', '**/changes');
  expect(await author.locator('main').innerText()).toContain('Do you like to swim?');
  await press(author, 'Publish the changes', '**?done=changesPublished*');

  const respondent = await server().open('dave', { javaScriptEnabled });
  await respondent.goto(`${server().url}/f/${formId}`);
  await press(respondent, 'Start', '**/r/**');
  expect(await respondent.locator('main').innerText()).toContain('Do you like to swim?');
  // Nobody has to answer, although the path depends on it: nothing is chosen beforehand.
  await reach(respondent, 'Yes');
  await respondent.keyboard.press('Space');
  await reach(respondent, 'Continue');
  await respondent.keyboard.press('Enter');
  await respondent.getByRole('heading', { level: 1, name: 'The end' }).waitFor();
  await reach(respondent, 'Continue');
  await respondent.keyboard.press('Enter');
  await respondent.getByRole('heading', { name: 'Check your answers' }).waitFor();
  await reach(respondent, 'Submit');
  await respondent.keyboard.press('Enter');
  await respondent.getByRole('heading', { name: 'Thank you' }).waitFor();

  await press(author, 'Responses', '**/review/**');
  expect(await author.locator('.responses tbody').innerText()).toContain('Yes');
  await press(author, /^Response of dave|^dave/, '**/r/**');
  expect(await author.locator('main').innerText()).toMatch(/Do you like to swim\?\s+Yes/);
  await press(author, 'Statistics', '**/statistics');
  expect(await author.locator('main').innerText()).toMatch(
    /Do you like to swim\?\s+1 of 1 who were asked have answered/,
  );
  await author.context().close();
  await respondent.context().close();
});
