/**
 * Counters under everything that happens to workers: batches delivered twice and out of order, workers that die, several
 * at once, recounts in between. In the end they are what a count of all responses gives.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recounts } from '#core/counts/recount.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { keys } from '#core/db/keys.ts';
import type { Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { parseJob } from '#core/jobs/job.ts';
import { muteErrors } from '#test/support/console.ts';
import {
  choiceCounts,
  choosing,
  countedOneByOne,
  listCounts,
  newPoll,
  type Poll,
  readCounters,
  recountNow,
  seedSubmissions,
} from '#test/support/counts.ts';
import { beforeFirstWrite, withApp, withTable } from '#test/support/faults.ts';
import { tries } from '#test/support/nightly.ts';
import { cancel, castAt, respond, save, start, submit } from '#test/support/responses.ts';
import { type DeliverOptions, deliverStream, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
muteErrors();

type Step =
  | { do: 'start' | 'cancel' | 'delete'; which: number }
  | { do: 'respond' | 'save' | 'submit'; which: number; light: number[]; dark: number[] }
  | { do: 'recount' }
  | { do: 'work'; only: 'tally' | 'deliver' | 'all'; twice: boolean; kill: number; seed: number };

const chosen = fc.uniqueArray(fc.nat(2), { maxLength: 3 });
const which = fc.nat(7);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('start', 'cancel', 'delete'), which }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('respond', 'save', 'submit'), which, light: chosen, dark: chosen }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recount') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('work'),
      only: fc.constantFrom('tally', 'deliver', 'all'),
      twice: fc.boolean(),
      kill: fc.nat(12),
      seed: fc.nat(),
    }),
  },
);

/** Does a step; what the service refuses, such as cancelling a draft, does nothing. */
async function take(poll: Poll, responseIds: string[], step: Step): Promise<void> {
  const { alice, dave } = cast;
  const { formId } = poll;
  const responseId = 'which' in step ? responseIds[step.which % Math.max(responseIds.length, 1)] : undefined;
  const answers = 'light' in step ? [choosing(poll, 0, step.light), choosing(poll, 1, step.dark)] : [];
  const ignored = () => undefined;
  if (step.do === 'start') responseIds.push(await start(dave, formId));
  if (step.do === 'respond') responseIds.push(await respond(dave, formId, answers));
  if (step.do === 'recount') await recountNow(poll);
  if (step.do === 'work') await work(step);
  if (responseId === undefined) return;
  if (step.do === 'cancel') await cancel(dave, responseId).catch(ignored);
  if (step.do === 'save') await save(dave, responseId, answers).catch(ignored);
  if (step.do === 'submit') await submit(dave, responseId, answers).catch(ignored);
  if (step.do === 'delete') {
    await alice.client.responses.deleteResponse({ params: { formId, responseId } }).catch(ignored);
  }
}

async function work({ only, twice, kill, seed }: Extract<Step, { do: 'work' }>): Promise<void> {
  const options: DeliverOptions = {
    twice,
    shuffle: 'all',
    random: generator(seed),
    ...(only === 'all' ? {} : { only: [only] }),
    ...(kill === 0 ? {} : { kill: { call: kill, when: kill % 2 === 0 ? 'before' : 'after' } }),
  };
  await deliverStream(options);
}

/** Numbers from 0 up to 1 that depend on the seed only. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lets workers finish all they have to do, also what is due in two minutes. */
async function settle(): Promise<void> {
  await deliverStream();
  for (const seconds of [300, 600]) {
    const now = new Date(Date.now() + seconds * 1_000);
    await withApp(
      () => ({ now: () => now }),
      async () => {
        await runWorker('sweep');
        await deliverStream();
      },
    );
  }
}

/** Expects the counters of a form to be what its lists and tables show. */
async function expectExact(poll: Poll): Promise<void> {
  const { counters } = await readCounters(poll.formId);
  for (const [index, { id, choiceIds }] of poll.questions.entries()) {
    const { list, counts } = await countedOneByOne(cast.alice, poll, index);
    expect({ drafts: counters?.drafts ?? 0, submitted: counters?.submitted ?? 0 }).toEqual({
      drafts: list.draftCount,
      submitted: list.submittedCount,
    });
    expect(await choiceCounts(poll.formId, id, choiceIds)).toEqual(counts);
  }
  expect(counters?.isComplete ?? true).toBe(true);
}

