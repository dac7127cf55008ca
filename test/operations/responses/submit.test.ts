/** Submitting: what makes a response complete, what is refused, and what a second submit does. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  type Branched,
  branchedForm,
  cancel,
  castAt,
  displays,
  pass,
  preview,
  readTable,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
const required = { type: 'SHORT_TEXT', required: true } as const;
const optional = { type: 'SHORT_TEXT' } as const;
let branched: Branched;
beforeAll(async () => {
  const { alice, slug } = cast;
  const sections = { first: [optional, required], yes: [required, required], no: [optional], last: [required] };
  branched = await branchedForm({ person: alice, slug }, sections);
});

const ids = () => {
  const { asked, first, yes, no, last } = branched;
  const [yesOne = '', yesTwo = ''] = yes;
  return { asked, name: first[1] ?? '', yesOne, yesTwo, no: no[0] ?? '', last: last[0] ?? '' };
};

/** Answers that complete the path through `no`. */
const complete = () => [text(ids().asked, 'no'), text(ids().name, 'Dave'), text(ids().last, 'done')];

describe('a submit', () => {
  test('saves its answers and returns 201 with the summary of a SUBMITTED response', async () => {
    const { dave } = cast;
    const createdAt = new Date().toISOString();
    const id = await start(dave, branched.formId);
    const submittedAt = pass(60);
    const submitted = await submit(dave, id, complete());
    expect(submitted.status).toBe(201);
    const { formId } = branched;
    expect(submitted.body).toEqual({ id, formId, createdAt, submittedAt, progress: 'SUBMITTED' });
    expect(displays(await preview(dave, formId, id))).toMatchObject({ [ids().name]: 'Dave', [ids().last]: 'done' });
    const { responses } = (await dave.client.responses.listMyResponses({ params: { formId } })).body;
    expect(responses.find((item) => item.id === id)).toMatchObject({ progress: 'SUBMITTED', submittedAt });
  });

  test('counts the answers saved before', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, complete());
    expect((await submit(dave, responseId)).body.progress).toBe('SUBMITTED');
  });

  test('does not ask for what is required off the path', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    await submit(dave, responseId, complete());
    expect((await preview(dave, branched.formId, responseId)).sections.at(-1)?.progress).toBe('SKIPPED');
  });

  test('of a form without sections is complete at once', async () => {
    const { alice, erin, slug } = cast;
    const { formId } = await newForm(alice, slug, []);
    expect((await submit(erin, await start(erin, formId))).status).toBe(201);
  });

  test('is for the owner: members 403, others 404, not signed in 401', async () => {
    const { bob, chelsea, dave, nobody } = cast;
    const responseId = await start(dave, branched.formId);
    expect((await expectProblem(submit(bob, responseId, complete()))).status).toBe(403);
    expect((await expectProblem(submit(chelsea, responseId, complete()))).status).toBe(404);
    const unsigned = nobody.responses.submitResponse({ params: { responseId }, body: { answers: [] } });
    expect((await expectProblem(unsigned)).status).toBe(401);
    expect((await preview(dave, branched.formId, responseId)).progress).toBe('DRAFT');
  });
});

