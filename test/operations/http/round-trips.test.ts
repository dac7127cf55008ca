/** What operations cost in round trips to the table and the bucket: the same however many responses a form has. */
import { beforeAll, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edit.ts';
import { createResponse } from '#core/responses/store.ts';
import { about, announce, complete, filePlace, local, sentDirectly, upload } from '#test/support/files.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/world.ts';

let cast: Cast;
let built: Built;
beforeAll(async () => {
  cast = await newCast();
  built = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', required: true }]]);
});

/** The waves of calls that an operation makes: calls that run at the same time are one. */
async function wavesOf(work: () => Promise<unknown>): Promise<number> {
  const before = app();
  let running = 0;
  let waves = 0;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (running === 0) waves += 1;
      running += 1;
      return call(...args).finally(() => {
        running -= 1;
      });
    };
  const { read, page, count, write } = before.table;
  const table = { read: counted(read), page: counted(page), count: counted(count), write: counted(write) };
  // Signing is done here and calls nobody.
  const { inspect, put, copy, remove, removeAll } = before.bucket;
  const calls = { inspect: counted(inspect), put: counted(put), copy: counted(copy), remove: counted(remove) };
  const bucket = { ...before.bucket, ...calls, removeAll: counted(removeAll) };
  replaceApp({ ...before, table, bucket });
  await work().finally(() => replaceApp(before));
  return waves;
}

async function addDrafts(count: number): Promise<void> {
  const { table, uuid, now } = app();
  for (let made = 0; made < count; made += 100) {
    const drafts = Array.from({ length: 100 }, () =>
      newResponse(idWithin(built.formId, uuid()), built.formId, cast.erin.id, now().toISOString()),
    );
    await table.write(drafts.map(createResponse));
  }
}

/** One respondent's way through the form, and what each step cost. */
async function costs(): Promise<Record<string, number>> {
  const { client } = cast.dave;
  const params = { formId: built.formId };
  const answers = [{ questionId: built.questionIds[0] ?? '', questionType: 'SHORT_TEXT' as const, value: 'x' }];
  let responseId = '';
  const start = await wavesOf(async () => {
    responseId = (await client.responses.startResponse({ params })).body.id;
  });
  return {
    form: await wavesOf(() => client.forms.getForm({ params })),
    sections: await wavesOf(() => client.sections.listSections({ params })),
    workflow: await wavesOf(() => client.workflow.getWorkflow({ params })),
    start,
    save: await wavesOf(() => client.responses.updateAnswers({ params: { responseId }, body: { answers } })),
    submit: await wavesOf(() => client.responses.submitResponse({ params: { responseId }, body: { answers } })),
  };
}

test('ten files cost the round trips of one, whichever way they come', async () => {
  const { dave } = cast;
  const [one, ten] = [1, 10].map((count) => Array.from({ length: count }, (_, index) => local(`${index}.txt`)));
  for (const files of [one ?? [], ten ?? []]) {
    const at = await filePlace(cast);
    let fileIds: string[] = [];
    // Open, judge and write.
    expect(await wavesOf(() => announce(dave, at, files.map(about)))).toBe(2);
    fileIds = await sentDirectly(dave, at, ...files);
    // Open, read what was announced, look at it, copy it, write, and tidy up what was pending.
    expect(await wavesOf(() => complete(dave, at, fileIds))).toBe(6);
    // Open, store, read what is replaced, write, and tidy that up.
    expect(await wavesOf(() => upload(dave, at, files))).toBe(5);
    const fileId = (await dave.client.files.listMyFiles()).body[0]?.id ?? '';
    expect(await wavesOf(() => dave.client.files.downloadFile({ params: { fileId } }))).toBe(1);
  }
});

test('reading a form, starting, saving and submitting keep their round trips with few and with a thousand responses', async () => {
  const budget = { form: 2, sections: 1, workflow: 1, start: 2, save: 2, submit: 2 };
  expect(await costs()).toEqual(budget);
  await addDrafts(1_000);
  expect(await costs()).toEqual(budget);
});
