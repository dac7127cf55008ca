/** One answer of a response: reading it and clearing it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import { answerTo, castAt, clear, NOW, preview, progresses, save, sent, start, text } from '#test/support/responses.ts';

const cast = await castAt();
let formId: string;
let short: string;
let scale: string;
beforeAll(async () => {
  const { alice, slug } = cast;
  const questions = [{ type: 'SHORT_TEXT' }, { type: 'LINEAR_SCALE', scale: { minVal: 0, maxVal: 10 } }] as const;
  const built = await newForm(alice, slug, [[...questions]]);
  ({ formId } = built);
  [short = '', scale = ''] = built.questionIds;
});

/** A response of dave's that answers both questions. */
async function answered(): Promise<string> {
  const responseId = await start(cast.dave, formId);
  await save(cast.dave, responseId, [text(short, 'hello'), sent(scale, 'LINEAR_SCALE', 0)]);
  return responseId;
}

describe('getting an answer', () => {
  test('returns its id and the StoredAnswer, to the owner and to members', async () => {
    const { alice, bob, dave } = cast;
    const responseId = await answered();
    for (const { client } of [alice, bob, dave]) {
      const read = await client.responses.getAnswer({ params: { responseId, questionId: scale } });
      expect(read.status).toBe(200);
      expect(read.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        answer: {
          createdAt: NOW,
          updatedAt: NOW,
          responseId,
          answer: { questionId: scale, questionType: 'LINEAR_SCALE', value: 0 },
          displayValue: '0 (0-10)',
        },
      });
    }
  });

  test('is 404 while the question is unanswered', async () => {
    const { dave } = cast;
    const responseId = await start(dave, formId);
    expect(await expectProblem(answerTo(dave, responseId, short))).toMatchObject({ status: 404, title: 'Not Found' });
  });

  test('is 404 for a question of another form, an unknown response, and those to whom it is not visible', async () => {
    const { alice, chelsea, dave, erin, slug } = cast;
    const responseId = await answered();
    const other = await newForm(alice, slug, [[{ type: 'SHORT_TEXT' }]]);
    expect((await expectProblem(answerTo(dave, responseId, other.questionIds[0] ?? ''))).status).toBe(404);
    expect((await expectProblem(answerTo(dave, short, short))).status).toBe(404);
    for (const other of [chelsea, erin])
      expect((await expectProblem(answerTo(other, responseId, short))).status).toBe(404);
  });

  test('is 401 for those not signed in, and 400 for a malformed id', async () => {
    const { dave, nobody } = cast;
    const responseId = await answered();
    const params = { responseId, questionId: short };
    expect((await expectProblem(nobody.responses.getAnswer({ params }))).status).toBe(401);
    const malformed = await expectProblem(answerTo(dave, responseId, 'Q1'));
    expect(malformed).toMatchObject({ status: 400, errors: [{ pointer: '/path/questionId' }] });
  });
});

describe('clearing an answer', () => {
  test('is 204; other answers stay, and it can be answered again', async () => {
    const { dave } = cast;
    const responseId = await answered();
    expect((await clear(dave, responseId, short)).status).toBe(204);
    expect((await expectProblem(answerTo(dave, responseId, short))).status).toBe(404);
    expect((await answerTo(dave, responseId, scale)).answer.value).toBe(0);
    await save(dave, responseId, [text(short, 'again')]);
    expect((await answerTo(dave, responseId, short)).displayValue).toBe('again');
  });

  test('works for any type and resets the progress of the section', async () => {
    const { dave } = cast;
    const responseId = await answered();
    await clear(dave, responseId, short);
    await clear(dave, responseId, scale);
    expect(progresses(await preview(dave, formId, responseId))).toEqual(['NOT_STARTED']);
  });

  test('of an unanswered question is 204 too, and changes nothing', async () => {
    const { dave } = cast;
    const responseId = await start(dave, formId);
    expect((await clear(dave, responseId, short)).status).toBe(204);
    const shown = await dave.client.responses.getResponse({ params: { formId, responseId } });
    expect(shown.headers.get('etag')).toBe('"1"');
  });

  test('of a question that the form does not have is 404', async () => {
    const { dave } = cast;
    const responseId = await answered();
    expect((await expectProblem(clear(dave, responseId, formId))).status).toBe(404);
  });

  test('is 401 for those not signed in', async () => {
    const params = { responseId: await answered(), questionId: short };
    expect((await expectProblem(cast.nobody.responses.clearAnswer({ params }))).status).toBe(401);
  });
});
