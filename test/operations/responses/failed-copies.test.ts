/** Submissions whose copy could not be sent are one of the conditions of the filter: in table, statistics, exports and views alike. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ItemListRequest } from '#core/db/table.ts';
import { askForExport, buildExports } from '#test/support/exports.ts';
import { withTable } from '#test/support/faults.ts';
import { newForm } from '#test/support/fixtures.ts';
import { storeMail } from '#test/support/mail.ts';
import { cancel, castAt, choice, pass, readQuestion, respond, sent, submit } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
const { client } = cast.bob;
const FAILED = { filters: [], copies: 'FAILED' as const };

let formId = '';
let [colour, red, blue] = ['', '', ''];
/** Five submissions in their order; the copies of the second, the fourth and the fifth could not be sent. */
let ids: string[] = [];
beforeAll(async () => {
  const choices = [{ name: 'Red' }, { name: 'Blue' }];
  const form = await newForm(cast.alice, cast.slug, [[{ type: 'SINGLE_CHOICE', choices }]], {
    sendResponseEmail: true,
  });
  formId = form.formId;
  colour = form.questionIds[0] ?? '';
  const question = await readQuestion(cast.alice, formId, colour);
  [red, blue] = [choice(question, 'Red'), choice(question, 'Blue')];
  const answers = [red, red, blue, blue, red].map((chosen) => [sent(colour, 'SINGLE_CHOICE', [chosen])]);
  ids = [];
  for (const [index, given] of answers.entries()) {
    pass(1);
    ids.push(await respond(index === 3 ? cast.erin : cast.dave, formId, given));
  }
  for (const index of [1, 3, 4]) await storeMail(ids[index] ?? '', 'bounced');
  await storeMail(ids[0] ?? '', 'sent');
  // The failed copy of the third is of a submission that was withdrawn.
  await storeMail(ids[2] ?? '', 'bounced', { submittedAt: '2026-01-01T00:00:00.000Z' });
  const other = await newForm(cast.alice, cast.slug, [[]], { sendResponseEmail: true });
  await storeMail(await respond(cast.dave, other.formId), 'bounced');
});

const find = async (query: object = {}) => {
  const body = { ...FAILED, ...query };
  return (await client.responses.filterResponses({ params: { formId }, body })).body.responses.map(
    ({ id }) => ids.indexOf(id) + 1,
  );
};

/** As if more copies of the form had failed than one request reads. */
const ofMany = <T>(run: () => Promise<T>): Promise<T> =>
  withTable(
    (table) => ({
      list: async (request: ItemListRequest) => {
        const batch = await table.list(request);
        return String(request.begins).startsWith('response-mail#') ? { ...batch, last: 'more' } : batch;
      },
    }),
    run,
  );

describe.each([
  ['few', <T>(run: () => Promise<T>) => run()],
  ['more than a request reads', ofMany],
] as const)('where %s copies have failed', (_, when) => {
  test('only submissions that still stand are found, in the order of submission', () =>
    when(async () => {
      expect(await find()).toEqual([2, 4, 5]);
      expect(await find({ sort: { descending: true } })).toEqual([5, 4, 2]);
      expect(await find({ filters: [{ questionId: colour, answers: [{ option: red }] }] })).toEqual([2, 5]);
      expect(await find({ respondent: 'erin' })).toEqual([4]);
      expect(await find({ sort: { questionId: colour } })).toEqual([5, 2, 4]);
      expect(await find({ respondent: ids[4] })).toEqual([5]);
      expect(await find({ respondent: ids[0] })).toEqual([]);
    }));

  test('a range of time holds', () =>
    when(async () => {
      const times = await Promise.all(
        ids.map(
          async (responseId) =>
            (await client.responses.getResponse({ params: { formId, responseId } })).body.submittedAt ?? '',
        ),
      );
      expect(await find({ from: times[3] })).toEqual([4, 5]);
      expect(await find({ to: times[3] })).toEqual([2]);
    }));

  test('pages lead through all of them', () =>
    when(async () => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: 1, ...(cursor && { cursor }) };
        const { body } = await client.responses.filterResponses({ params: { formId }, query, body: FAILED });
        found.push(...body.responses.map(({ id }) => id));
        cursor = body.nextCursor ?? undefined;
      } while (cursor);
      expect(found).toEqual([ids[1], ids[3], ids[4]]);
    }));

  test('table, statistics, distinct answers and exports have the same', () =>
    when(async () => {
      const body = { ...FAILED, questionIds: [colour] };
      const table = await client.exports.previewTable({ params: { formId }, body });
      expect(table.body.rows.map(({ id }) => id)).toEqual([ids[1], ids[3], ids[4]]);
      const { body: statistics } = await client.responses.queryStatistics({ params: { formId }, body: FAILED });
      expect(JSON.stringify(statistics.questions[0])).toContain('"count":2');
      const csv = await client.exports.downloadTable({ params: { formId }, body: { ...body, format: 'CSV' } });
      const lines = (await new Response(csv.body as unknown as Blob).text()).trim().split('\r\n').slice(1);
      expect(lines.map((line) => ids.indexOf(line.slice(0, 36)) + 1)).toEqual([2, 4, 5]);
    }));
});

test('a view keeps the condition', async () => {
  const { body: view } = await client.views.createView({
    params: { formId },
    body: { title: 'Failed', query: FAILED },
  });
  const { body } = await client.views.getView({ params: { formId, viewId: view.id } });
  expect(body.query).toEqual(FAILED);
});

test('an export of them is built anew each time, because mails fail without a change of a response', async () => {
  const asked = { ...FAILED, questionIds: [colour] };
  const first = await askForExport(cast.bob, formId, asked);
  await buildExports();
  await deliverStream();
  expect((await askForExport(cast.bob, formId, asked)).id).not.toBe(first.id);
  const { copies: _, ...all } = asked;
  const [one, two] = [await askForExport(cast.bob, formId, all), await askForExport(cast.bob, formId, all)];
  expect(two.id).toBe(one.id);
});

test('a copy that is sent again, and one of a submission that is withdrawn, are not found any more', async () => {
  await client.deliveries.retryDelivery({ params: { formId, responseId: ids[1] ?? '', kind: 'email' } });
  expect(await find()).toEqual([4, 5]);
  await cancel(cast.dave, ids[4] ?? '');
  expect(await find()).toEqual([4]);
  pass(1);
  await submit(cast.dave, ids[4] ?? '');
  expect(await find()).toEqual([4]);
});
