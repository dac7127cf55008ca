/** The size of a stored response is at most 350 KB, and nothing of a larger one is stored. */
import { beforeAll, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  castAt,
  displays,
  editQuestion,
  preview,
  readQuestion,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
/** 40,000 bytes in 10,000 characters, as many as an answer may have: eight fit into a response and nine do not. */
const LONGEST = '😀'.repeat(10_000);
let formId: string;
let short: string;
let long: string[];
beforeAll(async () => {
  const { alice, slug } = cast;
  const longs = Array.from({ length: 10 }, () => ({ type: 'LONG_TEXT' as const }));
  const built = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }, ...longs]]);
  ({ formId } = built);
  [short = '', ...long] = built.questionIds;
});

const longest = (from: number, to: number) => long.slice(from, to).map((id) => sent(id, 'LONG_TEXT', LONGEST));
const tooLarge = { status: 413, title: 'Content Too Large' };

test('a response beyond 350 KB is 413 and nothing of the request is stored', async () => {
  const { dave } = cast;
  const responseId = await start(dave, formId);
  const fits = await save(dave, responseId, longest(0, 8));
  const over = [text(short, 'small'), ...longest(8, 9)];
  expect(await expectProblem(save(dave, responseId, over))).toMatchObject(tooLarge);
  expect(await expectProblem(submit(dave, responseId, over))).toMatchObject(tooLarge);
  const read = await dave.client.responses.getAnswer({ params: { responseId, questionId: long[7] ?? '' } });
  expect(read.headers.get('etag')).toBe(fits.headers.get('etag'));
  const shown = await preview(dave, formId, responseId);
  expect(shown.progress).toBe('DRAFT');
  expect(displays(shown)[short]).toBeNull();
});

test('what still fits is saved after a refusal', async () => {
  const { dave } = cast;
  const responseId = await start(dave, formId);
  expect(await expectProblem(save(dave, responseId, longest(0, 9)))).toMatchObject(tooLarge);
  expect(Object.values(displays(await preview(dave, formId, responseId))).every((each) => each === null)).toBe(true);
  await save(dave, responseId, longest(0, 8));
  await save(dave, responseId, [text(short, 'small')]);
  expect((await answerTo(dave, responseId, short)).displayValue).toBe('small');
  expect((await answerTo(dave, responseId, long[0] ?? '')).displayValue).toBe(LONGEST);
});

test('a refused answer leaves no trace: its question counts as unanswered and may change its type', async () => {
  const { alice, dave, slug } = cast;
  const longs = Array.from({ length: 9 }, () => ({ type: 'LONG_TEXT' as const }));
  const built = await newForm(alice, slug, [longs]);
  const responseId = await start(dave, built.formId);
  const answers = built.questionIds.map((id) => sent(id, 'LONG_TEXT', LONGEST));
  expect(await expectProblem(save(dave, responseId, answers))).toMatchObject(tooLarge);
  const question = await readQuestion(alice, built.formId, built.questionIds[8]);
  expect((await editQuestion(alice, question, { type: 'SHORT_TEXT' })).type).toBe('SHORT_TEXT');
});

test('more than 500 answers in a request are 400, a body over 4.5 MB is 413', async () => {
  const { dave } = cast;
  const responseId = await start(dave, formId);
  const many = Array.from({ length: 501 }, () => text(short, 'x'));
  expect(await expectProblem(save(dave, responseId, many))).toMatchObject({
    status: 400,
    errors: [{ pointer: '/body/answers' }],
  });
  expect(await expectProblem(save(dave, responseId, [text(short, 'x'.repeat(4_500_001))]))).toMatchObject(tooLarge);
});
