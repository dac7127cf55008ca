/** Filters and distinct answers of a form with more responses than one page looks at. */
import { beforeAll, describe, expect, test } from 'vitest';
import { paginate } from '#core/api/client.ts';
import type { Response } from '#core/responses/model.ts';
import { readFaults } from '#test/support/building.ts';
import { measureCost } from '#test/support/cost.ts';
import { withTable } from '#test/support/faults.ts';
import { type Built, newForm } from '#test/support/fixtures.ts';
import { castAt, NOW, store, submissionOf } from '#test/support/responses.ts';

const cast = await castAt();

type Filter = [questionId: string | undefined, ...options: string[]];
const filtersOf = (filters: Filter[]) =>
  filters.map(([questionId = '', ...options]) => ({ questionId, answers: options.map((option) => ({ option })) }));

const readPage = async (formId: string, filters: Filter[], query: { limit?: number; cursor?: string } = {}) => {
  const body = { filters: filtersOf(filters) };
  return (await cast.bob.client.responses.filterResponses({ params: { formId }, query, body })).body;
};

describe('a form with more than 1,000 responses', () => {
  let form: Built;
  const count = 1_105;
  let responses: Response[] = [];

  beforeAll(async () => {
    const { alice, dave, slug } = cast;
    form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    const [questionId = ''] = form.questionIds;
    const begin = Date.now();
    responses = Array.from({ length: count }, (_, index) => {
      const at = new Date(begin + index).toISOString();
      return submissionOf(form, dave.id, at, { [questionId]: { type: 'SHORT_TEXT', value: `text ${index}` } });
    });
    await store(responses);
  });

  test('has a next page when a page is short, and the next page has the rest', async () => {
    const [questionId] = form.questionIds;
    const filters: Filter[] = [[questionId, 'text 3', `text ${count - 1}`]];
    const first = await readPage(form.formId, filters);
    expect(first.responses.map(({ id }) => id)).toEqual([responses[3]?.id]);
    const second = await readPage(form.formId, filters, { cursor: first.nextCursor ?? '' });
    expect(second.responses.map(({ id }) => id)).toEqual([responses.at(-1)?.id]);
    expect(second.nextCursor).toBeNull();
  });

  test('finds a response once that a lagging index has at two places', async () => {
    const [questionId] = form.questionIds;
    const [twice, first] = [responses[150], responses[0]];
    const lagging = withTable(
      ({ list: page }) => ({
        list: async (request) => {
          const { items, last } = await page(request);
          const isFirst = items.some(({ pk }) => pk === `RESPONSE#${first?.id}`);
          const older = { ...items[0], pk: `RESPONSE#${twice?.id}`, sk: 'RESPONSE', gsi2sk: `${NOW}#${twice?.id}` };
          return { items: isFirst ? [older, ...items] : items, last };
        },
      }),
      () => readPage(form.formId, [[questionId, 'text 150', 'text 151']]),
    );
    expect((await lagging).responses.map(({ id }) => id)).toEqual([twice?.id, responses[151]?.id]);
  });

  test('waits for storage at most 8 times for a filter that matches nothing', async () => {
    const [questionId] = form.questionIds;
    const { cost, result } = await measureCost(() => readPage(form.formId, [[questionId, 'none']]));
    expect(result).toMatchObject({ responses: [], nextCursor: expect.any(String) });
    expect(cost.roundTrips).toBeLessThanOrEqual(8);
  });

  test('is read a hundred at first, however few are wanted, and then more at a time', async () => {
    const [questionId] = form.questionIds;
    let reads = 0;
    const counting = withTable(
      ({ read }) => ({
        read: async (keys) => {
          reads += keys.length > 10 ? 1 : 0;
          return read(keys);
        },
      }),
      () => readPage(form.formId, [[questionId, 'text 250']], { limit: 1 }),
    );
    expect((await counting).responses.map(({ id }) => id)).toEqual([responses[250]?.id]);
    expect(reads).toBeLessThanOrEqual(4);
  });

  test('has its distinct answers in pages of 1,000 responses, each sorted; a cursor is valid for its filters only', async () => {
    const { bob } = cast;
    const { formId, questionIds } = form;
    const [questionId = ''] = questionIds;
    const viewId = (await bob.client.views.createView({ params: { formId } })).body.id;
    const input = { params: { formId, viewId, questionId }, query: {}, body: { filters: [] } };
    const pages = [];
    for await (const { body } of paginate(bob.client.views.listDistinctAnswers, input)) pages.push(body);
    const sorted = (from: number, to: number) =>
      responses
        .slice(from, to)
        .map((_, index) => `text ${from + index}`)
        .sort((a, b) => a.localeCompare(b, 'en'));
    expect(pages.map(({ truncated }) => truncated)).toEqual([true, false]);
    expect(pages.map(({ answers }) => answers.map(({ displayValue }) => displayValue))).toEqual([
      sorted(0, 1_000),
      sorted(1_000, count),
    ]);
    const path = `/api/forms/${formId}/views/${viewId}/questions/${questionId}/filters`;
    const cursor = encodeURIComponent(pages[0]?.nextCursor ?? '');
    const other = { filters: filtersOf([[questionId, 'text 3']]) };
    expect(await readFaults(bob, 'POST', `${path}?cursor=${cursor}`, other)).toEqual(['/query/cursor']);
  });
});
