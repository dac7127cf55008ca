/** Responses as large as they may be: what reads many of them stops before it takes a second of processor time, and says so. */
import { expect, test } from 'vitest';
import { MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { AnswerContent } from '#core/structure/types/content.ts';
import { MAX_LONG_TEXT } from '#core/structure/types/formats.ts';
import { requestAs } from '#test/support/building.ts';
import { newForm, type QuestionKind } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { relativeCost } from '#test/support/processor.ts';
import { castAt, NOW, readQuestions, store, submissionOf } from '#test/support/responses.ts';

const cast = await castAt();

const RESPONSES = 300;
/** About a second of a quiet processor. */
const MAX_COST = 100;
const TEXTS = Math.floor((MAX_ENTITY_BYTES - 5_000) / (MAX_LONG_TEXT + 200));

test('sorting, filters, statistics and lists of answers read 50 MB of responses at most', async () => {
  const texts = Array.from({ length: TEXTS }, (): QuestionKind => ({ type: 'LONG_TEXT' }));
  const kinds: QuestionKind[][] = [[{ type: 'SINGLE_CHOICE', choices: [{ name: 'A' }, { name: 'B' }] }, ...texts]];
  const form = await newForm(cast.alice, cast.slug, kinds);
  const { formId } = form;
  const [chosen] = await readQuestions(cast.alice, formId);
  const [first] = chosen?.choices ?? [];
  const questionId = chosen?.id ?? '';
  const answers = Object.fromEntries([
    [questionId, { type: 'SINGLE_CHOICE', value: [first?.id ?? ''], names: ['A'] } satisfies AnswerContent],
    ...form.questionIds
      .slice(1)
      .map((id): [string, AnswerContent] => [id, { type: 'LONG_TEXT', value: 'a'.repeat(MAX_LONG_TEXT) }]),
  ]);
  for (let count = 0; count < RESPONSES; count += 10) {
    await store(Array.from({ length: 10 }, () => submissionOf(form, cast.dave.id, NOW, answers)));
  }
  const filters = [{ questionId, answers: [{ option: 'none' }] }];
  const query = (path: string, body: object) => requestAs(cast.bob, 'POST', `/api/forms/${formId}/${path}`, body);
  const pages = pagesOf(cast.bob);

  const sorted = await query('responses/query', { filters: [], sort: { questionId } });
  expect([sorted.status, sorted.body.errors]).toEqual([
    400,
    [{ pointer: '/body/sort/questionId', detail: expect.stringContaining('of at most 50 MB') }],
  ]);
  const found = await query('responses/query', { filters });
  expect([found.status, found.body.responses, found.body.nextCursor]).toEqual([200, [], expect.any(String)]);
  const counted = await query('statistics/query', { filters });
  expect(counted.body.matches).toEqual({ count: 0, isComplete: false });
  expect(await pages.show(`/review/${formId}?sort=${questionId}`)).toContain('or 50 MB of answers, is sorted');

  const costs = {
    sorted: await relativeCost(() => query('responses/query', { filters: [], sort: { questionId } })),
    found: await relativeCost(() => query('responses/query', { filters })),
    counted: await relativeCost(() => query('statistics/query', { filters })),
    'sorted page': await relativeCost(() => pages.show(`/review/${formId}?sort=${questionId}`)),
    'searched page': await relativeCost(() => pages.show(`/review/${formId}?q=dave`)),
    'statistics page': await relativeCost(() => pages.show(`/review/${formId}/statistics`)),
  };
  expect(Object.entries(costs).filter(([, cost]) => cost > MAX_COST)).toEqual([]);
});
