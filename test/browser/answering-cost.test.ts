/** What somebody who answers with a browser uses: the bill and the simulation of scale assume what is counted here. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dynamoClient } from '#core/aws/clients.ts';
import { dynamoTable } from '#core/aws/dynamo-table.ts';
import { app } from '#core/http/app.ts';
import { MEASURED } from '#stacks/operate/measured.ts';
import { type Meter, measure } from '#test/support/cost.ts';
import { withApp } from '#test/support/faults.ts';
import { servePages } from './page-server.ts';

const server = servePages();
const TITLES = Array.from({ length: 10 }, (_, index) => `Question ${index + 1}.`);
const OF_SECTION = 5;
/** Typed with a pause of 0.9 s after each part, and one of 4 s to read on after every second answer. */
const PARTS = ['The river was high this week, ', 'and brown ', 'after the rain.'];
const PAUSE_MS = 900;
const READING_MS = 4_000;

/** Answers ten questions in two sections at a human pace, by a clock that is stopped. */
async function answer(page: Page, formId: string): Promise<void> {
  await page.goto(`${server().url}/f/${formId}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByLabel('Question 1.').waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const [index, title] of TITLES.entries()) {
    for (const part of PARTS) {
      await page.getByLabel(title).pressSequentially(part);
      await page.clock.runFor(PAUSE_MS);
    }
    if (index % 2 === 1) {
      await page.clock.runFor(READING_MS);
      await page.locator('[data-save-state]', { hasText: /^Saved [\d:]+$/ }).waitFor();
    }
    if ((index + 1) % OF_SECTION > 0) continue;
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel(title).waitFor({ state: 'detached' });
  }
  await page.waitForURL('**/check');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL('**/done');
}

test('somebody who answers with a browser at a human pace uses what the bill says', async () => {
  const sections = [TITLES.slice(0, OF_SECTION), TITLES.slice(OF_SECTION)];
  const { formId } = await server().newForm(
    sections.map((titles) => titles.map((title) => ({ type: 'SHORT_TEXT' as const, title }))),
  );
  // The first answers to a form cost more than all others.
  await answer(await server().open('chelsea'), formId);
  const page = await server().open('dave');
  const client = dynamoClient(app().config);
  const meter: Meter = { reads: 0, writes: 0 };
  measure(client, meter);
  const assets = new Set<string>();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== server().url || assets.has(pathname)) return;
    // A browser keeps them, for this visit and the next.
    if (pathname.startsWith('/assets/')) assets.add(pathname);
    requests.push(`${request.method()} ${pathname}`);
  });
  await withApp(
    ({ config }) => ({ table: dynamoTable(client, config.tableName) }),
    () => answer(page, formId),
  );
  // Chromium without windows shows no icon of a page, and requests none: browsers of people do.
  const icon = await page.locator('link[rel="icon"]').getAttribute('href');
  if (icon && !assets.has(icon)) requests.push(`GET ${icon}`);
  const { pages } = MEASURED.journeys;
  expect(requests.length, requests.join('\n')).toBe(pages.requests);
  expect(meter).toEqual({ reads: pages.reads, writes: pages.writes });
});
