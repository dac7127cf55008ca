/** How long respondents take, how many finish, and on which days they submit where the reader is: of what the numbers are is said. */
import { expect, test } from 'vitest';
import { appendSeconds } from '#core/counts/counters.ts';
import { readCounters, recountNow, repairCounts } from '#test/support/counts.ts';
import { expectProblem, newForm, send } from '#test/support/fixtures.ts';
import { pagesOf, textOf } from '#test/support/pages.ts';
import { castAt, pass, save, start, submit, text } from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt('2026-05-01T18:00:00.000Z');

/** Four responses that took 10, 60, 90 and 600 seconds, submitted between six o'clock and a quarter past, in UTC; and a draft. */
async function timed() {
  const { alice, dave, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT', title: 'Name' }]]);
  const [questionId = ''] = form.questionIds;
  for (const [name, seconds] of [
    ['slow', 600],
    ['quick', 10],
    ['usual', 60],
    ['usual', 90],
  ] as const) {
    const id = await start(dave, form.formId, [text(questionId, name)]);
    pass(seconds);
    await submit(dave, id);
  }
  await start(dave, form.formId);
  return { ...form, questionId };
}

test('the completion rate is of all that were started, the median time of those that count, and days of the zone', async () => {
  const { formId, questionId } = await timed();
  const { responses } = cast.bob.client;
  const read = async (timeZone?: string) => {
    const query = timeZone === undefined ? {} : { timeZone };
    const { body } = await responses.getStatistics({ params: { formId }, query });
    return body;
  };
  expect(await read()).toMatchObject({
    completionRate: 0.8,
    timeToComplete: { medianSeconds: 75, readCount: 4 },
    overTime: { unit: 'DAY', timeZone: 'UTC', periods: [{ period: '2026-05-01', count: 4 }] },
  });
  // It is two o'clock of the next day there, and two in the afternoon of the same one.
  expect((await read('asia/taipei')).overTime).toEqual({
    unit: 'DAY',
    timeZone: 'Asia/Taipei',
    periods: [{ period: '2026-05-02', count: 4 }],
  });
  expect((await read('America/New_York')).overTime.periods).toEqual([{ period: '2026-05-01', count: 4 }]);
  const body = { filters: [{ questionId, contains: 'usual' }], timeZone: 'Asia/Taipei' };
  const filtered = (await responses.queryStatistics({ params: { formId }, body })).body;
  expect(filtered).toMatchObject({
    timeToComplete: { medianSeconds: 75, readCount: 2 },
    overTime: { periods: [{ period: '2026-05-02', count: 2 }] },
  });
  expect(filtered).not.toHaveProperty('completionRate');
});

test('responses on both sides of midnight in the zone are of two days', async () => {
  const { alice, dave, bob, slug } = cast;
  const form = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
  const daysIn = async (timeZone: string) => {
    const { body } = await bob.client.responses.getStatistics({ params: { formId: form.formId }, query: { timeZone } });
    return body.overTime.periods;
  };
  // Midnight there is at a quarter past six in the evening, in UTC.
  pass((Date.parse('2026-05-01T18:14:30Z') - Date.now()) / 1_000);
  await submit(dave, await start(dave, form.formId));
  pass(60);
  await submit(dave, await start(dave, form.formId));
  expect(await daysIn('Asia/Kathmandu')).toEqual([
    { period: '2026-05-01', count: 1 },
    { period: '2026-05-02', count: 1 },
  ]);
  expect(await daysIn('Asia/Kolkata')).toEqual([{ period: '2026-05-01', count: 2 }]);
  expect(await daysIn('Asia/Tokyo')).toEqual([{ period: '2026-05-02', count: 2 }]);
});

test('a text that is no zone is refused with what it should be', async () => {
  const { formId } = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  const params = { formId };
  const { responses } = cast.bob.client;
  const detail = 'must be the name of a time zone such as Asia/Taipei';
  for (const timeZone of ['Mars/Base', '+02:00', 'x'.repeat(10_000), '']) {
    const inQuery = await expectProblem(responses.getStatistics({ params, query: { timeZone } }));
    expect([inQuery.status, inQuery.errors]).toEqual([400, [{ pointer: '/query/timeZone', detail }]]);
    const inBody = await expectProblem(responses.queryStatistics({ params, body: { filters: [], timeZone } }));
    expect([inBody.status, inBody.errors]).toEqual([400, [{ pointer: '/body/timeZone', detail }]]);
  }
});

test('the page says beside each number of what it is, and counts days where the reader is', async () => {
  const { formId } = await timed();
  const path = `/review/${formId}/statistics`;
  const shown = textOf(await pagesOf(cast.bob).show(path));
  expect(shown).toContain('Completion rate 80% of 5 responses started');
  expect(shown).toContain('Median time to complete 1.3 minutes of 4 responses');
  expect(shown).toContain('By day, in UTC.');
  const abroad = { cookie: `access_token=${cast.bob.token}; zone=Pacific%2FKiritimati` };
  const there = textOf(await pagesOf(cast.bob, abroad).show(path));
  expect(there).toContain('By day, in Pacific/Kiritimati.');
  const none = { cookie: `access_token=${cast.bob.token}; zone=%3Cb%3E` };
  expect(textOf(await pagesOf(cast.bob, none).show(path))).toContain('By day, in UTC.');
  const searched = textOf(await pagesOf(cast.bob).show(`${path}?q=dave`));
  expect(searched).not.toContain('Completion rate');
  const chinese = { 'accept-language': 'zh-TW' };
  expect(textOf(await pagesOf(cast.bob, chinese).show(path))).toContain('完成時間中位數 1.3 分鐘 以 4 份回覆計算');
  expect((await send('GET', path, {})).status).toBe(303);
});

test('a tally keeps how long the newest submissions took, each once, whatever is edited or counted again', async () => {
  const { formId, questionId } = await timed();
  const secondsOf = async () => (await readCounters(formId)).counters?.seconds;
  await deliverStream();
  const first = (await secondsOf())?.split(' ').map(Number);
  expect(first?.sort((a, b) => a - b)).toEqual([10, 60, 90, 600]);
  const id = await start(cast.dave, formId, [text(questionId, 'late')]);
  pass(300);
  await submit(cast.dave, id);
  await deliverStream();
  const second = await secondsOf();
  expect(second?.split(' ')).toContain('300');
  await save(cast.dave, id, [text(questionId, 'more')]);
  await deliverStream();
  await recountNow({ formId });
  await repairCounts();
  expect([...((await readCounters(formId)).counters?.groups.keys() ?? [])]).toEqual([2]);
  expect(await secondsOf()).toBe(second);
});

test('a counter item keeps the seconds of its newest twenty', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const full = appendSeconds({ pk: 'FORM#1', sk: 'COUNT#0' }, twenty);
  expect(full).toBe(twenty.join(' '));
  expect(appendSeconds({ pk: 'FORM#1', sk: 'COUNT#0', seconds: full }, [700, 800])).toBe(
    [...twenty.slice(2), 700, 800].join(' '),
  );
});