describe('the counters are exact', () => {
  test('after any requests, with batches delivered twice and shuffled, and workers that die', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30 }), async (steps) => {
        const poll = await newPoll(cast);
        const responseIds: string[] = [];
        for (const step of steps) await take(poll, responseIds, step);
        await settle();
        await expectExact(poll);
      }),
      { numRuns: tries(15, 40), endOnFailure: true },
    );
  });

  test('when workers and a recount tally the same responses while they change', async () => {
    for (let round = 0; round < tries(3, 6); round += 1) {
      const poll = await newPoll(cast);
      const responseIds: string[] = [];
      for (let index = 0; index < 8; index += 1) responseIds.push(await respond(cast.dave, poll.formId, []));
      let isDone = false;
      const workers = Array.from({ length: 3 }, async () => {
        while (!isDone) {
          await tallyResponses(app(), responseIds).catch(() => undefined);
          await recountOnce(poll);
        }
      });
      const steps = fc.sample(anyStep, { numRuns: 40, seed: round }).filter((step) => step.do !== 'work');
      for (const step of steps) await take(poll, responseIds, step);
      isDone = true;
      await Promise.all(workers);
      await settle();
      await expectExact(poll);
    }
  });

  test('after 1,000 submissions whose batches come twice and shuffled, with a worker killed in each', async () => {
    const poll = await newPoll(cast);
    for (let round = 0; round < 10; round += 1) {
      await seedSubmissions(poll, 100, cast.erin.id, Date.now() + 100 * round);
      const kill = { call: 1 + (round % 5), when: round % 2 === 0 ? 'before' : 'after' } as const;
      const options: DeliverOptions = { only: ['tally'], twice: true, shuffle: 'all', random: generator(round), kill };
      expect((await deliverStream(options)).killed).toBe(true);
    }
    await deliverStream();
    expect(await listCounts(cast.bob, poll)).toMatchObject({ submittedCount: 1_000, counting: false });
    await expectExact(poll);
  });

  test('of two forms whose responses come in the same batches', async () => {
    const polls = [await newPoll(cast), await newPoll(cast)];
    for (const poll of polls) {
      for (let index = 0; index < 20; index += 1) {
        await respond(cast.erin, poll.formId, [choosing(poll, 1, [index % 3])]);
      }
    }
    await deliverStream({ twice: true, shuffle: 'all', random: generator(7) });
    await settle();
    for (const poll of polls) await expectExact(poll);
  });
});

describe('a worker that is overtaken between its reads and its write', () => {
  test('by a recount counts the response in the new epoch', async () => {
    const { dave } = cast;
    const poll = await newPoll(cast);
    await respond(dave, poll.formId, [choosing(poll, 1, [1])]);
    await deliverStream();
    const responseId = await respond(dave, poll.formId, [choosing(poll, 1, [0])]);
    // The index does not show the response yet, so the recount does not find it.
    const recount = () => withTable(hiding(responseId), () => deliverStream({ only: ['deliver'] }));
    await beforeFirstWrite(
      () => tallyResponses(app(), [responseId]),
      async () => {
        await recountNow(poll);
        await recount();
      },
    );
    await expectExact(poll);
  });

  test('by the deletion of the response counts nothing', async () => {
    const { alice, dave } = cast;
    const poll = await newPoll(cast);
    const { formId } = poll;
    await respond(dave, formId, []);
    await deliverStream();
    const responseId = await respond(dave, formId, []);
    await beforeFirstWrite(
      () => tallyResponses(app(), [responseId]),
      async () => {
        await alice.client.responses.deleteResponse({ params: { formId, responseId } });
        await deliverStream({ only: ['tally'] });
      },
    );
    await expectExact(poll);
    expect(await app().table.read([keys.tally(responseId)])).toEqual([undefined]);
  });
});

/** A table whose indexes do not show a response. */
const hiding =
  (responseId: string) =>
  ({ list: page }: Table): Partial<Table> => ({
    list: async (request) => {
      const { items, last } = await page(request);
      return { items: items.filter(({ pk }) => !pk.endsWith(responseId)), last };
    },
  });

/** One step of a recount that another worker may do too. */
async function recountOnce({ formId }: Poll): Promise<void> {
  const delivery = parseJob((await app().table.read([keys.recount(formId)]))[0]);
  if (delivery) await recounts.attempt(app(), [delivery]).catch(() => undefined);
}
