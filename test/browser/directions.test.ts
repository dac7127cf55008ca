/** What the browser computes for texts in Arabic and Hebrew: their own direction, in a frame that stays in its language. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doc, p, text } from '#test/support/rich-text.ts';
import { type PageServer, startPageServer } from './page-server.ts';

const ARABIC = 'استبيان البحيرات';
const HEBREW = 'סקר האגמים';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server?.stop());

test('a section has texts and answers in their direction', async () => {
  const description = doc(p(text(HEBREW)), p(text('In English')));
  const { formId } = await server.newForm(
    [
      [
        { type: 'SINGLE_CHOICE', title: ARABIC, description, choices: [{ name: HEBREW }, { name: 'Loch Ness' }] },
        { type: 'SHORT_TEXT', title: 'Which lake?' },
        { type: 'LONG_TEXT', title: HEBREW },
      ],
    ],
    { title: ARABIC },
  );
  const page = await server.open('dave');
  await page.goto(`${server.url}/f/${formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Which lake?').fill(ARABIC);
  await page.getByLabel(HEBREW).last().fill(`${HEBREW}\nLoch Ness`);
  const directionOf = (selector: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => getComputedStyle(element).direction)`,
    );
  expect(await directionOf('legend.question-title')).toEqual(['rtl']);
  expect(await directionOf('label.question-title')).toEqual(['ltr', 'rtl']);
  expect(await directionOf('.choice > span')).toEqual(['rtl', 'ltr']);
  expect(await directionOf('.progress-text a')).toEqual(['rtl']);
  expect(await directionOf('input[type="text"], textarea')).toEqual(['rtl', 'rtl']);
  expect(await directionOf('.hint.prose')).toEqual(['rtl']);
  expect(await directionOf('.save-state, .section-actions, main')).not.toContain('rtl');
  // Each paragraph starts at its own side.
  const sides = await page.evaluate(`[...document.querySelectorAll('.hint.prose p')].map((paragraph) => {
    const range = document.createRange();
    range.selectNodeContents(paragraph);
    const [words, box] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()];
    return words.left - box.left < box.right - words.right ? 'left' : 'right';
  })`);
  expect(sides).toEqual(['right', 'left']);
});
