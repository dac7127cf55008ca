/** A connected account as an answer: who can write it, clearing it, cancel and submit. */
import { describe, expect, test } from 'vitest';
import { requestAs } from '#test/support/building.ts';
import { accountForm } from '#test/support/connections.ts';
import { expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { browserOf, connect } from '#test/support/oauth.ts';
import { answerTo, cancel, clear, preview, readTable, sent, start, submit } from '#test/support/responses.ts';

const cast = await newCast();

/** A response of dave's with his account as the answer to `questionId`. */
async function connected(options: { required?: boolean } = {}) {
  const kind = { type: 'OAUTH_CONNECT', oauthConnect: 'PROVIDER_ONE', ...options } as const;
  const { formId, questionIds } = await newForm(cast.alice, cast.slug, [[kind]], { allowEditResponse: true });
  const [questionId = ''] = questionIds;
  const responseId = await start(cast.dave, formId);
  await connect(browserOf(cast.dave), { responseId, questionId }, 'dave');
  return { formId, responseId, questionId };
}

describe('only the callback writes an account', () => {
  test.for([
    ['PATCH', 'answers', 200],
    ['POST', 'submit', 201],
  ] as const)('%s …/%s refuses any value, and keeps the stored one', async ([method, verb, fine]) => {
    const { responseId, questionId } = await connected();
    const before = await answerTo(cast.dave, responseId, questionId);
    const path = `/api/responses/${responseId}/${verb}`;
    const { value } = before.answer;
    for (const each of ['mallory', '', ['mallory'], [], 7, { ...Object(value), username: 'mallory' }, value]) {
      const answers = [{ questionId, questionType: 'OAUTH_CONNECT', value: each }];
      const { status, body } = await requestAs(cast.dave, method, path, { answers });
      expect([each, status, Object(body).errors?.[0]?.pointer]).toEqual([
        each,
        400,
        expect.stringMatching(/^\/body\/answers\/0/),
      ]);
    }
    expect(await answerTo(cast.dave, responseId, questionId)).toEqual(before);
    expect((await requestAs(cast.dave, method, path, { answers: [] })).status).toBe(fine);
  });

  test('where there is none yet, neither does a submit', async () => {
    const { responseId, one } = await accountForm(cast);
    const problem = await expectProblem(submit(cast.dave, responseId, [sent(one, 'OAUTH_CONNECT', 'mallory')]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0' }] });
    expect(await expectProblem(answerTo(cast.dave, responseId, one))).toMatchObject({ status: 404 });
  });
});

describe('a connected account', () => {
  test('can be cleared: then the question is not answered, and missing where it is required', async () => {
    const { formId, responseId, questionId } = await connected({ required: true });
    await clear(cast.dave, responseId, questionId);
    expect(await expectProblem(answerTo(cast.dave, responseId, questionId))).toMatchObject({ status: 404 });
    expect((await preview(cast.dave, formId, responseId)).sections[0]?.answerDetails[0]?.payload).toBeNull();
    expect(await expectProblem(submit(cast.dave, responseId))).toMatchObject({
      status: 400,
      errors: [{ pointer: `/answers/${questionId}` }],
    });
    await connect(browserOf(cast.dave), { responseId, questionId }, 'dave');
    expect((await submit(cast.dave, responseId)).body.progress).toBe('SUBMITTED');
  });

  test('that is required cannot be cleared in a submitted response, which keeps it', async () => {
    const { formId, responseId, questionId } = await connected({ required: true });
    await submit(cast.dave, responseId);
    expect(await expectProblem(clear(cast.dave, responseId, questionId))).toMatchObject({ status: 400 });
    const { rows } = await readTable(cast.bob, formId, [questionId]);
    expect(rows.map(({ id, answers }) => [id, answers[questionId]?.displayValue])).toEqual([[responseId, 'dave']]);
  });

  test('is still there when the response was cancelled, and goes with the next submission', async () => {
    const { responseId, questionId } = await connected();
    const before = await answerTo(cast.dave, responseId, questionId);
    await submit(cast.dave, responseId);
    await cancel(cast.dave, responseId);
    expect(await answerTo(cast.dave, responseId, questionId)).toEqual(before);
    await submit(cast.dave, responseId);
    expect(await answerTo(cast.bob, responseId, questionId)).toEqual(before);
  });
});
