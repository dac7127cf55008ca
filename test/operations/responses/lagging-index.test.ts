/**
 * Indexes lag: an entry may be missing, doubled or stale for a moment. Lists and tables then show nothing twice and lose
 * nothing else. The emulator's indexes never lag, so the entries are changed on their way.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Item, Table } from '#core/db/table.ts';
import type { Response } from '#core/responses/model.ts';
import { withTable } from '#test/support/faults.ts';
import { type Built, newForm } from '#test/support/fixtures.ts';
import { castAt, draftOf, NOW, store, submissionOf, tableOf } from '#test/support/responses.ts';
import { fileOf, open, sheetOf, valuesOf } from '#test/support/xlsx.ts';

const cast = castAt();
const COUNT = 8;
let form: Built;
let submitted: Response[];
let drafts: Response[];
beforeAll(async () => {
  const { alice, dave, slug } = cast();
  form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const [questionId = ''] = form.questionIds;
  const timeOf = (n: number) => new Date(Date.parse(NOW) + n * 1_000).toISOString();
  submitted = Array.from({ length: COUNT }, (_, n) =>
    submissionOf(form, dave.id, timeOf(n), { [questionId]: { type: 'SHORT_TEXT', value: `text ${n}` } }),
  );
  drafts = Array.from({ length: COUNT }, (_, n) => draftOf(form, dave.id, timeOf(n)));
  await store([...submitted, ...drafts]);
});

const idsOf = (responses: readonly { id: string }[]): string[] => responses.map(({ id }) => id);
const idOf = (item: Item): string => item.pk.slice('RESPONSE#'.length);

/** Runs something while the entries of responses in indexes are changed, partition by partition. */
const withEntries = <T>(change: (items: Item[], partition: string) => Item[], run: () => Promise<T>): Promise<T> =>
  withTable(
    ({ page }: Table) => ({
      page: async (request) => {
        const { items, last } = await page(request);
        return { items: request.index ? change(items, request.pk) : items, last };
      },
    }),
    run,
  );

/** Every list, as ids in its order. */
const LISTS: Record<string, () => Promise<string[]>> = {
  'the list of all responses': async () =>
    idsOf((await cast().alice.client.responses.listResponses({ params: form })).body.responses),
  'the list of own responses': async () =>
    idsOf((await cast().dave.client.responses.listMyResponses({ params: form })).body.responses),
  'the forms of a respondent': async () => {
    const { body } = await cast().dave.client.forms.listMyForms({});
    return body.find(({ id }) => id === form.formId)?.responseIds ?? [];
  },
};
/** What reads submitted responses, as ids in its order. */
const TABLES: Record<string, () => Promise<string[]>> = {
  'the table': async () => idsOf((await tableOf(cast().alice, form.formId, form.questionIds)).rows),
  'the export': async () => {
    const body = { questionIds: form.questionIds };
    const file = await cast().alice.client.exports.downloadTable({ params: form, body });
    return valuesOf(sheetOf(await open(fileOf(file))), 1).map(([id]) => String(id));
  },
  'a filter': async () => {
    const [questionId = ''] = form.questionIds;
    const answers = submitted.map((_, n) => ({ option: `text ${n}` }));
    const body = { filters: [{ questionId, answers }] };
    return idsOf((await cast().alice.client.responses.filterResponses({ params: form, body })).body.responses);
  },
};

describe.each(Object.entries({ ...LISTS, ...TABLES }))('%s', (_, list) => {
  test('shows a doubled entry once, in its place', async () => {
    const before = await list();
    const doubled = await withEntries((items) => items.flatMap((item) => [item, { ...item }]), list);
    expect(doubled).toEqual(before);
  });

  test('loses nothing but what is missing in the index', async () => {
    const before = await list();
    const [gone = ''] = idsOf(submitted);
    const without = await withEntries((items) => items.filter((item) => idOf(item) !== gone), list);
    expect(before).toContain(gone);
    expect(without).toEqual(before.filter((id) => id !== gone));
  });
});

test('a response that is still listed as a draft beside its submission is shown once, as submitted', async () => {
  const [response] = submitted;
  const stale = (items: Item[], partition: string): Item[] => {
    const isDrafts = partition.includes('#DRAFT#');
    const copy = items[0];
    if (!isDrafts || !copy || !response) return items;
    const entry = { pk: `RESPONSE#${response.id}`, progress: 'DRAFT', listedAt: '2026-04-30T00:00:00.000Z' };
    const { submittedAt: _, ...rest } = copy;
    return [...items, { ...rest, ...entry, gsi2sk: `2026-04-30T00:00:00.000Z#${response.id}` }];
  };
  const { responses } = await withEntries(stale, async () => {
    return (await cast().alice.client.responses.listResponses({ params: form })).body;
  });
  const shown = responses.filter(({ id }) => id === response?.id);
  expect(shown).toMatchObject([{ progress: 'SUBMITTED', submittedAt: response?.submittedAt }]);
  expect(responses).toHaveLength(submitted.length + drafts.length);
});

test('tables do not show a response that is listed as submitted but is a draft again, and show current answers', async () => {
  const [draft] = drafts;
  const stale = (items: Item[], partition: string): Item[] =>
    partition.includes('#SUBMITTED#')
      ? [...items, { ...items[0], pk: `RESPONSE#${draft?.id}`, sk: 'RESPONSE', gsi2sk: `${NOW}#${draft?.id}` }]
      : items;
  for (const list of Object.values(TABLES)) {
    expect((await withEntries(stale, list)).toSorted()).toEqual(idsOf(submitted).toSorted());
  }
});

test('lists read index entries, not the answers of responses, and own lists are one bounded query', async () => {
  const keys: string[] = [];
  let queries: { list: string; limit: number }[] = [];
  let current = '';
  const attributes = new Set<string>();
  const recording = ({ page, read }: Table): Partial<Table> => ({
    page: async (request) => {
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
