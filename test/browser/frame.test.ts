/** The one bar of all pages of a form: where it and the content below it are, on a desk and on a phone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, servePages, signInAs } from './page-server.ts';

const server = servePages();

/** Each page of a form, the tab of the bar that is current, and that of the second row. */
const PAGES = [
  ['build', '', 'Edit', undefined],
  ['build', '/questions', 'Edit', undefined],
  ['build', '/rules', 'Rules', undefined],
  ['build', '/settings', 'Settings', undefined],
  ['build', '/look', 'Look', undefined],
  ['build', '/share', 'Share', undefined],
  ['build', '/versions', undefined, undefined],
  ['review', '', 'Responses', 'Table'],
  ['review', '/statistics', 'Responses', 'Statistics'],
  ['review', '/export', 'Responses', 'Exports'],
  ['review', '/views', 'Responses', 'Views'],
  ['review', '/drafts', 'Responses', 'Drafts'],
] as const;

type Measured = { bar: number; first: number; left: number; current: string[]; headings: number; sideways: number };

/** Where the bar ends, where the first thing of the page begins that can be read or used, and which tabs are current. */
const measure = (page: Page): Promise<Measured> =>
  page.evaluate(`(() => {
    const shown = [...document.querySelectorAll('main *')].filter((element) =>
      element.checkVisibility() && !element.closest('nav, .flash, .visually-hidden') && element.offsetWidth > 1);
    const own = shown.filter((element) => element.matches('input, select, textarea, button, a, summary') ||
      [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== ''));
    const round = (element, side) => Math.round(element.getBoundingClientRect()[side]);
    return {
      bar: round(document.querySelector('.app-bar'), 'bottom'),
      first: Math.min(...own.map((element) => round(element, 'top'))),
      left: round(document.querySelector('main'), 'left') + parseFloat(getComputedStyle(document.querySelector('main')).paddingInlineStart),
      current: [...document.querySelectorAll('.tabs [aria-current]')].map(({ textContent }) => textContent),
      headings: document.querySelectorAll('h1').length,
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  })()`) as Promise<Measured>;

async function newAnsweredForm(): Promise<string> {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const { client } = await signInAs('dave');
  await client.responses.startResponse({ params: { formId }, body: { submit: true } });
  return formId;
}

test.for([
  ['on a desk one bar of 56 pixels is above', { width: 1_280, height: 800 }, 57, 140],
  ['on a phone two rows are above', { width: 390, height: 844 }, 102, 200],
] as const)('%s what is useful, on every page of a form', async ([, viewport, maxBar, maxFirst]) => {
  const formId = await newAnsweredForm();
  const page = await server().open('alice', { viewport });
  for (const [area, path, tab, row] of PAGES) {
    await page.goto(`${server().url}/${area}/${formId}${path}`);
    const { bar, first, left, current, headings, sideways } = await measure(page);
    const name = `/${area}${path}`;
    expect([name, bar <= maxBar, bar]).toEqual([name, true, bar]);
    expect([name, first < maxFirst, first]).toEqual([name, true, first]);
    // Nothing jumps sideways from page to page.
    expect([name, left]).toEqual([name, viewport.width === 1_280 ? 32 : 16]);
    expect([name, current]).toEqual([name, [tab, row].filter((text) => text !== undefined)]);
    expect([name, headings, sideways]).toEqual([name, 1, 0]);
  }
  await page.context().close();
});

test('on a desk no tab is cut, with a long title and changes to publish', async () => {
  const title = 'Special event permit of the town of Millbrook';
  const { formId, questionIds } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Name' }]], { title });
  const page = await server().open('alice', { viewport: { width: 1_280, height: 800 } });
  await page.goto(`${server().url}/build/${formId}/q/${questionIds[0]}`);
  await page.locator('#title').fill('Your name');
  await page.locator('#title').press('Enter');
  await page.getByRole('link', { name: 'Publish changes · 1' }).waitFor();
  for (const path of ['build', 'review']) {
    await page.goto(`${server().url}/${path}/${formId}`);
    const cut = await page
      .locator('.app-bar > .tabs')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect([path, cut]).toEqual([path, 0]);
  }
  await page.context().close();
});

