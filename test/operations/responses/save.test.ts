/** Saving answers: all or nothing, on the path only, and which times change. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm, type Person, send } from '#test/support/fixtures.ts';
import {
  answerTo,
  type Branched,
  branchedForm,
  castAt,
  clear,
  displays,
  pass,
  preview,
  type Sent,
  save,
  sent,
  start,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
let branched: Branched;
let plain: { formId: string; questionIds: string[] };
beforeAll(async () => {
  const { alice, slug } = cast;
  const short = { type: 'SHORT_TEXT' as const };
  branched = await branchedForm({ person: alice, slug }, { first: [short], yes: [short], no: [short], last: [short] });
  const scale = { minVal: 1, maxVal: 10 };
  plain = await newForm(alice, slug, [
    [short, { type: 'LONG_TEXT' }, { type: 'LINEAR_SCALE', scale }, { type: 'HYPERLINK' }],
    [{ type: 'DATE', date: { hasYear: true, hasMonth: true, hasDay: true } }],
  ]);
});

/** A new response of dave's to the plain form, and its five questions. */
async function plainDraft() {
  const [short = '', long = '', scale = '', link = '', date = ''] = plain.questionIds;
  return { responseId: await start(cast.dave, plain.formId), short, long, scale, link, date };
}

const readResponse = async (person: Person, formId: string, responseId: string) =>
  displays(await preview(person, formId, responseId));

