/** Deleting what is too old, while the process dies before and after each call of storage: all of it goes, once, and nothing else. */
import { expect, test } from 'vitest';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { ensureExpiry } from '#core/jobs/expiry.ts';
import { loadResponses } from '#core/responses/store.ts';
import { muteErrors } from '#test/support/console.ts';
import { withTable } from '#test/support/faults.ts';
import { newForm } from '#test/support/fixtures.ts';
import { castAt, draftOf, NOW, store, submissionOf } from '#test/support/responses.ts';
import { sweepIn } from '#test/support/sweeps.ts';

const { alice, dave, erin, slug } = await castAt();
muteErrors();

const DAY = 86_400;
const daysAgo = (days: number): string => new Date(Date.parse(NOW) - days * DAY * 1_000).toISOString();

/** A form with two old responses that have a place, an old draft, and young ones of both. */
async function formWithOld() {
  const form = await newForm(alice, slug, [[]], { retentionDays: 10, draftDays: 5, maxResponses: 3 });
  const { formId } = form;
  const withPlace = (at: string) => ({ ...submissionOf(form, dave.id, at), places: ['taken'], isOnce: true as const });
  const old = [withPlace(daysAgo(12)), withPlace(daysAgo(11)), draftOf(form, erin.id, daysAgo(8))];
  const young = [withPlace(daysAgo(2)), draftOf(form, erin.id, daysAgo(1))];
  await store([...old, ...young]);
  await app().table.write([
    { put: { ...keys.places(formId), taken: 3, writes: 3 } },
    { put: { ...keys.once(formId, dave.id), responseId: old[0]?.id } },
    ...ensureExpiry(formId, undefined, new Date(Date.parse(NOW) - DAY * 1_000)),
  ]);
  return { formId, old: old.map(({ id }) => id), young: young.map(({ id }) => id) };
}

const keptIds = async (ids: readonly string[]): Promise<string[]> =>
  (await loadResponses(app().table, ids)).map(({ id }) => id);

/** A table whose process dies at the call of a number; `isSent`: after it, as far as storage is concerned. */
function dyingAt(call: number, isSent: boolean) {
  const seen = { calls: 0 };
  const mortal =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      seen.calls += 1;
      if (seen.calls < call) return run(...args);
      if (seen.calls === call && isSent) await run(...args);
      throw new Error('the process died');
    };
  const change = ({ read, list, write, remove }: Table): Partial<Table> => ({
    read: mortal(read),
    list: mortal(list),
    write: mortal(write),
    remove: mortal(remove),
  });
  return { change, seen };
}

test('all that is due goes whatever call of storage was the last', async () => {
  let [call, isOver] = [1, false];
  for (; !isOver; call += 1) {
    for (const isSent of [false, true]) {
      const { formId, old, young } = await formWithOld();
      const { change, seen } = dyingAt(call, isSent);
      await withTable(change, () => sweepIn(1)).catch(() => undefined);
      isOver = seen.calls < call;
      // The claim of the process ends; once more, when the next look is due.
      for (const seconds of [400, 1_000, 5_000]) await sweepIn(seconds);
      expect(await keptIds([...old, ...young]), `died at call ${call}`).toEqual(young);
      const [places, kept, once] = await app().table.read([
        keys.places(formId),
        keys.keptPlaces(formId),
        keys.once(formId, dave.id),
      ]);
      expect([places?.taken, kept?.taken, once === undefined], `died at call ${call}`).toEqual([3, 2, false]);
    }
  }
  // The claim, the lists, the deletions.
  expect(call).toBeGreaterThan(20);
});
