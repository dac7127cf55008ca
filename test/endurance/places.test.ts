/**
 * A rush for places: 200 submissions at once for 20, while processes die at any call of storage. Never is a place sold
 * twice, and after retries and a comparison all are taken.
 */
import { expect, test } from 'vitest';
import { requestContext } from '#core/db/request-context.ts';
import type { Table } from '#core/db/table.ts';
import { muteErrors } from '#test/support/console.ts';
import { withTable } from '#test/support/faults.ts';
import { newForm, type Person, send } from '#test/support/fixtures.ts';
import { cancel, castAt, start } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, dave, erin, slug } = await castAt();
muteErrors();

const PLACES = 20;
/** A person has at most 100 responses to a form. */
const EACH = 100;

type Draft = { id: string; person: Person };

/** Starts 200 responses, a few at once. */
async function startAll(formId: string): Promise<Draft[]> {
  const people = [dave, erin].flatMap((person) => Array.from({ length: EACH }, () => person));
  const drafts: Draft[] = [];
  for (let index = 0; index < people.length; index += 10) {
    const group = people.slice(index, index + 10);
    drafts.push(...(await Promise.all(group.map(async (person) => ({ person, id: await start(person, formId) })))));
  }
  return drafts;
}

const submitAll = (drafts: readonly Draft[]) =>
  Promise.all(
    drafts.map(async ({ id, person }) => {
      const headers = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
      const { status } = await send('POST', `/api/responses/${id}/submit`, { headers, body: '{"answers":[]}' });
      return status;
    }),
  );

const countOf = async (formId: string): Promise<number> =>
  (await alice.client.responses.listResponses({ params: { formId }, query: { progress: 'SUBMITTED' } })).body
    .submittedCount;

/** Repeats the submissions, some of which find storage busy, and has the places compared, until all are taken. */
async function submitUntilFull(formId: string, drafts: readonly Draft[]): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    const statuses = await submitAll(drafts);
    expect(await countOf(formId)).toBeLessThanOrEqual(PLACES);
    if (statuses.filter((status) => status === 201).length === PLACES) return;
    for (const seconds of [1, 122, 243, 364]) await sweepIn(seconds + 400 * round);
  }
  expect.unreachable('the places were not all taken');
}

const capped = () => newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]], { maxResponses: PLACES });

test.for(Array.from({ length: 10 }, (_, run) => run + 1))('exactly 20 of 200 at once: run %i', async () => {
  const { formId } = await capped();
  const drafts = await startAll(formId);
  await submitUntilFull(formId, drafts);
  expect(await countOf(formId)).toBe(PLACES);
});

/** A table whose requests die at a random call: every call of theirs fails from then on, with or without being sent. */
function dying(share: number, random: () => number): (table: Table) => Partial<Table> {
  const dead = new WeakSet<object>();
  return ({ read, write }) => {
    const mortal =
      <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const process = requestContext() ?? {};
        const dies = random() < share;
        if (dead.has(process)) throw new Error('the process has died');
        if (!dies) return call(...args);
        dead.add(process);
        if (random() < 0.5) await call(...args);
        throw new Error('the process died');
      };
    return { read: mortal(read), write: mortal(write) };
  };
}

test.for([1, 2, 3, 4])('never 21 while processes die, and 20 in the end: run %i', async (seed) => {
  let state = seed * 2_654_435_761;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const { formId } = await capped();
  const drafts = await startAll(formId);
  for (let round = 0; round < 3; round += 1) {
    await withTable(dying(0.2, random), async () => {
      await submitAll(drafts.filter(() => random() < 0.5));
      const cancelled = drafts.filter(() => random() < 0.1);
      await Promise.allSettled(cancelled.map(({ id, person }) => cancel(person, id)));
    });
    expect(await countOf(formId)).toBeLessThanOrEqual(PLACES);
  }
  await submitUntilFull(formId, drafts);
  expect(await countOf(formId)).toBe(PLACES);
});