describe('a request of several answers', () => {
  test('returns the stored answers in the order in which they were sent', async () => {
    const { dave } = cast;
    const { responseId, short, scale, date } = await plainDraft();
    const answers = [sent(date, 'DATE', '2026-01-02'), text(short, 'a'), sent(scale, 'LINEAR_SCALE', 3)];
    const { body } = await save(dave, responseId, answers);
    expect(body.answers.map(({ displayValue }) => displayValue)).toEqual(['2026-01-02', 'a', '3 (1-10)']);
  });

  test('is all or nothing: one bad answer and none of the good ones is stored', async () => {
    const { dave } = cast;
    const { responseId, short, long, scale } = await plainDraft();
    const first = await save(dave, responseId, [text(short, 'before')]);
    const answers = [text(short, 'after'), sent(long, 'LONG_TEXT', 'new'), sent(scale, 'LINEAR_SCALE', 11)];
    expect((await expectProblem(save(dave, responseId, answers))).status).toBe(400);
    expect((await readResponse(dave, plain.formId, responseId))[short]).toBe('before');
    expect((await expectProblem(answerTo(dave, responseId, long))).status).toBe(404);
    const after = await dave.client.responses.getResponse({ params: { formId: plain.formId, responseId } });
    expect(after.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  test('reports all faults at once, each with its pointer', async () => {
    const { dave } = cast;
    const { responseId, short, scale, link, date } = await plainDraft();
    const foreign = branched.asked;
    const problem = await expectProblem(
      save(dave, responseId, [
        text(short, 'fine'),
        sent(scale, 'LINEAR_SCALE', 0),
        text(foreign, 'of another form'),
        sent(link, 'HYPERLINK', 'not a link'),
        text(short, 'twice'),
        text(date, '2026-01-01'),
      ]),
    );
    expect(problem).toMatchObject({ status: 400, title: 'Bad Request' });
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/body/answers/1/value',
      '/body/answers/2/questionId',
      '/body/answers/3/value',
      '/body/answers/4/questionId',
      '/body/answers/5/questionType',
    ]);
  });

  test('reports what is missing or malformed in the body itself, each with its pointer', async () => {
    const { dave } = cast;
    const { responseId, short } = await plainDraft();
    const malformed = [
      { questionType: 'SHORT_TEXT', value: 'x' },
      { ...text(short, 'x'), questionId: 'no-id' },
    ];
    const unknown = { ...text(short, 'x'), questionType: 'POEM', otherText: 'x'.repeat(201) };
    const problem = await expectProblem(save(dave, responseId, [...malformed, unknown] as unknown as Sent[]));
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/body/answers/0/questionId',
      '/body/answers/1/questionId',
      '/body/answers/2/otherText',
      '/body/answers/2/questionType',
    ]);
  });

  test.each([
    ['no body', ''],
    ['a body that is not JSON', '{"answers":'],
    ['a body without answers', '{}'],
    ['answers that are no array', '{"answers":{}}'],
  ])('with %s is 400', async (_, body) => {
    const { dave } = cast;
    const { responseId } = await plainDraft();
    const headers = { authorization: `Bearer ${dave.token}` };
    const answer = await send('PATCH', `/api/responses/${responseId}/answers`, { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  test('that is empty changes nothing: 200 with no answers', async () => {
    const { responseId } = await plainDraft();
    const saved = await save(cast.dave, responseId, []);
    expect(saved).toMatchObject({ status: 200, body: { answers: [] } });
  });
});

describe('an answer to a question off the path', () => {
  test('is 400 SKIPPED, with a pointer to the answer', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'no')]);
    const answers = [text(branched.no[0] ?? '', 'fine'), text(branched.yes[0] ?? '', 'x')];
    const problem = await expectProblem(save(dave, responseId, answers));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/1' }] });
    expect(problem.errors?.[0]?.detail).toMatch(/^SKIPPED/);
    expect((await readResponse(dave, branched.formId, responseId))[branched.no[0] ?? '']).toBeNull();
  });

  test('behind a condition on a required question without an answer is SKIPPED too', async () => {
    const { alice, dave, slug } = cast;
    const short = { type: 'SHORT_TEXT' as const };
    const sections = { first: [{ ...short, required: true }], yes: [short], no: [short], last: [short] };
    const { formId, last } = await branchedForm({ person: alice, slug }, sections);
    const responseId = await start(dave, formId);
    const behind = [text(last[0] ?? '', 'x')];
    expect((await expectProblem(save(dave, responseId, behind))).errors).toHaveLength(1);
  });

  test('behind a condition on an optional question is on the path of one that is left empty', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    const behind = [text(branched.no[0] ?? '', 'x'), text(branched.last[0] ?? '', 'x')];
    expect((await save(dave, responseId, behind)).status).toBe(200);
    expect((await expectProblem(save(dave, responseId, [text(branched.yes[0] ?? '', 'x')]))).status).toBe(400);
  });

  test.each([
    ['first'],
    ['last'],
  ])('is judged with the answers of the same request applied, be they %s', async (place) => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'no')]);
    const way = text(branched.asked, 'yes');
    const behind = text(branched.yes[0] ?? '', 'x');
    const leading = place === 'first' ? [way, behind] : [behind, way];
    expect((await save(dave, responseId, leading)).status).toBe(200);
    const back = text(branched.asked, 'no');
    const leaving = place === 'first' ? [back, behind] : [behind, back];
    const index = leaving.indexOf(behind);
    const problem = await expectProblem(save(dave, responseId, leaving));
    expect(problem.errors).toMatchObject([{ pointer: `/body/answers/${index}` }]);
  });

  test('that was given before is kept, and can be read, when it falls off the path', async () => {
    const { dave } = cast;
    const [behind = ''] = branched.yes;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'yes'), text(behind, 'kept')]);
    await save(dave, responseId, [text(branched.asked, 'no')]);
    expect((await answerTo(dave, responseId, behind)).displayValue).toBe('kept');
    expect((await clear(dave, responseId, behind)).status).toBe(204);
    expect((await expectProblem(answerTo(dave, responseId, behind))).status).toBe(404);
  });
});

describe('an empty string', () => {
  test('clears a text answer of each kind', async () => {
    const { dave } = cast;
    const { responseId, short, long, link } = await plainDraft();
    const all = (value: string, url: string) => [
      text(short, value),
      sent(long, 'LONG_TEXT', value),
      sent(link, 'HYPERLINK', url),
    ];
    await save(dave, responseId, all('x', 'https://example.org'));
    const { body } = await save(dave, responseId, all('', ''));
    expect(body.answers).toEqual([]);
    const shown = await readResponse(dave, plain.formId, responseId);
    expect([shown[short], shown[long], shown[link]]).toEqual([null, null, null]);
  });

  test('for a question without an answer changes nothing', async () => {
    const { responseId, short } = await plainDraft();
    const saved = await save(cast.dave, responseId, [text(short, '')]);
    expect(saved.headers.get('etag')).toBe('"1"');
  });
});

