/**
 * Statistics over everything that matches a filter, in a browser: the press, the progress, the result, and the second minute: reload,
 * Back, two tabs, a response that comes meanwhile; in every look, with and without scripts.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import type { CountData } from '#core/exports/counts-model.ts';
import { type App, app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { sweepExports } from '#core/workers/kinds.ts';
import { PEOPLE } from '#stacks/local/seed.ts';
import { gate } from '#test/support/faults.ts';
import { type Built, newForm } from '#test/support/fixtures.ts';
import { store, submissionOf } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';
import { expectAccessible, LOOKS, servePages, signInAs } from './page-server.ts';

const server = servePages();

const DAVE = PEOPLE.find(({ name }) => name === 'dave')?.id ?? '';
const BEGIN = Date.UTC(2026, 2, 1);
const RESPONSES = 2_400;

type Colours = Built & { colour: string };

/** A response, every third of which is red. */
const responseAt = (form: Colours, index: number) =>
  submissionOf(form, DAVE, new Date(BEGIN + index * 60_000).toISOString(), {
    [form.colour]: { type: 'SHORT_TEXT', value: index % 3 === 0 ? 'red' : 'blue' },
  });

async function colours(): Promise<Colours> {
  const built = await newForm(await signInAs('alice'), 'demo', [[{ type: 'SHORT_TEXT', title: 'Colour' }]]);
  const form = { ...built, colour: built.questionIds[0] ?? '' };
  await store(Array.from({ length: RESPONSES }, (_, index) => responseAt(form, index)));
  await deliverStream({ only: ['tally'] });
  return form;
}

/** The ids of the jobs of a form. */
const jobsOf = async ({ formId }: Colours): Promise<string[]> =>
  (await app().table.read([0, 1, 2, 3, 4].map((place) => keys.counting(formId, place)))).flatMap(
    (item) => parseJob<CountData>(item)?.data.id ?? [],
  );

/** Lets the worker do what is due. */
const work = (changes: Partial<App> = {}): Promise<unknown> =>
  inRequestContext({ calls: 0, capacityUnits: 0, deadline: performance.now() + 900_000 }, () =>
    sweepExports({ ...app(), ...changes }, () => true),
  );

test.for(LOOKS)('are counted by a press, with progress, and kept until something changes: %o', async (look) => {
  const form = await colours();
  const hasScripts = !('javaScriptEnabled' in look);
  const first = await server().open('alice', { ...look, locale: 'en', timezoneId: 'UTC' });
  const second = await first.context().newPage();
  const address = `${server().url}/review/${form.formId}/statistics?has-${form.colour}=red`;
  const count = (page: Page) => page.getByRole('button', { name: 'Count all responses' });
  const again = (page: Page) => page.getByRole('button', { name: 'Count again' });
  const all = (page: Page, matches: string) =>
    page.getByText(`These statistics are of ${matches} responses that match.`);
  /** What the reader does without scripts to see how far the count is. */
  const lookAgain = async (page: Page): Promise<void> => {
    if (!hasScripts) await page.getByRole('link', { name: 'Show the progress again' }).click();
  };

  // The newest 1,000 are not all.
  await first.goto(address);
  await first.getByText('These statistics are of 333 responses that match among at most the newest 1,000.').waitFor();
  await count(first).focus();
  await first.keyboard.press('Enter');
  await first.getByRole('heading', { name: 'Counting all responses' }).waitFor();
  await first.getByText('It starts within a minute.').waitFor();
  await expectAccessible(first, hasScripts);
  const [job] = await jobsOf(form);

  // A press in another tab is the same count.
  await second.goto(address);
  await count(second).click();
  await second.getByRole('heading', { name: 'Counting all responses' }).waitFor();
  expect(await jobsOf(form)).toEqual([job]);

  // How far it is, and then the result, also where nobody presses.
  const storing = gate();
  const { bucket } = app();
  const running = work({
    bucket: {
      ...bucket,
      put: async (...args) => {
        await storing.wait();
        await bucket.put(...args);
      },
    },
  });
  await storing.reached;
  for (const page of [first, second]) {
    await lookAgain(page);
    await page.getByText(/^2,\d{3} of 2,400 responses$/).waitFor();
    const bar = page.getByRole('progressbar', { name: 'Responses read' });
    expect(Number(await bar.getAttribute('value'))).toBeGreaterThanOrEqual(2_000);
    expect(await bar.getAttribute('max')).toBe('2400');
  }
  await expectAccessible(first, hasScripts);
  storing.open();
  await running;
  for (const page of [first, second]) {
    await lookAgain(page);
    await all(page, '800').waitFor();
  }
  await first.getByText('All responses were counted, as of').waitFor();
  expect(await first.getByText('Responses have changed since.').count()).toBe(0);
  await expectAccessible(first, hasScripts);

  // Kept: after a reload, after Back and another press, and for a press in the result.
  await first.reload();
  await all(first, '800').waitFor();
  await first.goBack();
  await first.getByText('These statistics are of 333 responses').waitFor();
  await count(first).click();
  await all(first, '800').waitFor();
  await again(first).click();
  await all(first, '800').waitFor();
  expect(await jobsOf(form)).toEqual([job]);

  // Until something changes.
  await store([responseAt(form, RESPONSES + 600)]);
  await deliverStream({ only: ['tally'] });
  await first.reload();
  await all(first, '800').waitFor();
  await first.getByText('Responses have changed since.').waitFor();
  await again(first).click();
  await first.getByRole('heading', { name: 'Counting all responses' }).waitFor();
  expect(await jobsOf(form)).not.toContain(job);

  // A person has one count: another one, in the other tab, takes its place, and this tab does not wait for ever.
  await second.goto(address.replace('=red', '=blue'));
  await count(second).click();
  await second.getByRole('heading', { name: 'Counting all responses' }).waitFor();
  await lookAgain(first);
  await first.getByText('These statistics are of 334 responses that match among').waitFor();
  await work();
  await lookAgain(second);
  await all(second, '1,600').waitFor();
  await count(first).click();
  await first.getByRole('heading', { name: 'Counting all responses' }).waitFor();
  await work();
  await lookAgain(first);
  await all(first, '801').waitFor();
  await first.context().close();
});
