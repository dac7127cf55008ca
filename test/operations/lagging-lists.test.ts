/**
 * Lists and tables while indexes lag: entries of what changed lately are missing, stale or doubled. Nothing is shown twice,
 * what did not change is shown in its place, and nothing is shown that there never was.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Table } from '#core/db/table.ts';
import { newAddressed } from '#test/support/addresses.ts';
import { askForExport } from '#test/support/exports.ts';
import { withTable } from '#test/support/faults.ts';
import { answerWithFile, filePlace, type Place } from '#test/support/files.ts';
import { type Built, newForm, newOrganization } from '#test/support/fixtures.ts';
import { newInvitation } from '#test/support/invitations.ts';
import { expectReadsBy, LAGS, type Lag, withLaggingIndex } from '#test/support/lagging-index.ts';
import {
  cancel,
  castAt,
  draftOf,
  NOW,
  pass,
  readTable,
  start,
  store,
  submissionOf,
  submit,
} from '#test/support/responses.ts';
import { newSession } from '#test/support/sessions.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

expectReadsBy('lists');
const cast = await castAt();
const COUNT = 6;
let form: Built;
let files: Place;
const idsOf = (resources: readonly { id: string }[]): string[] => resources.map(({ id }) => id);

/** A form with responses, and something in every other list. */
async function setUp(): Promise<void> {
  const { alice, dave, slug } = cast;
  form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = form.questionIds;
  const timeOf = (n: number) => new Date(Date.parse(NOW) - 3_600_000 + n * 1_000).toISOString();
  const submitted = Array.from({ length: COUNT }, (_, n) =>
    submissionOf(form, dave.id, timeOf(n), { [questionId]: { type: 'SHORT_TEXT', value: `text ${n}` } }),
  );
  await store([...submitted, ...submitted.map((_, n) => draftOf(form, dave.id, timeOf(n)))]);
  files = await filePlace(cast);
  await answerWithFile(dave, files.responseId, files.questionId);
  await askForExport(alice, form.formId, form.questionIds);
  for (let count = 0; count < 3; count += 1) await newInvitation({ ...form, member: alice });
  for (let count = 0; count < 2; count += 1) await newAddressed(form.formId);
  pass(1);
  await newSession(dave);
}

/** Changes something in every list; returns the ids of what was changed, created or removed. */
async function change(): Promise<string[]> {
  const { alice, bob, dave, slug } = cast;
  const { formId } = form;
  const [cancelled = '', again = '', deleted = ''] = await TABLES['the table']();
  pass(1);
  for (const id of [cancelled, again]) await cancel(dave, id);
  await submit(dave, again);
  await alice.client.responses.deleteResponse({ params: { formId, responseId: deleted } });
  const created = await start(dave, formId);
  const archived = (await newForm(alice, slug, [[]])).formId;
  await alice.client.forms.archiveForm({ params: { formId: archived } });
  const gone = (await newForm(alice, slug, [[]])).formId;
  await alice.client.forms.deleteForm({ params: { formId: gone } });
  const place = await filePlace(cast);
  const file = await answerWithFile(dave, place.responseId, place.questionId);
  const job = await askForExport(bob, formId, form.questionIds);
  const { orgId } = await newOrganization(alice);
  const [, uninvited = ''] = await LISTS['the invitations to a form']();
  await alice.client.invitations.deleteInvitation({ params: { formId, guestId: uninvited } });
  const invited = await newInvitation({ ...form, member: alice });
  const confirmed = await newAddressed(formId);
  return [
    invited.id,
    confirmed.id,
    uninvited,
    cancelled,
    again,
    deleted,
    created,
    archived,
    gone,
    place.formId,
    place.responseId,
    file,
    job.id,
    orgId,
  ];
}

/** The invitations to the form and its guests with an address, which are two lists that are joined. */
async function listAllGuests() {
  const list = (cursor?: string) =>
    cast.bob.client.invitations.listInvitations({ params: form, query: cursor === undefined ? {} : { cursor } });
  const { body } = await list();
  const rest = body.nextCursor === null ? [] : (await list(body.nextCursor)).body.invitations;
  return [...body.invitations, ...rest];
}

