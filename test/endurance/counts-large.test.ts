/** Counters of large forms: created at first use, repaired every week, removed with what they count. */
import { describe, expect, test } from 'vitest';
import { CHANGES, loadCounters } from '#core/counts/counters.ts';
import { tallyResponses } from '#core/counts/tally.ts';
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import type { Response } from '#core/responses/model.ts';
import { replaceResponse } from '#core/responses/store.ts';
import { muteErrors } from '#test/support/console.ts';
import {
  choiceCounts,
  choosing,
  largePoll,
  listCounts,
  newPoll,
  readHighlight,
  recountNow,
  repairCounts,
  seedSubmissions,
} from '#test/support/counts.ts';
import { withApp, withTable } from '#test/support/faults.ts';
import { newForm } from '#test/support/fixtures.ts';
import { castAt, readQuestions, respond, store, submissionOf } from '#test/support/responses.ts';
import { itemsMentioning } from '#test/support/stored.ts';
import { deliverStream, runWorker } from '#test/support/workers.ts';

const cast = await castAt();
muteErrors();

test('counts that are not complete yet are not shown as exact', async () => {
  const { bob, erin } = cast;
  const poll = await newPoll(cast);
  const responses = await seedSubmissions(poll, 500, erin.id);
  expect(await listCounts(bob, poll)).toMatchObject({ counting: true });
  for (let index = 0; index < 400; index += 50) {
    await tallyResponses(
      app(),
      responses.slice(index, index + 50).map(({ id }) => id),
    );
  }
  expect(await listCounts(bob, poll)).toMatchObject({ counting: true });
});

describe('the weekly recount', () => {
  test('repairs counts of responses whose records were lost, and logs the drift', async () => {
    const { bob, erin } = cast;
    const poll = await largePoll(cast);
    const [kept, removed] = await seedSubmissions(poll, 2, erin.id, Date.now() + 10_000);
    if (!kept || !removed) throw new Error('two responses were stored');
    await deliverStream();
    expect(await listCounts(bob, poll)).toMatchObject({ draftCount: 0, submittedCount: 242 });
    // Changes that no worker hears of.
    await app().table.write([replaceResponse(draftAgain(kept)), { remove: keys.response(removed.id) }]);
    await deliverStream({ only: ['deliver'] });
    await repairCounts();
    // A later change was counted, so the form is counted again.
    await app().table.write([{ update: keys.counters(poll.formId, 0), add: { [CHANGES]: 1 } }]);
    const logged: object[] = [];
    await withApp(
      () => ({ log: (entry) => logged.push(entry) }),
      () => repairCounts(2),
    );
    expect(await listCounts(bob, poll)).toMatchObject({ draftCount: 1, submittedCount: 240, counting: false });
    expect(await readHighlight(bob, poll)).toEqual({ counts: [80, 80, 80], counting: false });
    expect(logged).toContainEqual(expect.objectContaining({ countDrift: expect.objectContaining({ SUBMITTED: 1 }) }));
  });
});

test('a form whose only new submission was lost to the counters is counted again', async () => {
  const { bob, erin } = cast;
  const poll = await largePoll(cast);
  await repairCounts();
  await seedSubmissions(poll, 1, erin.id, Date.now() + 10 * 24 * 60 * 60 * 1_000);
  await deliverStream({ only: ['deliver'] });
  await repairCounts(2);
  expect(await listCounts(bob, poll)).toMatchObject({ submittedCount: 241, counting: false });
});

test('a form in which nothing has changed is not counted again every week', async () => {
  const poll = await largePoll(cast);
  const epoch = async () => (await app().table.read([keys.counters(poll.formId, 0)]))[0]?.epoch;
  await repairCounts();
  const counted = await epoch();
  await repairCounts(2);
  expect(await epoch()).toBe(counted);
  await respond(cast.dave, poll.formId, []);
  await deliverStream();
  await repairCounts(3);
  expect(await epoch()).toBeGreaterThan(Number(counted));
});

