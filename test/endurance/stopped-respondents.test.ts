/**
 * Whoever could submit a response before changes were published is stopped afterwards only at what was listed: any forms
 * that branch, any edits of them, and any respondents.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countedAnswers, findMissing } from '#core/responses/answers.ts';
import { newResponse, saveValidAnswers } from '#core/responses/edits.ts';
import type { AnswerInput, Response } from '#core/responses/model.ts';
import type { Difference } from '#core/structure/changes-model.ts';
import { listDifferences } from '#core/structure/differences.ts';
import { listEffects } from '#core/structure/effects.ts';
import { offeredChoices, walk } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import { anyEdits, anyPublished, applied, type Edit } from '#test/core/structure-edits.ts';
import { id, NOW } from '#test/support/workflow.ts';

/** A choice between 0 and 1, in an order that the property draws. */
type Draw = () => number;
const from = (values: readonly number[]): Draw => {
  let index = 0;
  return () => values[index++ % values.length] ?? 0;
};

/** An answer that the form offers, drawn; undefined where there are no choices to select. */
function inputTo(current: { response: Response; structure: Structure }, at: Question, draw: Draw) {
  const { id: questionId, type: questionType } = at;
  const offered = offeredChoices(current.structure, countedAnswers(current), questionId);
  if (!isChoiceType(questionType)) return { questionId, questionType, value: draw() ? 'a' : 'b' };
  const chosen = offered[draw() % Math.max(offered.length, 1)];
  return { questionId, questionType, value: chosen ? [chosen.id] : [] };
}

/** Answers what stops a response until nothing does; `onFault` is told of each question. */
function completed(
  structure: Structure,
  response: Response,
  draw: Draw,
  onFault: (questionId: string) => void = () => {},
): Response {
  let current = { response, structure };
  for (let round = 0; round < 30; round += 1) {
    const [missing] = findMissing(current);
    if (!missing) return current.response;
    onFault(missing.question?.id ?? 'workflow');
    const found = findQuestion(structure, missing.question?.id ?? '')?.question;
    if (!found) throw new Error('the end cannot be reached');
    const inputs = [inputTo(current, found, draw)] as AnswerInput[];
    current = { ...current, response: saveValidAnswers(current, inputs, NOW).response };
  }
  throw new Error('a response cannot be completed');
}

/** A response that can be submitted, with answers to optional questions, on its path and off it. */
function begun(structure: Structure, draw: Draw): Response {
  let current = { response: newResponse(id('r'), structure.formId, id('user'), NOW), structure };
  for (let times = 0; times < 2; times += 1) {
    for (const one of structure.sections.flatMap(({ questions }) => questions)) {
      if (draw()) continue;
      const inputs = [inputTo(current, one, draw)] as AnswerInput[];
      current = { ...current, response: saveValidAnswers(current, inputs, NOW).response };
    }
    current = { ...current, response: completed(structure, current.response, draw) };
  }
  return current.response;
}

const listed = (before: Structure, after: Structure, ids: ReadonlySet<string>): Difference[] => {
  const stored = { structure: before, answered: { ids, revision: 1 } };
  return [...listDifferences(stored, after), ...listEffects(stored, after)];
};
const namedBy = (differences: readonly Difference[]) =>
  differences.flatMap(({ questionId, nodeId, kind }) => questionId ?? (kind === 'mayBeSkipped' ? (nodeId ?? []) : []));

const anyDraws = fc.array(fc.nat(1), { minLength: 30, maxLength: 30 });
type Publication = { edits: Edit[]; most: number; restores: number | null; submits: boolean };
const anyPublication = fc.record<Publication>({
  edits: anyEdits,
  most: fc.integer({ min: 1, max: 2 }),
  /** The version that is restored instead. */
  restores: fc.option(fc.nat(2), { freq: 6 }),
  submits: fc.integer({ min: 0, max: 3 }).map((each) => each > 0),
});

/** How often somebody was stopped; how many questions there were at the publications, and how many of them were listed. */
type Tally = { stops: number; questions: number; named: number };

/** Publishes one after the other while somebody has begun a response; fails where they are stopped at what is not listed. */
function publishAll(first: Structure, publications: readonly Publication[], draw: Draw, tally: Tally): void {
  const versions = [first];
  let response = begun(first, draw);
  const answered = new Set(Object.keys(response.answers));
  let named: string[] = [];
  let isCompleted = true;
  for (const [index, { edits, most, restores, submits }] of publications.entries()) {
    const live = versions.at(-1) ?? first;
    const next = versions[restores ?? -1] ?? applied(live, edits, most, `${'bcdef'[index]}`);
    versions.push(next);
    const here = namedBy(listed(live, next, answered));
    named = [...named, ...here];
    tally.questions += next.sections.flatMap(({ questions }) => questions).length;
    tally.named += new Set(here).size;
    const isStopped = (questionId: string, excuses: readonly string[] = []): void => {
      tally.stops += 1;
      expect(named.filter((each) => each === questionId || excuses.includes(each))).not.toEqual([]);
    };
    if (!submits) {
      isCompleted = false;
      continue;
    }
    // A page that was opened before is posted: an answer with which the response could have been submitted.
    const [shown] = live.sections.flatMap(({ questions }) => questions).toSpliced(0, draw() + 2 * draw());
    if (isCompleted && shown) {
      const inputs = [inputTo({ response, structure: live }, shown, draw)] as AnswerInput[];
      const before = saveValidAnswers({ response, structure: live }, inputs, NOW);
      if (
        before.faultsByQuestion.size === 0 &&
        findMissing({ response: before.response, structure: live }).length === 0
      ) {
        const after = saveValidAnswers({ response, structure: next }, inputs, NOW);
        // What is behind a question without an answer comes back when that is answered.
        const { waitsFor = '' } = walk(next, (each) => before.response.answers[each]);
        for (const questionId of after.faultsByQuestion.keys()) {
          isStopped(questionId, [findQuestion(next, questionId)?.section.id ?? '', waitsFor]);
        }
        response = after.response;
      }
    }
    response = completed(next, response, draw, (questionId) => isStopped(questionId));
    for (const questionId of Object.keys(response.answers)) answered.add(questionId);
    named = [];
    isCompleted = true;
  }
}

test('any respondent is stopped only at what the changes were listed with', () => {
  const tally = { stops: 0, questions: 0, named: 0 };
  fc.assert(
    fc.property(anyPublished, fc.array(anyPublication, { minLength: 1, maxLength: 3 }), anyDraws, (...drawn) => {
      const [first, publications, draws] = drawn;
      publishAll(first, publications, from(draws), tally);
    }),
    { numRuns: 500 },
  );
  // It is no proof if nobody is stopped, or if everything is listed.
  expect(tally.stops).toBeGreaterThan(50);
  expect(tally.named).toBeLessThan(tally.questions / 2);
});
