/**
 * Lighthouse on the pages of respondents and reviewers: accessibility must be 100. Its performance score depends on the
 * machine, so it is printed only.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { freePort } from '#stacks/local/dynamo/dynamo.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { startBrowser } from '#test/browser/browser.ts';
import { type PageServer, startPageServer } from '#test/browser/page-server.ts';

const Report = z.object({
  lhr: z.object({
    categories: z.object({
      accessibility: z.object({ score: z.number() }),
      performance: z.object({ score: z.number().nullable() }),
    }),
    audits: z.record(z.string(), z.looseObject({ id: z.string(), title: z.string(), score: z.number().nullable() })),
  }),
});
const Forms = z.tuple([z.object({ id: z.string(), responseIds: z.array(z.string()) })]).rest(z.unknown());
const Sections = z.tuple([z.object({ section: z.object({ id: z.string() }) })]).rest(z.unknown());

let server: PageServer;
let browser: Browser;
let port: number;
beforeAll(async () => {
  server = await startPageServer();
  port = await freePort();
  browser = await startBrowser([`--remote-debugging-port=${port}`]);
});
afterAll(async () => {
  await browser.close();
  await server.stop();
});

/** The cookies of a demo person. */
async function logInAs(name: string): Promise<string> {
  const uid = PEOPLE.find((person) => person.name === name)?.id;
  const body = JSON.stringify({ uid });
  const response = await fetch(`${server.url}/api/auth/login/internal`, { method: 'POST', body });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

test('landing, section, table, response and statistics pages have no accessibility fault', async () => {
  const { default: lighthouse } = await import('lighthouse');
  const [dave, alice] = await Promise.all([logInAs('dave'), logInAs('alice')]);
  const get = async (path: string) => (await fetch(server.url + path, { headers: { cookie: dave } })).json();
  const [form] = Forms.parse(await get('/api/forms/me'));
  const [{ section }] = Sections.parse(await get(`/api/forms/${form.id}/sections`));
  const [submitted, draft] = [form.responseIds[0], form.responseIds.at(-1)];
  const visits = [
    { cookie: dave, path: `/f/${form.id}` },
    { cookie: dave, path: `/r/${draft}/s/${section.id}` },
    { cookie: alice, path: `/review/${form.id}` },
    { cookie: alice, path: `/review/${form.id}/r/${submitted}` },
    { cookie: alice, path: `/review/${form.id}/statistics` },
  ];
  // One after the other: Lighthouse measures one page of a browser at a time.
  for (const { path, cookie } of visits) {
    const { lhr } = Report.parse(
      await lighthouse(server.url + path, {
        port,
        logLevel: 'error',
        extraHeaders: { cookie },
        onlyCategories: ['accessibility', 'performance'],
      }),
    );
    const { accessibility, performance } = lhr.categories;
    const faults = Object.values(lhr.audits).filter(({ score }) => score === 0);
    const found = faults.map(({ id, title }) => `${id}: ${title}`).join('\n');
    // Now and then the browser loses the trace of a page.
    const speed = performance.score === null ? 'not measured' : performance.score * 100;
    console.log(`Lighthouse: accessibility ${accessibility.score * 100}, performance ${speed}, ${path}`);
    expect(accessibility.score, `${path}\n${found}`).toBe(1);
  }
}, 180_000);
