/** The preview of a response: its sections in path order, their progress, and what it resolves. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, newForm } from '#test/support/fixtures.ts';
import {
  answerTo,
  type Branched,
  branchedForm,
  cancel,
  castAt,
  choice,
  clear,
  displays,
  pass,
  preview,
  progresses,
  readQuestion,
  readQuestions,
  save,
  sent,
  start,
  submit,
  text,
} from '#test/support/responses.ts';

const cast = await castAt();
let branched: Branched;
beforeAll(async () => {
  const { alice, slug } = cast;
  branched = await branchedForm(
    { person: alice, slug },
    {
      first: [{ type: 'SHORT_TEXT', required: true }],
      yes: [{ type: 'SHORT_TEXT', required: true }, { type: 'LONG_TEXT' }],
      no: [{ type: 'SHORT_TEXT' }],
    },
  );
});

const sectionsAfter = async (answers: Parameters<typeof save>[2]) => {
  const { dave } = cast;
  const responseId = await start(dave, branched.formId);
  if (answers.length > 0) await save(dave, responseId, answers);
  return preview(dave, branched.formId, responseId);
};

describe('the sections of a preview', () => {
  test('are in the order of the path, then the SKIPPED ones', async () => {
    const [first, yes, no, last] = branched.sectionIds;
    const order = async (word: string) => {
      const shown = await sectionsAfter([text(branched.asked, word)]);
      return shown.sections.map(({ id, progress }) => [id, progress === 'SKIPPED']);
    };
    expect(await order('yes')).toEqual([
      [first, false],
      [yes, false],
      [last, false],
      [no, true],
    ]);
    expect(await order('no')).toEqual([
      [first, false],
      [no, false],
      [last, false],
      [yes, true],
    ]);
  });

  test('behind a condition on an unanswered question are not reached yet, so SKIPPED', async () => {
    expect(progresses(await sectionsAfter([]))).toEqual(['NOT_STARTED', 'SKIPPED', 'SKIPPED', 'SKIPPED']);
  });

  test('have each question with its StoredAnswer, or null', async () => {
    const { dave, alice } = cast;
    const responseId = await start(dave, branched.formId);
    await save(dave, responseId, [text(branched.asked, 'yes')]);
    const shown = await preview(alice, branched.formId, responseId);
    expect(shown).toMatchObject({ id: responseId, formId: branched.formId, progress: 'DRAFT' });
    const views = await readQuestions(alice, branched.formId);
    const details = shown.sections.flatMap(({ answerDetails }) => answerDetails);
    expect(details.map(({ question }) => question)).toEqual(expect.arrayContaining(views));
    expect(details).toHaveLength(views.length);
    expect(details[0]?.payload).toEqual(await answerTo(dave, responseId, branched.asked));
    expect(details.slice(1).map(({ payload }) => payload)).toEqual([null, null, null]);
  });
});

test('names the respondent and has the three times, for a member who answered as well', async () => {
  const { alice, bob, dave } = cast;
  for (const owner of [bob, dave]) {
    const createdAt = new Date().toISOString();
    const responseId = await start(owner, branched.formId);
    const savedAt = pass(60);
    await save(owner, responseId, [text(branched.asked, 'no')]);
    const times = { createdAt, updatedAt: savedAt, submittedAt: null };
    const respondent = { id: owner.id, emails: [owner.email] };
    const member = { submittedBy: owner.id, respondent };
    expect(await preview(alice, branched.formId, responseId)).toMatchObject({ ...member, ...times });
    const submittedAt = pass(60);
    await submit(owner, responseId);
    expect(await preview(owner, branched.formId, responseId)).toMatchObject({ ...member, createdAt, submittedAt });
  }
});

test('sections on the path are COMPLETED once submitted, and follow the answers again once cancelled', async () => {
  const { dave } = cast;
  const responseId = await start(dave, branched.formId);
  await submit(dave, responseId, [text(branched.asked, 'no')]);
  const shown = await preview(dave, branched.formId, responseId);
  expect(shown.progress).toBe('SUBMITTED');
  expect(progresses(shown)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED', 'SKIPPED']);
  await cancel(dave, responseId);
  const draft = await preview(dave, branched.formId, responseId);
  expect(progresses(draft)).toEqual(['COMPLETED', 'NOT_STARTED', 'COMPLETED', 'SKIPPED']);
});

test('answers that fell off the path are kept and shown as SKIPPED, and count again when the path comes back', async () => {
  const { dave } = cast;
  const [needed = ''] = branched.yes;
  const responseId = await start(dave, branched.formId);
  await save(dave, responseId, [text(branched.asked, 'yes'), text(needed, 'kept')]);
  await save(dave, responseId, [text(branched.asked, 'no')]);
  const skipped = (await preview(dave, branched.formId, responseId)).sections.at(-1);
  expect(skipped).toMatchObject({ progress: 'SKIPPED', answerDetails: [{ payload: { displayValue: 'kept' } }, {}] });
  await save(dave, responseId, [text(branched.asked, 'yes')]);
  expect(progresses(await preview(dave, branched.formId, responseId))[1]).toBe('COMPLETED');
});

describe('a question with sourceId', () => {
  /** A form whose second section ranks what was selected in the first. */
  async function sourcedForm() {
    const { alice, slug } = cast;
    const choices = [{ name: 'Red' }, { name: 'Blue' }, { name: 'Other', isOther: true }];
    const built = await newForm(alice, slug, [[{ type: 'MULTIPLE_CHOICE', choices }], []], { publish: false });
    const [sourceId = ''] = built.questionIds;
    const body = { type: 'RANKING' as const, required: false, title: 'Rank', description: null, order: 1, sourceId };
    const params = { sectionId: built.sectionIds[1] ?? '' };
    const ranking = (await alice.client.questions.createQuestion({ params, body })).body;
    await alice.client.forms.publishForm({ params: { formId: built.formId } });
    return { formId: built.formId, source: await readQuestion(alice, built.formId, sourceId), ranking };
  }

  test('shows [] before its source is answered, then the choices resolved for this response', async () => {
    const { dave, erin } = cast;
    const { formId, source, ranking } = await sourcedForm();
    const offeredTo = async (person: typeof dave, responseId: string) =>
      (await preview(person, formId, responseId)).sections[1]?.answerDetails[0]?.question.choices;
    const [daves, erins] = [await start(dave, formId), await start(erin, formId)];
    expect(await offeredTo(dave, daves)).toEqual([]);
    const [red, blue, other] = ['Red', 'Blue', 'Other'].map((name) => choice(source, name));
    await save(dave, daves, [sent(source.id, 'MULTIPLE_CHOICE', [`${other}`, `${red}`], 'Teal')]);
    await save(erin, erins, [sent(source.id, 'MULTIPLE_CHOICE', [`${blue}`])]);
    expect(await offeredTo(dave, daves)).toEqual([
      { id: red, name: 'Red' },
      { id: other, name: 'Teal' },
    ]);
    expect(await offeredTo(erin, erins)).toEqual([{ id: blue, name: 'Blue' }]);
    const saved = await save(dave, daves, [sent(ranking.id, 'RANKING', [`${other}`, `${red}`])]);
    expect(saved.body.answers[0]?.displayValue).toBe('Teal > Red');
    await clear(dave, daves, source.id);
    expect(await offeredTo(dave, daves)).toEqual([]);
  });

  test('takes only what was selected, judged with the selection of the same request', async () => {
    const { dave } = cast;
    const { formId, source, ranking } = await sourcedForm();
    const responseId = await start(dave, formId);
    const [red, blue] = [choice(source, 'Red'), choice(source, 'Blue')];
    const before = await expectProblem(save(dave, responseId, [sent(ranking.id, 'RANKING', [red])]));
    expect(before).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value/0' }] });
    const together = [sent(ranking.id, 'RANKING', [red]), sent(source.id, 'MULTIPLE_CHOICE', [red])];
    expect((await save(dave, responseId, together)).status).toBe(200);
    const foreign = await expectProblem(save(dave, responseId, [sent(ranking.id, 'RANKING', [red, blue])]));
    expect(foreign).toMatchObject({ status: 400, errors: [{ pointer: '/body/answers/0/value/1' }] });
  });

  test('takes nothing from a source that is off the path, as its preview says', async () => {
    const { alice, dave, slug } = cast;
    const choices = [{ name: 'Red' }, { name: 'Blue' }];
    const { formId, asked, yes, sectionIds } = await branchedForm(
      { person: alice, slug },
      { first: [{ type: 'SHORT_TEXT' }], yes: [{ type: 'MULTIPLE_CHOICE', choices }], no: [] },
    );
    const source = await readQuestion(alice, formId, yes[0]);
    const body = { type: 'DROPDOWN' as const, required: false, title: 'Best', description: null, order: 1 };
    const params = { sectionId: sectionIds[3] ?? '' };
    const made = await alice.client.questions.createQuestion({ params, body: { ...body, sourceId: source.id } });
    const best = sent(made.body.id, 'DROPDOWN', [choice(source, 'Red')]);
    const responseId = await start(dave, formId);
    await save(dave, responseId, [text(asked, 'yes'), sent(source.id, 'MULTIPLE_CHOICE', [choice(source, 'Red')])]);
    await save(dave, responseId, [text(asked, 'no')]);
    const shown = await preview(dave, formId, responseId);
    const detail = shown.sections
      .flatMap(({ answerDetails }) => answerDetails)
      .find((d) => d.question.id === made.body.id);
    expect(detail?.question.choices).toEqual([]);
    expect((await expectProblem(save(dave, responseId, [best]))).status).toBe(400);
    expect((await save(dave, responseId, [text(asked, 'yes'), best])).status).toBe(200);
  });
});

