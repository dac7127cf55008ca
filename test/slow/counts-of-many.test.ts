/** Counts of forms with more responses than a request counts: lists and highlights follow what the stream reports. */
import { describe, expect, test } from 'vitest';
import { muteErrors } from '#test/support/console.ts';
import {
  choosing,
  countedOneByOne,
  highlight,
  largePoll,
  listCounts,
  type Poll,
  readHighlight,
  repairCounts,
  seedSubmissions,
} from '#test/support/counts.ts';
import { withTable } from '#test/support/faults.ts';
import { cancel, castAt, editQuestion, readQuestion, respond, save, start } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';
import { open, sheetOf } from '#test/support/xlsx.ts';

const cast = await castAt();
muteErrors();

/** The number of rows of the export. */
async function exportedRows({ formId, questionIds }: Poll): Promise<number> {
  const { body } = await cast.bob.client.exports.downloadTable({ params: { formId }, body: { questionIds } });
  if (!(body instanceof Uint8Array)) throw new Error('the export is not a file');
  return sheetOf(await open(Buffer.from(body))).rowCount - 1;
}

describe('a form with more than 200 responses', () => {
  test('has the same counts in highlight, list, table, export and recount once the stream is idle', async () => {
    const { alice, bob, dave } = cast;
    const poll = await largePoll(cast);
    const { formId } = poll;
    const first = await respond(dave, formId, [choosing(poll, 0, [0, 2])]);
    const second = await respond(dave, formId, [choosing(poll, 0, [1])]);
    const third = await respond(dave, formId, []);
    await start(dave, formId);
    await deliverStream({ twice: true, shuffle: 'all' });
    await save(dave, first, [choosing(poll, 0, [1])]);
    await cancel(dave, second);
    await alice.client.responses.deleteResponse({ params: { formId, responseId: third } });
    await deliverStream({ twice: true, shuffle: 'all' });
    const expected = {
      list: { totalCount: 243, draftCount: 2, submittedCount: 241, counting: false },
      rows: 241,
      counts: [80, 81, 80],
    };
    expect(await countedOneByOne(bob, poll, 0)).toEqual(expected);
    expect(await listCounts(bob, poll)).toEqual(expected.list);
    expect(await readHighlight(bob, poll)).toEqual({ counts: expected.counts, counting: false });
    expect(await exportedRows(poll)).toBe(expected.rows);
    await repairCounts();
    expect(await listCounts(bob, poll)).toEqual(expected.list);
    expect(await readHighlight(bob, poll)).toEqual({ counts: expected.counts, counting: false });
  });

  test('shows the counts of another question as soon as it is highlighted', async () => {
    const { bob, dave } = cast;
    const poll = await largePoll(cast);
    await respond(dave, poll.formId, [choosing(poll, 1, [2])]);
    await deliverStream();
    const { body } = await highlight(bob, poll, 1);
    expect(body).not.toHaveProperty('counting');
    expect(body.choices.map(({ count }) => count)).toEqual([120, 120, 1]);
  });

  test('keeps the counts when the highlight is cleared and set again, and shows the current choices', async () => {
    const { bob } = cast;
    const poll = await largePoll(cast);
    const { formId } = poll;
    await bob.client.forms.deleteHighlight({ params: { formId } });
    expect((await highlight(bob, poll, 0)).body).not.toHaveProperty('counting');
    expect(await readHighlight(bob, poll)).toEqual({ counts: [80, 80, 80], counting: false });
    const view = await readQuestion(bob, formId, poll.questions[0]?.id);
    await editQuestion(bob, view, { choices: [{ name: 'white' }, ...(view.choices?.slice(1) ?? [])] });
    expect(await readHighlight(bob, poll)).toEqual({ counts: [0, 80, 80], counting: false });
  });

  test('reads as much for its counts as with three times as many responses', async () => {
    const { bob } = cast;
    const poll = await largePoll(cast);
    const read = async () => [await listCounts(bob, poll), await readHighlight(bob, poll)];
    await read();
    const few = await countReads(read);
    await seedSubmissions(poll, 480, cast.erin.id, Date.now() + 1_000);
    await deliverStream();
    expect(await listCounts(bob, poll)).toMatchObject({ submittedCount: 720 });
    expect(await countReads(read)).toEqual(few);
  });
});

/** The keys read, pages and counts of some requests. */
async function countReads(work: () => Promise<unknown>) {
  const reads = { keys: 0, pages: 0, counts: 0 };
  await withTable(
    ({ read, list: page, count }) => ({
      read: (wanted) => {
        reads.keys += wanted.length;
        return read(wanted);
      },
      list: (request) => {
        reads.pages += 1;
        return page(request);
      },
      count: (request) => {
        reads.counts += 1;
        return count(request);
      },
    }),
    work,
  );
  return reads;
}