test('the table begins above 260 pixels, and a phone shows three answers of a response, which opens', async () => {
  const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
  const { formId, questionIds } = await server().newForm([titles.map((title) => ({ type: 'SHORT_TEXT', title }))]);
  const { client } = await signInAs('dave');
  const answer = (title: string, index: number) => ({
    questionId: questionIds[index] ?? '',
    questionType: 'SHORT_TEXT' as const,
    value: `Answer ${title}`,
  });
  // The second question has no answer.
  const answers = titles.map(answer).filter((_, index) => index !== 1);
  await client.responses.startResponse({ params: { formId }, body: { answers, submit: true } });
  const alice = await signInAs('alice');
  await alice.client.views.createView({ params: { formId }, body: { title: 'Board' } });
  const page = await server().open('alice', { viewport: { width: 1_280, height: 800 } });
  await page.goto(`${server().url}/review/${formId}`);
  const row = page.locator('.responses tbody tr');
  expect((await row.boundingBox())?.y).toBeLessThan(260);
  const tools = ['.view-menu > summary', '#q', '#sort', '.list-tools > a'].map((tool) => page.locator(tool));
  const middles = await Promise.all(
    tools.map(async (tool) => {
      const box = await tool.boundingBox();
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    }),
  );
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
  await page.locator('.view-menu > summary').click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Board' }).click();
  await page.locator('.view-menu > summary', { hasText: 'Board' }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server().url}/review/${formId}`);
  const shown = await page.locator('.responses td[data-label]:not(.when):visible').allInnerTexts();
  expect(shown.map((text) => text.trim())).toEqual(['Answer One', 'Answer Three', 'Answer Four']);
  await row.click({ position: { x: 200, y: 100 } });
  await page.waitForURL('**/r/*');
  await page.context().close();
});

test('a phone shows the current tab, and the menu has what else the bar has', async () => {
  const formId = await newAnsweredForm();
  const page = await server().open('alice', { viewport: { width: 320, height: 640 } });
  await page.goto(`${server().url}/review/${formId}`);
  const isInView = `(() => {
    const { left, right } = document.querySelector('.app-bar .tabs [aria-current]').getBoundingClientRect();
    return left >= 0 && right <= innerWidth;
  })()`;
  expect(await page.evaluate(isInView)).toBe(true);
  expect(await page.getByRole('link', { name: 'Preview' }).count()).toBe(0);
  await page.locator('.account-menu > summary').click();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Preview' }).click();
  await page.waitForURL('**/preview');
  await page.context().close();
});

test('the bar leads to what publishing does: the list of a draft, and the changes of a published form with their number', async () => {
  const { formId, sectionIds, questionIds } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  const page = await server().open('alice', { viewport: { width: 1_280, height: 800 } });
  await page.goto(`${server().url}/build/${formId}/settings`);
  await page.locator('.app-bar').getByRole('link', { name: 'Publish' }).click();
  await page.locator('button[value="publish"]').click();
  await page.waitForURL('**?done=published');
  expect(await page.locator('.app-bar').getByRole('link', { name: 'Publish' }).count()).toBe(0);
  const edit = async (questionId: string | undefined, title: string) => {
    await page.goto(`${server().url}/build/${formId}/q/${questionId}`);
    await page.locator('#title').fill(title);
    await page.locator('#title').press('Enter');
    await page.waitForURL('**/questions?done=saved*');
  };
  await edit(questionIds[0], 'Another title');
  await page.goto(`${server().url}/build/${formId}/s/${sectionIds[0]}`);
  await page.locator('#title').fill('A section');
  await page.locator('#title').press('Enter');
  await page.waitForURL('**?done=saved*');
  await edit(questionIds[0], 'A third title');
  await page.goto(`${server().url}/review/${formId}`);
  await page.locator('.app-bar').getByRole('link', { name: 'Publish changes · 2' }).click();
  await page.waitForURL('**/changes');
  await page.context().close();
});