test('is for the owner and members: others get 404, those not signed in 401', async () => {
  const { alice, bob, chelsea, dave, nobody } = cast;
  const { formId } = branched;
  const responseId = await start(dave, formId);
  for (const reader of [alice, bob, dave]) expect((await preview(reader, formId, responseId)).id).toBe(responseId);
  expect((await expectProblem(preview(chelsea, formId, responseId))).status).toBe(404);
  const unsigned = nobody.responses.getResponse({ params: { formId, responseId } });
  expect((await expectProblem(unsigned)).status).toBe(401);
});

test('a response is not found under another form, nor an unknown one under its own', async () => {
  const { alice, dave, slug } = cast;
  const other = await newForm(alice, slug, []);
  const responseId = await start(dave, branched.formId);
  expect((await expectProblem(preview(alice, other.formId, responseId))).status).toBe(404);
  expect((await expectProblem(preview(alice, branched.formId, branched.asked))).status).toBe(404);
});

test('it has every answer of the path', async () => {
  const { dave } = cast;
  const [needed = ''] = branched.yes;
  const responseId = await start(dave, branched.formId);
  await save(dave, responseId, [text(branched.asked, 'yes sir'), text(needed, 'because')]);
  expect(displays(await preview(dave, branched.formId, responseId))).toMatchObject({
    [branched.asked]: 'yes sir',
    [needed]: 'because',
  });
});
