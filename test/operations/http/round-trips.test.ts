/** What operations cost in round trips to the table and the bucket: bounded, however many responses a form has. */
import { beforeAll, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/changes.ts';
import { createResponse } from '#core/responses/store.ts';
import { withApp } from '#test/support/faults.ts';
import { about, announce, complete, filePlace, local, sentDirectly, upload } from '#test/support/files.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';

let cast: Cast;
let built: Built;
beforeAll(async () => {
  cast = await newCast();
  built = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', required: true }]]);
});

type Cost = { calls: number; trips: number };

/** The calls that an operation makes, and its round trips: calls at the same time are one. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cost = { calls: 0, trips: 0 };
  let running = 0;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      cost.calls += 1;
      if (running === 0) cost.trips += 1;
      running += 1;
      return call(...args).finally(() => {
        running -= 1;
      });
    };
  const { read, page, count, write, remove } = app().table;
  const table = {
    read: counted(read),
    page: counted(page),
    count: counted(count),
    write: counted(write),
    remove: counted(remove),
  };
  // Signing is local.
  const { bucket } = app();
  const calls = { inspect: counted(bucket.inspect), put: counted(bucket.put), remove: counted(bucket.remove) };
  await withApp(() => ({ table, bucket: { ...bucket, ...calls } }), work);
  return cost;
}

const tripsOf = async (work: () => Promise<unknown>): Promise<number> => (await costOf(work)).trips;

async function addDrafts(count: number): Promise<void> {
  const { table, uuid, now } = app();
  for (let done = 0; done < count; done += 100) {
    const drafts = Array.from({ length: 100 }, () =>
      newResponse(idWithin(built.formId, uuid()), built.formId, cast.erin.id, now().toISOString()),
    );
    await table.write(drafts.map(createResponse));
  }
}

/** One respondent's way through the form and an editor's look at it, in calls. */
async function costs(): Promise<Record<string, number>> {
  const { client } = cast.dave;
  const params = { formId: built.formId };
  const answers = [{ questionId: built.questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'x' }];
  let responseId = '';
  const start = async () => {
    responseId = (await client.responses.startResponse({ params })).body.id;
  };
  const steps = {
    form: () => client.forms.getForm({ params }),
    sections: () => client.sections.listSections({ params }),
    workflow: () => client.workflow.getWorkflow({ params }),
    start,
    save: () => client.responses.updateAnswers({ params: { responseId }, body: { answers } }),
    submit: () => client.responses.submitResponse({ params: { responseId }, body: { answers } }),
    oneRequest: () => client.responses.startResponse({ params, body: { answers, submit: true } }),
    preview: () => client.responses.getResponse({ params: { formId: built.formId, responseId } }),
    ownList: () => client.responses.listMyResponses({ params }),
  };
  const calls: Record<string, number> = {};
  for (const [name, step] of Object.entries(steps)) calls[name] = (await costOf(step)).calls;
  return calls;
}

test('reading, starting, saving and submitting cost the same with few and with a thousand responses', async () => {
  const budget = {
    form: 3,
    sections: 2,
    workflow: 2,
    start: 3,
    save: 3,
    submit: 3,
    oneRequest: 3,
    preview: 4,
    ownList: 4,
  };
  // The function is warm from the second time on.
  await costs();
  const few = await costs();
  for (const [name, most] of Object.entries(budget)) expect(few[name], name).toBeLessThanOrEqual(most);
  await addDrafts(1_000);
  expect(await costs()).toEqual(few);
});

test('ten files cost the round trips of one, whichever way they come', async () => {
  const { dave } = cast;
  for (const count of [1, 10]) {
    const files = Array.from({ length: count }, (_, index) => local(`${index}.txt`));
    const at = await filePlace(cast);
    // Loads the structure into the function.
    await dave.client.responses.getResponse({ params: { formId: at.formId, responseId: at.responseId } });
    expect(await tripsOf(() => announce(dave, at, files.map(about)))).toBeLessThanOrEqual(3);
    const fileIds = await sentDirectly(dave, at, ...files);
    expect(await tripsOf(() => complete(dave, at, fileIds))).toBeLessThanOrEqual(3);
    expect(await tripsOf(() => upload(dave, at, files))).toBeLessThanOrEqual(4);
    const fileId = (await dave.client.files.listMyFiles()).body[0]?.id ?? '';
    expect(await tripsOf(() => dave.client.files.downloadFile({ params: { fileId } }))).toBeLessThanOrEqual(1);
  }
});
