/**
 * How often statistics say that a question was asked follows from what was submitted, whatever becomes of the form: read
 * from the responses, from the counters of the time, and from a recount.
 */
import { expect, test } from 'vitest';
import { ASKED } from '#core/counts/cells.ts';
import { shortName } from '#core/schema/schema.ts';
import { requestAs } from '#test/support/building.ts';
import { readCounters, recountNow, repairCounts } from '#test/support/counts.ts';
import { formForFiles, uploaded } from '#test/support/files.ts';
import { type Built, newForm, question } from '#test/support/fixtures.ts';
import {
  branchedForm,
  cancel,
  castAt,
  pass,
  readQuestions,
  respond,
  save,
  start,
  store,
  submissionOf,
  submit,
  text,
} from '#test/support/responses.ts';
import { deliverStream } from '#test/support/workers.ts';

const cast = await castAt();
const { alice, dave } = cast;

/** A form that asks Q and U in its first section and V in its second; nobody has to answer. */
async function newSurvey() {
  const kind = (title: string) => ({ type: 'SHORT_TEXT' as const, title });
  const form = await newForm(alice, cast.slug, [[kind('Q'), kind('U')], [kind('V')]], { publish: false });
  await alice.client.forms.publishForm({ params: form });
  const [q = '', u = '', v = ''] = form.questionIds;
  const [first = '', second = ''] = form.sectionIds;
  return { ...form, q, u, v, first, second };
}

/** Submits some responses that answer Q alone, a second apart, and counts them; their ids. */
async function submitSome({ formId, q }: { formId: string; q: string }, number: number): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < number; count += 1) {
    pass(1);
    ids.push(await respond(dave, formId, [text(q, 'yes')]));
  }
  pass(1);
  await deliverStream();
  return ids;
}

async function restore({ formId }: Pick<Built, 'formId'>, version: number): Promise<void> {
  const { forms } = alice.client;
  await forms.restoreVersion({ params: { formId, version: String(version) }, body: {} });
  await forms.publishChanges({ params: { formId } });
}
const newestVersion = async ({ formId }: Pick<Built, 'formId'>): Promise<number> =>
  (await alice.client.forms.listVersions({ params: { formId } })).body[0]?.version ?? 0;
const remove = (sectionId: string, questionId: string) =>
  alice.client.questions.deleteQuestion({ params: { sectionId, questionId } });
const move = (from: string, questionId: string, to: string) =>
  alice.client.questions.moveQuestion({
    params: { sectionId: from, questionId },
    body: { sectionId: to, after: null },
  });

/** How often a question was asked: by the statistics, by the counters, and by the counters of a recount. */
async function askedCounts({ formId }: Pick<Built, 'formId'>, questionId: string) {
  const { questions } = (await alice.client.responses.getStatistics({ params: { formId } })).body;
  const readCell = async () => (await readCounters(formId)).cells.get(shortName(questionId))?.get(ASKED) ?? 0;
  await deliverStream();
  const counted = await readCell();
  await recountNow({ formId });
  await repairCounts();
  const recounted = await readCell();
  return [questions.find((each) => each.questionId === questionId)?.askedCount, counted, recounted];
}
const everywhere = (count: number) => [count, count, count];

test('a question that returns was not asked by what was submitted without it', async () => {
  const survey = await newSurvey();
  await submitSome(survey, 2);
  const version = await newestVersion(survey);
  await remove(survey.first, survey.u);
  await submitSome(survey, 3);
  await restore(survey, version);
  expect(await askedCounts(survey, survey.u)).toEqual(everywhere(2));
  await submitSome(survey, 1);
  expect(await askedCounts(survey, survey.u)).toEqual(everywhere(3));
  await remove(survey.first, survey.u);
  await submitSome(survey, 1);
  await restore(survey, version);
  expect(await askedCounts(survey, survey.u)).toEqual(everywhere(3));
  expect(await askedCounts(survey, survey.q)).toEqual(everywhere(7));
});

test('an unanswered question that moves to a new section, or whose section is deleted and restored, was still asked', async () => {
  const survey = await newSurvey();
  const { formId, first, second, u, v } = survey;
  const version = await newestVersion(survey);
  await submitSome(survey, 2);
  const body = { type: 'SECTION' as const, payload: {}, after: second };
  const { body: added } = await alice.client.workflow.createNode({ params: { formId }, body });
  await move(first, u, added.id);
  expect(await askedCounts(survey, u)).toEqual(everywhere(2));
  await submitSome(survey, 1);
  await move(added.id, u, first);
  await submitSome(survey, 1);
  await alice.client.workflow.deleteNode({ params: { formId, nodeId: second } });
  await restore(survey, version);
  expect(await askedCounts(survey, u)).toEqual(everywhere(4));
  expect(await askedCounts(survey, v)).toEqual(everywhere(4));
});

test('a question of a branch that was not taken was not asked, though it moves to a section that was', async () => {
  const kind = [{ type: 'SHORT_TEXT' as const }];
  const form = await branchedForm({ person: alice, slug: cast.slug }, { first: kind, yes: kind, no: kind });
  const [first = '', , no = ''] = form.sectionIds;
  await submitSome({ ...form, q: form.asked }, 2);
  await move(no, form.no[0] ?? '', first);
  expect(await askedCounts(form, form.no[0] ?? '')).toEqual(everywhere(0));
  expect(await askedCounts(form, form.yes[0] ?? '')).toEqual(everywhere(2));
});

test('an edit leaves what else was asked, and a cancellation takes it back', async () => {
  const survey = await newSurvey();
  const [edited = '', cancelled = '', kept = ''] = await submitSome(survey, 3);
  const version = await newestVersion(survey);
  await remove(survey.first, survey.u);
  await save(dave, edited, [text(survey.v, 'now')]);
  await save(dave, kept, [text(survey.q, 'yes')]);
  await cancel(dave, cancelled);
  await submit(dave, cancelled);
  await restore(survey, version);
  expect(await askedCounts(survey, survey.u)).toEqual(everywhere(2));
  expect(await askedCounts(survey, survey.v)).toEqual(everywhere(3));
});

test('a response that was stored without what it left unanswered counts by its path and the time of its submission', async () => {
  const survey = await newSurvey();
  const at = new Date().toISOString();
  await store([submissionOf(survey, dave.id, at, { [survey.q]: { type: 'SHORT_TEXT', value: 'yes' } })]);
  pass(1);
  await alice.client.questions.createQuestion({
    params: { sectionId: survey.first },
    body: question({ type: 'SHORT_TEXT', title: 'Later' }),
  });
  const later = (await readQuestions(alice, survey.formId)).find(({ title }) => title === 'Later')?.id ?? '';
  expect(await askedCounts(survey, survey.q)).toEqual(everywhere(1));
  expect(await askedCounts(survey, survey.u)).toEqual(everywhere(1));
  expect(await askedCounts(survey, later)).toEqual(everywhere(0));
});

test('a question whose file an administrator deletes was asked', async () => {
  const form = await formForFiles(alice, cast.slug, 1);
  const responseId = await start(dave, form.formId);
  const [fileId = ''] = await uploaded(dave, { responseId, questionId: form.questionId }, 'a.txt');
  await submit(dave, responseId);
  expect((await requestAs(alice, 'DELETE', `/api/files/${fileId}`)).status).toBe(204);
  expect(await askedCounts(form, form.questionId)).toEqual(everywhere(1));
});
