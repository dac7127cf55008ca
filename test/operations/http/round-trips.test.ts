/** What operations cost in round trips to the table and the bucket: bounded, however many responses a form has. */
import { beforeAll, expect, test } from 'vitest';
import { idWithin } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import { app } from '#core/http/app.ts';
import { newResponse } from '#core/responses/edits.ts';
import { createResponse } from '#core/responses/store.ts';
import { measureCost } from '#test/support/cost.ts';
import { withTable } from '#test/support/faults.ts';
import { about, announce, complete, filePlace, local, sentDirectly, upload } from '#test/support/files.ts';
import { type Built, type Cast, newCast, newForm } from '#test/support/fixtures.ts';

let cast: Cast;
let built: Built;
beforeAll(async () => {
  cast = await newCast();
  built = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT', required: true }]]);
});

const countCalls = async (work: () => Promise<unknown>): Promise<number> => (await measureCost(work)).cost.calls;
const countTrips = async (work: () => Promise<unknown>): Promise<number> => (await measureCost(work)).cost.roundTrips;

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
  for (const [name, step] of Object.entries(steps)) calls[name] = await countCalls(step);
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

/** Reads by a member of the organization and by a respondent, with the most round trips of a warm function. */
const READS: Record<string, [most: number, read: (form: Built) => Promise<unknown>]> = {
  'a form, by a member': [1, ({ formId }) => cast.bob.client.forms.getForm({ params: { formId } })],
  'a form, by a respondent': [1, ({ formId }) => cast.dave.client.forms.getForm({ params: { formId } })],
  'its sections': [1, ({ formId }) => cast.dave.client.sections.listSections({ params: { formId } })],
  'its workflow': [1, ({ formId }) => cast.dave.client.workflow.getWorkflow({ params: { formId } })],
  'all responses': [2, ({ formId }) => cast.bob.client.responses.listResponses({ params: { formId } })],
  'own responses': [2, ({ formId }) => cast.dave.client.responses.listResponses({ params: { formId } })],
  'a page of the table': [
    2,
    ({ formId, questionIds }) => cast.bob.client.exports.previewTable({ params: { formId }, body: { questionIds } }),
  ],
  'a page of a filter': [
    3,
    ({ formId, questionIds: [questionId = ''] }) =>
      cast.bob.client.responses.filterResponses({
        params: { formId },
        body: { filters: [{ questionId, answers: [{ option: 'x' }] }] },
      }),
  ],
  'a page of the table, sorted by answers': [
    4,
    ({ formId, questionIds: [, questionId = ''] }) =>
      cast.bob.client.responses.filterResponses({ params: { formId }, body: { filters: [], sort: { questionId } } }),
  ],
  'a page of the table, for a respondent': [
    4,
    ({ formId }) =>
      cast.bob.client.responses.filterResponses({ params: { formId }, body: { filters: [], respondent: '@' } }),
  ],
  'forms of an organization': [3, () => cast.bob.client.forms.listOrganizationForms({ params: { slug: cast.slug } })],
  'visible forms, for a member': [3, () => cast.bob.client.forms.listForms({})],
  'visible forms, for a respondent': [3, () => cast.dave.client.forms.listForms({})],
  'forms to answer': [3, () => cast.dave.client.forms.listMyForms({})],
  'units of an organization': [2, () => cast.bob.client.units.listUnits({ params: { slug: cast.slug } })],
};

test.for(Object.entries(READS))('a read waits for storage as often as allowed: %s', async ([, [most, read]]) => {
  // Two people to show, and the status of a spreadsheet.
  const spreadsheetUrl = 'https://docs.google.com/spreadsheets/d/trips/edit';
  const kinds = [{ type: 'SHORT_TEXT' as const }, { type: 'LINEAR_SCALE' as const, scale: { minVal: 1, maxVal: 10 } }];
  const form = await newForm(cast.alice, cast.slug, [kinds]);
  await cast.bob.client.forms.updateForm({ params: { formId: form.formId }, body: { spreadsheetUrl } });
  await cast.dave.client.responses.startResponse({
    params: { formId: form.formId },
    body: {
      answers: [{ questionId: form.questionIds[0] ?? '', questionType: 'SHORT_TEXT', value: 'x' }],
      submit: true,
    },
  });
  const firstTrips = await countTrips(() => read(form));
  expect(firstTrips).toBeLessThanOrEqual(most + 1);
  expect(await countTrips(() => read(form))).toBeLessThanOrEqual(most);
});

test('a form is shown with its newest editor, though the function remembers another one and the index lags', async () => {
  const { alice, bob, slug } = cast;
  const { formId } = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const shownIn = async () => {
    const { body } = await alice.client.forms.listOrganizationForms({ params: { slug } });
    return body.find(({ id }) => id === formId)?.lastEditor.username;
  };
  const readEditor = async () => (await alice.client.forms.getForm({ params: { formId } })).body.lastEditor.username;
  const before = await readEditor();
  expect(await shownIn()).toBe(before);
  await bob.client.forms.updateForm({ params: { formId }, body: { title: 'Renamed' } });
  const after = await readEditor();
  expect(after).not.toBe(before);
  expect(await shownIn()).toBe(after);
  const lagging = ({ list: page }: Table): Partial<Table> => ({
    list: async (request) => {
      const found = await page(request);
      const stale = ({ hasSpreadsheet: _, ...item }: Item): Item => ({ ...item, lastEditorId: alice.id });
      return { ...found, items: found.items.map(stale) };
    },
  });
  expect(await withTable(lagging, shownIn)).toBe(after);
});

test('ten files cost the round trips of one, whichever way they come', async () => {
  const { dave } = cast;
  for (const count of [1, 10]) {
    const files = Array.from({ length: count }, (_, index) => local(`${index}.txt`));
    const at = await filePlace(cast);
    // Loads the structure into the function, and notes the first answer to the question: one more round trip, once.
    await dave.client.responses.getResponse({ params: { formId: at.formId, responseId: at.responseId } });
    expect(await countTrips(() => upload(dave, at, [local('first.txt')]))).toBeLessThanOrEqual(6);
    expect(await countTrips(() => announce(dave, at, files.map(about)))).toBeLessThanOrEqual(3);
    const fileIds = await sentDirectly(dave, at, ...files);
    expect(await countTrips(() => complete(dave, at, fileIds))).toBeLessThanOrEqual(3);
    // The response, what the organization stores, the clean-up, the object, the answer.
    expect(await countTrips(() => upload(dave, at, files))).toBeLessThanOrEqual(5);
    const fileId = (await dave.client.files.listMyFiles()).body[0]?.id ?? '';
    expect(await countTrips(() => dave.client.files.downloadFile({ params: { fileId } }))).toBeLessThanOrEqual(1);
  }
});
