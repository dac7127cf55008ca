/** What operations cost at DynamoDB, counted at the SDK client: the same however many responses a form has. */
import { beforeAll, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import { app, replaceApp } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edit.ts';
import { createResponse } from '#core/responses/store.ts';
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
  replaceApp({ ...before, table });
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

test('reading a form, starting, saving and submitting keep their round trips with few and with a thousand responses', async () => {
  const budget = { form: 2, sections: 1, workflow: 1, start: 2, save: 2, submit: 2 };
  expect(await costs()).toEqual(budget);
  await addDrafts(1_000);
  expect(await costs()).toEqual(budget);
});