test("an answer's updatedAt moves only when its value does, and its createdAt never", async () => {
  const { dave } = cast;
  const { responseId, short, scale } = await plainDraft();
  const began = new Date().toISOString();
  await save(dave, responseId, [text(short, 'a'), sent(scale, 'LINEAR_SCALE', 3)]);
  const later = pass(60);
  const { body } = await save(dave, responseId, [text(short, 'b'), sent(scale, 'LINEAR_SCALE', 3)]);
  expect(body.answers).toMatchObject([
    { createdAt: began, updatedAt: later },
    { createdAt: began, updatedAt: began },
  ]);
  pass(60);
  await save(dave, responseId, [text(short, 'b')]);
  expect(await answerTo(dave, responseId, short)).toMatchObject({ createdAt: began, updatedAt: later });
  expect((await preview(dave, plain.formId, responseId)).updatedAt).toBe(later);
  const { responses } = (await dave.client.responses.listMyResponses({ params: { formId: plain.formId } })).body;
  expect(responses.find(({ id }) => id === responseId)?.updatedAt).toBe(began);
});

describe('If-Match', () => {
  test('with the ETag of the last result saves; a stale one is 409 and changes nothing', async () => {
    const { dave } = cast;
    const { responseId, short } = await plainDraft();
    const first = await save(dave, responseId, [text(short, 'a')]);
    const etag = first.headers.get('etag') ?? '';
    const second = await save(dave, responseId, [text(short, 'b')], { 'if-match': etag });
    expect(second.headers.get('etag')).not.toBe(etag);
    const stale = await expectProblem(save(dave, responseId, [text(short, 'c')], { 'if-match': etag }));
    expect(stale).toMatchObject({ status: 409, title: 'Conflict' });
    expect((await answerTo(dave, responseId, short)).displayValue).toBe('b');
    expect((await expectProblem(clear(dave, responseId, short, { 'if-match': etag }))).status).toBe(409);
  });

  test('of the preview, of one answer and of a save are the same tag', async () => {
    const { dave } = cast;
    const { responseId, short } = await plainDraft();
    const { headers } = await save(dave, responseId, [text(short, 'a')]);
    const { formId } = plain;
    const shown = await dave.client.responses.getResponse({ params: { formId, responseId } });
    const one = await dave.client.responses.getAnswer({ params: { responseId, questionId: short } });
    expect([shown.headers.get('etag'), one.headers.get('etag')]).toEqual([headers.get('etag'), headers.get('etag')]);
  });

  test('without it the last writer wins', async () => {
    const { dave } = cast;
    const { responseId, short } = await plainDraft();
    for (const word of ['a', 'b']) await save(dave, responseId, [text(short, word)]);
    expect((await answerTo(dave, responseId, short)).displayValue).toBe('b');
  });
});

test('only the owner saves: members 403, others 404, not signed in 401', async () => {
  const { alice, bob, chelsea, nobody } = cast;
  const { responseId, short } = await plainDraft();
  const answers = [text(short, 'x')];
  for (const member of [alice, bob]) {
    expect((await expectProblem(save(member, responseId, answers))).status).toBe(403);
    expect((await expectProblem(clear(member, responseId, short))).status).toBe(403);
  }
  expect((await expectProblem(save(chelsea, responseId, answers))).status).toBe(404);
  expect((await expectProblem(clear(chelsea, responseId, short))).status).toBe(404);
  const unsigned = nobody.responses.updateAnswers({ params: { responseId }, body: { answers } });
  expect((await expectProblem(unsigned)).status).toBe(401);
});
