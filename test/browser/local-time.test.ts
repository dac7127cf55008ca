/** Times are typed in the zone of the browser, wherever an author is. */
import { expect, test } from 'vitest';
import { servePages, signInAs } from './page-server.ts';

const server = servePages();

const DEADLINE = '2031-03-14T15:59:12.345Z';

test('the deadline is typed in the zone of the browser, and saving in another one does not move it', async () => {
  const { formId } = await server().newForm([[]]);
  const { client } = await signInAs('alice');
  const read = async () => (await client.forms.getForm({ params: { formId } })).body.deadline;
  await client.forms.updateForm({ params: { formId }, body: { deadline: DEADLINE } });
  const asks = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))";
  for (const [timezoneId, shown] of [
    ['Asia/Taipei', '2031-03-14T23:59'],
    ['America/New_York', '2031-03-14T11:59'],
  ] as const) {
    const page = await server().open('alice', { timezoneId });
    await page.goto(`${server().url}/build/${formId}/settings`);
    expect(await page.inputValue('#deadline')).toBe(shown);
    expect(await page.textContent('#deadline-hint')).toContain(`Time zone: ${timezoneId}`);
    expect(await page.evaluate(asks)).toBe(false);
    await page.fill('#title', `Renamed in ${timezoneId}`);
    await page.click('p.actions button[value=save]');
    await page.waitForURL(/done=saved/);
    expect(await read()).toBe(DEADLINE);
    // The page was updated in place: it is still in the zone of the browser, and nothing is unsaved.
    await expect.poll(() => page.inputValue('#deadline')).toBe(shown);
    expect(await page.evaluate(asks)).toBe(false);
  }
  const page = await server().open('alice', { timezoneId: 'Europe/Berlin' });
  await page.goto(`${server().url}/build/${formId}/settings`);
  await page.fill('#deadline', '2031-03-30T02:30');
  await page.click('p.actions button[value=save]');
  await page.locator('#deadline-error').waitFor();
  expect(await page.textContent('#deadline-error')).toContain('02:30 does not exist on 30 March 2031 in Europe/Berlin');
  expect(await page.inputValue('#deadline')).toBe('2031-03-30T02:30');
  await page.fill('#deadline', '2031-03-30T03:30');
  await page.click('p.actions button[value=save]');
  await page.waitForURL(/done=saved/);
  await expect.poll(read).toBe('2031-03-30T01:30:00.000Z');
});

test('the days of the statistics are those of the browser, once a page was opened in it', async () => {
  const { formId } = await server().newForm([[]]);
  const { client } = await signInAs('alice');
  await client.responses.startResponse({ params: { formId }, body: { submit: true } });
  const page = await server().open('alice', { timezoneId: 'Asia/Taipei' });
  await page.goto(`${server().url}/review/${formId}`);
  await page.click('a[href$="/statistics"]');
  await page.locator('#over-time + p').waitFor();
  expect(await page.textContent('#over-time + p')).toContain('By day, in Asia/Taipei.');
});