describe('an incomplete response is refused', () => {
  test('with one errors item per required question on the path that is not answered', async () => {
    const { dave } = cast;
    const { asked, name, yesOne, yesTwo, last } = ids();
    const responseId = await start(dave, branched.formId);
    const problem = await expectProblem(submit(dave, responseId, [text(asked, 'yes'), text(yesTwo, 'x')]));
    expect(problem).toMatchObject({ status: 400, title: 'Bad Request' });
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual(
      [name, yesOne, last].map((id) => `/answers/${id}`).sort(),
    );
  });

  test('and nothing of the request is stored', async () => {
    const { dave } = cast;
    const { asked, name } = ids();
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(name, 'before')]);
    expect((await expectProblem(submit(dave, responseId, [text(asked, 'no'), text(name, 'after')]))).status).toBe(400);
    expect((await answerTo(dave, responseId, name)).displayValue).toBe('before');
    expect((await expectProblem(answerTo(dave, responseId, asked))).status).toBe(404);
    const read = await dave.client.responses.getAnswer({ params: { responseId, questionId: name } });
    expect(read.headers.get('etag')).toBe('"2"');
  });

  test('by what is required on the path of an optional question that was left empty', async () => {
    const { dave } = cast;
    const { name, last } = ids();
    const responseId = await start(dave, branched.formId);
    const problem = await expectProblem(submit(dave, responseId, [text(name, 'Dave')]));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${last}` }] });
    expect((await submit(dave, responseId, [text(name, 'Dave'), text(last, 'done')])).body.progress).toBe('SUBMITTED');
  });

  test('when END is not reached, because its editors unlinked it', async () => {
    const { alice, dave, slug } = cast;
    const { formId } = await newForm(alice, slug, [[optional]]);
    const responseId = await start(dave, formId);
    const { workflow } = (await alice.client.workflow.getWorkflow({ params: { formId } })).body;
    const body = workflow.map(({ type: _type, next: _next, ...node }) => node);
    await alice.client.workflow.updateWorkflow({ params: { formId }, body });
    const problem = await expectProblem(submit(dave, responseId));
    expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/workflow' }] });
  });

  test('when a required question was added after the answers were saved', async () => {
    const { alice, dave, slug } = cast;
    const { formId, sectionIds } = await newForm(alice, slug, [[optional]]);
    const responseId = await start(dave, formId);
    const params = { sectionId: sectionIds[0] ?? '' };
    const body = { ...required, title: 'New', description: null, order: 1 };
    const added = (await alice.client.questions.createQuestion({ params, body })).body.id;
    expect((await expectProblem(submit(dave, responseId))).errors).toMatchObject([{ pointer: `/answers/${added}` }]);
    expect((await submit(dave, responseId, [text(added, 'x')])).status).toBe(201);
  });
});

describe('answers sent with a submit', () => {
  test('are judged like those of a save, all at once, and nothing is stored or submitted', async () => {
    const { dave } = cast;
    const { asked, name, yesOne, last } = ids();
    const responseId = await start(dave, branched.formId);
    const answers = [text(asked, 'no'), sent(name, 'LONG_TEXT', 'x'), text(yesOne, 'off the path'), text(last, 'x')];
    const problem = await expectProblem(submit(dave, responseId, answers));
    expect(problem.status).toBe(400);
    expect(problem.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/body/answers/1/questionType',
      '/body/answers/2',
    ]);
    const shown = await preview(dave, branched.formId, responseId);
    expect(shown.progress).toBe('DRAFT');
    expect(Object.values(displays(shown)).every((display) => display === null)).toBe(true);
  });
});

describe('submitting a submitted response again', () => {
  test.each(['allowEditResponse', 'no editing'])('with the same answers replays the result: %s', async (setting) => {
    const { alice, dave, slug } = cast;
    const allowEditResponse = setting === 'allowEditResponse';
    const { formId, questionIds } = await newForm(alice, slug, [[required, optional]], { allowEditResponse });
    const responseId = await start(dave, formId);
    const answers = [text(questionIds[0] ?? '', 'same')];
    const first = await submit(dave, responseId, answers);
    pass(60);
    for (const again of [await submit(dave, responseId, answers), await submit(dave, responseId)]) {
      expect(again).toMatchObject({ status: 201, body: first.body });
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    expect((await readTable(alice, formId, questionIds)).rows).toHaveLength(1);
  });

  test('with other answers is an edit: in place when editing is allowed', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    const first = await submit(dave, responseId, complete());
    pass(60);
    const edit = await submit(dave, responseId, [text(ids().name, 'David')]);
    expect(edit).toMatchObject({ status: 201, body: first.body });
    expect((await answerTo(dave, responseId, ids().name)).displayValue).toBe('David');
    const broken = await expectProblem(submit(dave, responseId, [text(ids().name, '')]));
    expect(broken).toMatchObject({ status: 400, errors: [{ pointer: `/answers/${ids().name}` }] });
  });

  test('with other answers is 403 when editing is not allowed', async () => {
    const { alice, dave, slug } = cast;
    const { formId, questionIds } = await newForm(alice, slug, [[required]], { allowEditResponse: false });
    const [questionId = ''] = questionIds;
    const responseId = await start(dave, formId);
    await submit(dave, responseId, [text(questionId, 'first')]);
    expect((await expectProblem(submit(dave, responseId, [text(questionId, 'second')]))).status).toBe(403);
    expect((await answerTo(dave, responseId, questionId)).displayValue).toBe('first');
  });

  test('with the same Idempotency-Key replays the first result; with another body it is 409', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    const headers = { 'idempotency-key': 'submit once' };
    const first = await submit(dave, responseId, complete(), headers);
    await cancel(dave, responseId);
    const again = await submit(dave, responseId, complete(), headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await preview(dave, branched.formId, responseId)).progress).toBe('DRAFT');
    expect((await expectProblem(submit(dave, responseId, [], headers))).status).toBe(409);
  });

  test('with a stale If-Match is 409 and changes nothing', async () => {
    const { dave } = cast;
    const responseId = await start(dave, branched.formId);
    const { headers } = await save(dave, responseId, complete());
    await save(dave, responseId, [text(ids().name, 'David')]);
    const stale = { 'if-match': headers.get('etag') ?? '' };
    expect((await expectProblem(submit(dave, responseId, [], stale))).status).toBe(409);
    expect((await preview(dave, branched.formId, responseId)).progress).toBe('DRAFT');
  });
});
