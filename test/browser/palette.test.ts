/** The colours of a form: swatches and a picker write into the field of the colour. */
import { expect, test } from 'vitest';
import { expectAccessible, servePages } from './page-server.ts';

const server = servePages();

test('a pressed swatch or a picked colour is typed, shown at once, and saved', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const page = await server().open('alice');
  await page.goto(`${server().url}/build/${formId}/look`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Colour #1d4ed8' }).click();
  expect(await page.locator('#color').inputValue()).toBe('#1d4ed8');
  await page.locator('[data-swatches] code', { hasText: '#1d4ed8' }).waitFor();
  await page.locator('[data-picker]').fill('#7e22ce');
  expect(await page.locator('#color').inputValue()).toBe('#7e22ce');
  await page.locator('main .actions button[value="save"]').click();
  await page.locator('[data-flash]').waitFor();
  await page.goto(`${server().url}/build/${formId}/look`);
  expect(await page.locator('[data-picker]').inputValue()).toBe('#7e22ce');
  await page.context().close();
});

test('without scripts there is the field only', async () => {
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]]);
  const page = await server().open('alice', { javaScriptEnabled: false });
  await page.goto(`${server().url}/build/${formId}/look`);
  expect(await page.locator('[data-palette]').isVisible()).toBe(false);
  expect(await page.locator('#color').isVisible()).toBe(true);
  await page.context().close();
});