const draftAgain = ({ path: _path, ...response }: Response): Response => ({
  ...response,
  progress: 'DRAFT',
  submittedAt: null,
  version: response.version + 1,
});

describe('deleting', () => {
  test('a response leaves nothing of it behind, also when its records arrive late', async () => {
    const { alice, bob, dave } = cast;
    const poll = await largePoll(cast);
    const { formId } = poll;
    const responseId = await respond(dave, formId, [choosing(poll, 0, [0])]);
    await alice.client.responses.deleteResponse({ params: { formId, responseId } });
    await deliverStream({ shuffle: 'all', twice: true });
    expect(await listCounts(bob, poll)).toMatchObject({ totalCount: 240 });
    await finishDeletions();
    expect(await itemsMentioning(responseId)).toEqual([]);
    expect(await listCounts(bob, poll)).toMatchObject({ totalCount: 240 });
  });

  test('a form leaves no counters and no tallies behind', async () => {
    const { alice, dave } = cast;
    const poll = await largePoll(cast);
    await respond(dave, poll.formId, []);
    await alice.client.forms.deleteForm({ params: { formId: poll.formId } });
    await finishDeletions();
    expect(await itemsMentioning(poll.formId.slice(0, 18))).toEqual([]);
  });
});

test('responses with hundreds of choices are counted, also while recounts begin again and again', async () => {
  const { alice, dave, slug } = cast;
  const choices = Array.from({ length: 200 }, (_, index) => ({ name: `choice ${index}` }));
  const kind = { type: 'MULTIPLE_CHOICE' as const, choices };
  const built = await newForm(alice, slug, [[kind, kind]]);
  const questions = (await readQuestions(alice, built.formId)).map((view) => ({
    id: view.id,
    choiceIds: view.choices?.map(({ id }) => id) ?? [],
  }));
  const poll = { ...built, questions };
  const contents = questions.map(({ id, choiceIds }) => [id, { type: kind.type, value: choiceIds }] as const);
  const responses = Array.from({ length: 12 }, () =>
    submissionOf(poll, dave.id, new Date().toISOString(), Object.fromEntries(contents)),
  );
  await store(responses);
  const ids = responses.map(({ id }) => id);
  for (const round of [0, 1, 2]) {
    await recountNow(poll);
    await deliverStream({ only: ['deliver'] });
    await tallyResponses(app(), ids.slice(4 * round, 4 * round + 4));
  }
  await tallyResponses(app(), ids);
  await deliverStream();
  expect(await loadCounters(app().table, poll.formId)).toMatchObject({ submitted: 12, isComplete: true });
  for (const { id, choiceIds } of questions) {
    expect(await choiceCounts(poll.formId, id, choiceIds)).toEqual(choices.map(() => 12));
  }
});

/** Runs both passes of deletions, and delivers what they wrote. */
async function finishDeletions(): Promise<void> {
  for (const seconds of [0, 7_200]) {
    const now = new Date(Date.now() + seconds * 1_000);
    await withApp(
      () => ({ now: () => now }),
      () => runWorker('sweep'),
    );
    await deliverStream();
  }
}

test('a worker that fails with one form counts the others, and gets those records again', async () => {
  const { bob, dave } = cast;
  const [broken, other] = [await largePoll(cast), await largePoll(cast)];
  await respond(dave, broken.formId, []);
  await respond(dave, other.formId, []);
  let failures = 2;
  await withTable(
    ({ read }) => ({
      read: async (wanted) => {
        const isBroken = wanted.some(({ pk }) => pk === keys.counters(broken.formId, 0).pk && failures > 0);
        if (isBroken) {
          failures -= 1;
          throw new Error('injected');
        }
        return read(wanted);
      },
    }),
    () => deliverStream(),
  );
  expect(await listCounts(bob, broken)).toMatchObject({ submittedCount: 241 });
  expect(await listCounts(bob, other)).toMatchObject({ submittedCount: 241 });
});
