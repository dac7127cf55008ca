/**
 * Whether a response can be submitted, and which questions its respondent has to answer for that. Pure; submit, the
 * progress of sections and the pages of respondents use the same rules.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
import { type AnswerLookup, canBeAnswered, offeredChoices } from '#core/structure/offered-choices.ts';
import { decidingQuestions, type Path, walk } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { storedFaults } from './answers.ts';
import { answerLookup, type Current, indexQuestions } from './edits.ts';
import type { Response } from './model.ts';

/**
 * Whether a question on the path is required of this respondent: never if it has no choices to offer. `answerOnPath`
 * looks up the answers to questions on the path.
 */
export const isRequired = (structure: Structure, answerOnPath: AnswerLookup, question: Question): boolean =>
  question.required && canBeAnswered(structure, answerOnPath, question);

/**
 * Finds the ids of the questions that must be answered before this response can be submitted, answered or not: those on the
 * path that are required, and those on whose answer the path depends.
 */
export function demandedQuestions({ response, structure }: Current): ReadonlySet<string> {
  const answerTo = answerLookup(response.answers);
  const reached = indexQuestions(structure, walk(structure, answerTo).sections);
  const answerOnPath: AnswerLookup = (questionId) => (reached.has(questionId) ? answerTo(questionId) : undefined);
  const required = [...reached.values()].filter((question) => isRequired(structure, answerOnPath, question));
  return new Set([...required.map(({ id }) => id), ...decidingQuestions(structure, answerTo)]);
}

/**
 * Returns a submitted response with the path of its answers. Throws 400 with one fault per question unless END is reached,
 * every required question on the path is answered, and every answer on the path is valid for the current question.
 */
export function requireComplete({ response, structure }: Current): Response {
  const answerTo = answerLookup(response.answers);
  const path = walk(structure, answerTo);
  const reached = indexQuestions(structure, path.sections);
  const answerOnPath: AnswerLookup = (questionId) => (reached.has(questionId) ? answerTo(questionId) : undefined);
  const faults = [...reached.values()].flatMap((question): Fault[] => {
    const pointer = `/answers/${question.id}`;
    const answer = answerTo(question.id);
    if (!answer) {
      return isRequired(structure, answerOnPath, question)
        ? [{ pointer, detail: `"${question.title}" is required` }]
        : [];
    }
    const offered = offeredChoices(structure, answerOnPath, question.id);
    const [fault] = storedFaults(question, answer, offered);
    return fault === undefined ? [] : [{ pointer, detail: `"${question.title}": the answer ${fault}` }];
  });
  if (!path.complete) faults.push(...unfinishedFaults(path, structure, faults));
  if (faults.length > 0) throw problems.responseIncomplete(faults);
  return { ...response, path: path.sections };
}

/** The fault of a path that ends before END, unless the question that would continue it already has one. */
function unfinishedFaults(path: Path, structure: Structure, known: readonly Fault[]): Fault[] {
  const question = path.waitsFor === undefined ? undefined : findQuestion(structure, path.waitsFor)?.question;
  if (!question) {
    const detail = 'the path of this response does not reach the end of the form: an editor must repair the workflow';
    return [{ pointer: '/workflow', detail }];
  }
  const pointer = `/answers/${question.id}`;
  if (known.some((fault) => fault.pointer === pointer)) return [];
  return [{ pointer, detail: `"${question.title}" must be answered, because the path through the form depends on it` }];
}
