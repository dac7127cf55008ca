/** Many requests for one response at once: nothing is lost, doubled or half-written. */
import { beforeAll, expect, test } from 'vitest';
import { ProblemError } from '#core/api/client.ts';
import { clientWith, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  cancel,
  castAt,
  clear,
  displays,
  preview,
  readTable,
  save,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const CLIENTS = 16;
const range = (length: number): number[] => Array.from({ length }, (_, n) => n);
let formId: string;
let questionIds: string[];
beforeAll(async () => {
  const { alice, slug } = cast;
  const questions = range(CLIENTS).map(() => ({ type: 'SHORT_TEXT' as const }));
  ({ formId, questionIds } = await newForm(alice, slug, [questions]));
});

/** Dave on another device. */
const device = () => ({ ...cast.dave, client: clientWith(cast.dave.token) });

test('16 clients save different questions of one response at once, and every answer is there', async () => {
  const { dave } = cast;
  const responseId = await start(dave, formId);
  const saves = questionIds.map((id, n) => save(device(), responseId, [text(id, `answer ${n}`)]));
  expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(range(CLIENTS).map(() => 200));
  const shown = displays(await preview(dave, formId, responseId));
  expect(questionIds.map((id) => shown[id])).toEqual(range(CLIENTS).map((n) => `answer ${n}`));
  const read = await dave.client.responses.getResponse({ params: { formId, responseId } });
  expect(read.headers.get('etag')).toBe(`"${CLIENTS + 1}"`);
});

test('6 clients save the same two questions at once, and both have the value of the last one', async () => {
  const { dave } = cast;
  const [one = '', two = ''] = questionIds;
  const responseId = await start(dave, formId);
  await Promise.all(range(6).map((n) => save(device(), responseId, [text(one, `${n}`), text(two, `${n}`)])));
  const shown = displays(await preview(dave, formId, responseId));
  expect(shown[one]).toMatch(/^\d+$/);
  expect(shown[two]).toBe(shown[one]);
});

test('of 16 clients that save with the same If-Match one succeeds and 15 are 409', async () => {
  const { dave } = cast;
  const [one = ''] = questionIds;
  const responseId = await start(dave, formId);
  const saves = range(CLIENTS).map((n) => save(device(), responseId, [text(one, `${n}`)], { 'if-match': '"1"' }));
  const outcomes = await Promise.allSettled(saves);
  const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(taken).toHaveLength(1);
  expect(refused.map((error) => (error instanceof ProblemError ? error.status : error))).toEqual(
    range(CLIENTS - 1).map(() => 409),
  );
  const { displayValue } = await answerTo(dave, responseId, one);
  expect(taken[0]?.body.answers[0]?.displayValue).toBe(displayValue);
});

test('64 identical submits at once leave one submission, which all of them return', async () => {
  const { alice, erin } = cast;
  const responseId = await start(erin, formId);
  const answers = questionIds.map((id) => text(id, 'same'));
  const submitted = await Promise.all(range(64).map(() => submit(erin, responseId, answers)));
  expect(new Set(submitted.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(submitted.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set(submitted.map(({ headers }) => headers.get('etag')))).toEqual(new Set(['"2"']));
  const { rows } = await readTable(alice, formId, questionIds);
  expect(rows.filter(({ id }) => id === responseId)).toHaveLength(1);
  const list = (await erin.client.responses.listMyResponses({ params: { formId } })).body;
  expect(list).toMatchObject({ totalCount: 1, submittedCount: 1 });
});

test('16 parallel cancels: one makes it a draft, the others are refused', async () => {
  const { dave } = cast;
  const responseId = await start(dave, formId);
  await submit(dave, responseId);
  const outcomes = await Promise.allSettled(range(CLIENTS).map(() => cancel(device(), responseId)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await preview(dave, formId, responseId)).progress).toBe('DRAFT');
});

test('saves, clears and structure edits at once all take effect', async () => {
  const { alice, dave, slug } = cast;
  const built = await newForm(alice, slug, [range(8).map(() => ({ type: 'SHORT_TEXT' as const }))]);
  const [sectionId = ''] = built.sectionIds;
  const responseId = await start(dave, built.formId);
  const [kept, cleared] = [built.questionIds.slice(0, 4), built.questionIds.slice(4)];
  await save(
    dave,
    responseId,
    cleared.map((id) => text(id, 'old')),
  );
  const params = { formId: built.formId, sectionId };
  await Promise.all([
    ...kept.map((id) => save(device(), responseId, [text(id, 'new')])),
    ...cleared.map((id) => clear(device(), responseId, id)),
    ...range(4).map((n) => alice.client.sections.updateSection({ params, body: { title: `Title ${n}` } })),
  ]);
  const shown = displays(await preview(dave, built.formId, responseId));
  expect(built.questionIds.map((id) => shown[id])).toEqual([...kept.map(() => 'new'), ...cleared.map(() => null)]);
});
