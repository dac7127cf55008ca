/** Prefilled links in a browser: made on the share page, and kept while a person signs in. */
import { expect, test } from 'vitest';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

test.for(LOOKS)('an author makes a link that fills in answers: %j', async (options) => {
  const { formId, questionIds } = await server().newForm([
    [
      { type: 'SHORT_TEXT', title: 'Name' },
      { type: 'MULTIPLE_CHOICE', title: 'Animals', choices: [{ name: 'Fish' }, { name: 'Birds' }] },
      { type: 'DATE', title: 'Month', date: { hasYear: true, hasMonth: true, hasDay: false } },
      { type: 'RATING', title: 'Stars', scale: { minVal: 1, maxVal: 5, icon: 'star' } },
    ],
  ]);
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  const field = (index: number) => page.locator(`[name="q.${questionIds[index]}"]`);
  await page.goto(`${server().url}/build/${formId}/share`);
  await page.locator('summary', { hasText: /Choose the answers|選擇要填入/ }).click();
  await check();
  await field(2).fill('May');
  await field(2).press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await field(0).fill('Ann & co');
  await page.locator('label.choice', { hasText: 'Birds' }).click();
  await field(2).fill('2026-05');
  await field(3).selectOption('4');
  await page.locator('#prefill form button').last().click();
  const link = page.locator('#prefill a.address');
  await link.waitFor();
  await check();
  await link.click();
  await check();
  await page.locator('form[action$="/start"] button').click();
  await page.waitForURL('**prefilled=all');
  await check();
  expect(await field(0).inputValue()).toBe('Ann & co');
  expect(await page.locator('input[type=checkbox]:checked').count()).toBe(1);
  await page.context().close();
});

test('a link keeps its answers while a person signs in', async () => {
  const { formId, questionIds } = await server().newForm([[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const page = await server().open('nobody');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(`${server().url}/f/${formId}?q.${questionIds[0]}=Ann`);
  await page.locator('button[name=uid]', { hasText: 'dave' }).click();
  await page.waitForURL(`**/f/${formId}?q.*`);
  expect(requested.filter((url) => url.includes('/sign-in') && url.includes('Ann'))).toEqual([]);
  await page.locator('form[action$="/start"] button').click();
  await page.waitForURL('**prefilled=all');
  expect(await page.locator(`[name="q.${questionIds[0]}"]`).inputValue()).toBe('Ann');
  // What was kept is used once.
  await page.goto(`${server().url}/f/${formId}`);
  expect(new URL(page.url()).search).toBe('');
  await page.context().close();
});
