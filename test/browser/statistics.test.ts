/** The page of statistics in a browser: nothing for axe to find in any look, nothing too wide, and all of it on paper. */
import { expect, test } from 'vitest';
import { choice, everyTypeForm, respond, sent, start, text } from '#test/support/responses.ts';
import { expectAccessible, LOOKS, servePages, signInAs } from './page-server.ts';

const server = servePages();

/** A form with every type, with a response of dave and a draft. */
async function answeredForm() {
  const [alice, dave] = [await signInAs('alice'), await signInAs('dave')];
  const { formId, byType } = await everyTypeForm(alice, 'demo');
  const { MULTIPLE_CHOICE, LINEAR_SCALE, SHORT_TEXT } = byType;
  const answers = [
    sent(MULTIPLE_CHOICE.id, 'MULTIPLE_CHOICE', [choice(MULTIPLE_CHOICE, 'Red')]),
    sent(LINEAR_SCALE.id, 'LINEAR_SCALE', 3),
    text(SHORT_TEXT.id, 'w'.repeat(190)),
  ];
  await respond(dave, formId, answers);
  await start(dave, formId);
  return `${server().url}/review/${formId}/statistics`;
}

/** The tables that are wider than the content of what they are in. */
const TOO_WIDE = `[...document.querySelectorAll('.chart')]
  .map((table) => [table, table.parentElement])
  .filter(([table, { clientWidth }]) => table.offsetWidth > 0 && clientWidth > 0)
  .filter(([table, parent]) => {
    const { paddingLeft, paddingRight } = getComputedStyle(parent);
    return table.offsetWidth > parent.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) + 1;
  })
  .map(([table]) => table.caption.textContent)`;

test.for(LOOKS)('are accessible and fit the screen: %o', async (look) => {
  const address = await answeredForm();
  const page = await server().open('alice', look);
  const hasScripts = !('javaScriptEnabled' in look);
  await page.goto(address);
  await page.locator('.column-chart svg').waitFor();
  await page.locator('.chart-table summary').first().click();
  await expectAccessible(page, hasScripts);
  expect(await page.evaluate(TOO_WIDE)).toEqual([]);
  await page.locator('a[href*="filter=open"]').click();
  await page.locator('#filter').waitFor();
  await expectAccessible(page, hasScripts);
  await page.locator('#filter summary').first().click();
  await page.locator('#filter input[type=checkbox]').first().check();
  await page.locator('#filter button').click();
  await page.locator('.match-count').waitFor();
  expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  await expectAccessible(page, hasScripts);
  await page.context().close();
});

test('print the folded tables, and no filter', async () => {
  const page = await server().open('alice');
  await page.goto(await answeredForm());
  const table = page.locator('.chart-table table').first();
  expect(await table.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect((await table.boundingBox())?.height).toBeGreaterThan(10);
  expect(await page.locator('a[href*="filter=open"]').isVisible()).toBe(false);
  await page.context().close();
});
