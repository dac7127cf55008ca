/** The pages of a form in a browser: an author creates, sets up, shares and deletes it, with and without scripts. */
import { expect, test } from 'vitest';
import { webp } from '#test/support/webp.ts';
import { expectAccessible, LOOKS, servePages } from './page-server.ts';

const server = servePages();

const HEADER_FONT = `getComputedStyle(document.querySelector('h1')).fontFamily`;

test.for(LOOKS)('an author creates a form, sets it up, publishes, shares and deletes it: %j', async (options) => {
  const page = await server().open('bob', options);
  const check = () => expectAccessible(page, !('javaScriptEnabled' in options));
  // A page with other colours is reloaded after its address has changed.
  const opened = async (path: string) => {
    await page.waitForURL(`**${path}*`);
    await page.locator('[data-flash]').waitFor();
  };
  const title = `Lakes ${'x'.repeat(90)}`;

  await page.goto(`${server().url}/o/demo/new`);
  await check();
  await page.locator('#title').press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await page.locator('#title').fill(title);
  await page.locator('#title').press('Enter');
  await opened('?done=created');
  await check();
  const formId = /build\/([^?]+)/.exec(page.url())?.[1] ?? '';
  const tab = (name: string) => page.locator(`.tabs a[href$="/${name}"]`).click();

  await tab('settings');
  await check();
  await page.locator('#description').fill('First\nSecond');
  await page.locator('#deadline').fill('2099-12-31T23:59');
  await page.locator('#publishTime').fill('2100-01-01T00:00');
  // Enter in a field saves, which is the harmless button.
  await page.locator('#previewMessage').press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await page.locator('#publishTime').fill('');
  await page.locator('#sendResponseEmail').focus();
  await page.keyboard.press('Space');
  await page.locator('.actions button[value="save"]').click();
  await opened('/settings?done=saved');
  expect(await page.locator('#deadline').inputValue()).toBe('2099-12-31T23:59');
  expect(await page.locator('#sendResponseEmail').isChecked()).toBe(true);
  await check();

  await tab('look');
  await check();
  await page.locator('#color').fill('#ffee00');
  await page.locator('#headerFont').selectOption('lora');
  if (!('javaScriptEnabled' in options)) await expect.poll(() => page.evaluate(HEADER_FONT)).toMatch(/^"?Lora/);
  else await page.locator('[data-sample]').click();
  await page.locator('.swatch').first().waitFor();
  expect(await page.evaluate(HEADER_FONT)).toMatch(/^"?Lora/);
  await check();
  await page.locator('.actions button[value="save"]').click();
  await opened('/look?done=saved');
  await check();
  await page
    .locator('#cover')
    .setInputFiles({ name: 'cover.webp', mimeType: 'image/webp', buffer: Buffer.from(webp(1_200, 400)) });
  await page.locator('button[value="upload"]').click();
  await opened('/look?done=saved');
  await page.locator('.cover img').waitFor({ state: 'attached' });
  await check();

  await page.goto(`${server().url}/build/${formId}`);
  await page.locator('button[value="publish"]').click();
  await opened('?done=published');
  await check();
  await page.locator('.app-bar a[href$="/share"]').click();
  await page.locator('.qr svg').waitFor();
  await check();
  await page.goto(`${server().url}/build/${formId}`);
  await page.locator('button[value="close"]').click();
  await opened('?done=closed');
  await check();

  await page.goto(`${server().url}/build/${formId}/delete`);
  await page.locator('#title').press('Enter');
  await page.locator('.error-summary').waitFor();
  await check();
  await page.locator('#title').fill(title);
  await page.locator('button.danger').click();
  await page.waitForURL('**/o/demo*');
  await page.context().close();
});

/** Safari writes PNG where it is asked for WebP. */
const LIKE_SAFARI = `(() => {
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
    return toBlob.call(this, done, type === 'image/webp' ? 'image/png' : type, quality);
  };
})()`;

test.for([
  ['image/webp', ''],
  ['image/jpeg', LIKE_SAFARI],
] as const)('a photo becomes a cover that the service accepts, as %s', async ([type, script]) => {
  const page = await server().open('bob');
  await page.addInitScript(script);
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  await page.goto(`${server().url}/build/${formId}/look`);
  const png = await page.evaluate(`(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3600, height: 1200 });
    canvas.getContext('2d').fillRect(0, 0, 1800, 600);
    return canvas.toDataURL('image/png').split(',')[1];
  })()`);
  const buffer = Buffer.from(String(png), 'base64');
  await page.locator('#cover').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
  const kind = () => page.evaluate(`document.querySelector('#cover').files[0].type`);
  await expect.poll(kind).toBe(type);
  await page.locator('button[value="upload"]').click();
  await page.waitForURL('**/look?done=saved');
  const width = () => page.evaluate(`document.querySelector('.cover img')?.naturalWidth`);
  await expect.poll(width).toBe(1_800);
  await page.context().close();
});

test('a photo that is chosen before the script has come is converted too', async () => {
  const page = await server().open('bob');
  const { promise, resolve: letThrough } = Promise.withResolvers<void>();
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  await page.route(/\/page\..*\.js/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`${server().url}/build/${formId}/look`, { waitUntil: 'commit' });
  // One pixel.
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') };
  await page.locator('#cover').setInputFiles(photo);
  letThrough();
  await expect.poll(() => page.evaluate(`document.querySelector('#cover').files[0].type`)).toBe('image/webp');
  await page.context().close();
});

test('the fonts are loaded only when somebody looks at all of them', async () => {
  const page = await server().open('bob');
  const loaded = new Set<string>();
  page.on('request', (request) => {
    if (request.url().endsWith('.woff2')) loaded.add(request.url());
  });
  const { formId } = await server().newForm([[{ type: 'SHORT_TEXT' }]], { publish: false });
  await page.goto(`${server().url}/build/${formId}/look`, { waitUntil: 'networkidle' });
  await expectAccessible(page);
  expect([...loaded]).toEqual([]);
  await page.getByText('See all fonts').click();
  await expect.poll(() => loaded.size).toBe(18);
  await expectAccessible(page);
  const family = 'getComputedStyle(document.querySelector(".font-playfair-display")).fontFamily';
  expect(await page.evaluate(family)).toContain('playfair-display');
  await page.context().close();
});