/** Every list of index entries, as ids in its order. */
const LISTS = {
  'the list of all responses': async () =>
    idsOf((await cast.alice.client.responses.listResponses({ params: form })).body.responses),
  'the list of own responses': async () =>
    idsOf((await cast.dave.client.responses.listMyResponses({ params: form })).body.responses),
  'the forms of a respondent': async () => idsOf((await cast.dave.client.forms.listMyForms({})).body),
  'the responses in the forms of a respondent': async () => {
    const { body } = await cast.dave.client.forms.listMyForms({});
    return body.find(({ id }) => id === form.formId)?.responseIds ?? [];
  },
  'the forms of an organization': async () =>
    idsOf((await cast.alice.client.forms.listOrganizationForms({ params: cast })).body),
  'the forms that a person can see': async () => idsOf((await cast.bob.client.forms.listForms({})).body),
  'the files of a person': async () => idsOf((await cast.dave.client.files.listFiles({})).body.files),
  'the files of a person as an array': async () => idsOf((await cast.dave.client.files.listMyFiles({})).body),
  'the exports of a form': async () =>
    idsOf((await cast.alice.client.exports.listExports({ params: form })).body.exports),
  'the sessions of a person': async () =>
    (await cast.dave.client.users.listSessions({})).body.sessions.map(({ createdAt }) => createdAt),
  'the invitations to a form': async () =>
    (await listAllGuests()).filter(({ number }) => number > 0).map(({ id }) => id),
  'the guests with an address': async () =>
    (await listAllGuests()).filter(({ number }) => number === 0).map(({ id }) => id),
  'all organizations': async () => idsOf((await cast.oscar.client.orgs.listOrganizations({})).body),
} satisfies Record<string, () => Promise<string[]>>;
/** What reads responses from the table, so that it shows none that is a draft or gone by now. */
const TABLES = {
  'the table': async () => idsOf((await readTable(cast.alice, form.formId, form.questionIds)).rows),
  'an export': async () => {
    const body = { questionIds: form.questionIds };
    const file = await cast.alice.client.exports.downloadTable({ params: form, body });
    return valuesOf(sheetOf(await open(fileOf(file))), 1).map(([id]) => String(id));
  },
  'a filter': async () => {
    const [questionId = ''] = form.questionIds;
    const answers = Array.from({ length: COUNT }, (_, n) => ({ option: `text ${n}` }));
    const body = { filters: [{ questionId, answers }] };
    return idsOf((await cast.alice.client.responses.filterResponses({ params: form, body })).body.responses);
  },
} satisfies Record<string, () => Promise<string[]>>;

const ALL = { ...LISTS, ...TABLES };

type Shown = { before: string[]; lagging: string[]; after: string[] };

/** What each list shows before some changes, while the indexes lag behind them, and after; and the ids of the changes. */
async function changeWhile(lag: Lag): Promise<{ shown: Map<string, Shown>; changed: Set<string> }> {
  const read = async () => {
    const lists: [string, string[]][] = [];
    for (const [name, list] of Object.entries(ALL)) lists.push([name, await list()]);
    return new Map(lists);
  };
  await setUp();
  const before = await read();
  return withLaggingIndex(lag, async (settle) => {
    const changed = new Set(await change());
    const lagging = await read();
    settle();
    const after = await read();
    const of = (name: string) => ({
      before: before.get(name) ?? [],
      lagging: lagging.get(name) ?? [],
      after: after.get(name) ?? [],
    });
    return { shown: new Map([...before.keys()].map((name) => [name, of(name)])), changed };
  });
}

describe.each(LAGS)('while entries are %s', (lag) => {
  let lists: Awaited<ReturnType<typeof changeWhile>>;
  beforeAll(async () => {
    lists = await changeWhile(lag);
  });

  test.each(Object.keys(ALL))('%s', (name) => {
    const { before, lagging, after } = lists.shown.get(name) ?? { before: [], lagging: [], after: [] };
    const isUnchanged = (id: string): boolean => !lists.changed.has(id);
    expect(before).not.toEqual([]);
    expect(lagging).toEqual([...new Set(lagging)]);
    expect(lagging.filter(isUnchanged)).toEqual(before.filter(isUnchanged));
    const possible = Object.hasOwn(TABLES, name) ? after : [...before, ...after];
    expect(possible).toEqual(expect.arrayContaining(lagging));
  });
});

test('a response that is still listed as a draft beside its submission is shown once, as submitted', async () => {
  const responseId = await start(cast.dave, form.formId);
  pass(1);
  const { responses } = await withLaggingIndex('doubled', async () => {
    await submit(cast.dave, responseId);
    return (await cast.alice.client.responses.listResponses({ params: form })).body;
  });
  expect(responses.filter(({ id }) => id === responseId)).toMatchObject([{ progress: 'SUBMITTED' }]);
});

test('lists read index entries, not the answers of responses, and own lists are one bounded query', async () => {
  const keys: string[] = [];
  let queries: { list: string; limit: number }[] = [];
  let current = '';
  const attributes = new Set<string>();
  const recording = ({ list: page, read }: Table): Partial<Table> => ({
    list: async (request) => {
      queries.push({ list: current, limit: request.limit });
      const result = await page(request);
      for (const item of result.items) for (const name of Object.keys(item)) attributes.add(name);
      return result;
    },
    read: (wanted) => {
      keys.push(...wanted.map(({ sk }) => sk));
      return read(wanted);
    },
  });
  for (const [name, list] of Object.entries(LISTS)) {
    current = name;
    await withTable(recording, list);
  }
  queries = queries.filter(({ list }) => list === 'the list of own responses');
  expect(queries).toHaveLength(1);
  expect(queries[0]?.limit).toBeLessThanOrEqual(200);
  expect(keys).not.toContain('RESPONSE');
  expect(attributes).toContain('progress');
  expect(attributes).not.toContain('data');
});
