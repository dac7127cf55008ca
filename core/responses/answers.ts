/**
 * Validates answers: one answer, of which it returns what is stored, and all of a response, which must be complete to be
 * submitted. Pure. The types check their values; here is what is common to all of them. `edits.ts` applies the result.
 */

import { isDeepStrictEqual } from 'node:util';
import { type AnswerFault, fault, refuse } from '#core/problems/answer-faults.ts';
import { problems } from '#core/problems/problems.ts';
import { countCharacters, shortName } from '#core/schema/schema.ts';
import { isLine, isVisible } from '#core/schema/text.ts';
import { type AnswerLookup, canBeAnswered, offeredChoices, type Path, walk } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findPlacement, type Structure, sectionAt } from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { type AnswerContent, isIds, type SentValue } from '#core/structure/types/content.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import type { CheckedValue } from '#core/structure/types/type.ts';
import { judgeAnswer, TYPES } from '#core/structure/types/types.ts';
import { type Answer, type AnswerInput, MAX_OTHER_TEXT, type Response } from './model.ts';

/** The result of a check: content to store, clear the answer, no change, or faults. */
export type CheckedAnswer = CheckedValue | { kind: 'clear' } | { kind: 'unchanged' };

/**
 * Whether a value clears an answer: null, an empty list, or a text without a visible character. A text with U+0000 is
 * not empty but a fault.
 */
export function isEmptyValue(value: SentValue): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return !isVisible(value) && !value.includes('\0');
  return typeof value === 'object' && (Array.isArray(value) ? value : value.files).length === 0;
}

/**
 * Checks an answer against its question. `offered` are the choices that this respondent may select. Empty values clear
 * an answer. UPLOAD_FILE and OAUTH_CONNECT answers are only written by uploads and callbacks: an empty value is ignored
 * while there is no answer, anything else is a fault.
 */
export function checkAnswer(
  question: Question,
  input: AnswerInput,
  { offered, isAnswered }: { offered: readonly Choice[]; isAnswered: boolean },
): CheckedAnswer {
  if (input.questionType !== question.type) {
    return refuse('/questionType', 'other_question_type', question.type);
  }
  const { value } = input;
  if (value === null || isEmptyValue(value)) {
    if (!isSetByService(question.type)) return hasText(input.otherText) ? misplacedOtherText : { kind: 'clear' };
    if (!isAnswered) return { kind: 'unchanged' };
    return refuse('/value', 'set');
  }
  return withOtherText(TYPES[question.type].check(question, value, offered), input, offered);
}

/** Whether a text for the other choice has a visible character. */
export const hasText = (text: string | null | undefined): text is string => isVisible(text ?? '');
const misplacedOtherText = refuse('/otherText', 'other_text_misplaced');

/** Replaces the name of the other choice by `otherText`; a fault if that choice is not selected or the text not valid. */
function withOtherText(checked: CheckedValue, input: AnswerInput, offered: readonly Choice[]): CheckedValue {
  const { value, otherText } = input;
  if (!hasText(otherText)) return checked;
  if (!isLine(otherText)) return refuse('/otherText', 'not_line');
  if (countCharacters(otherText) > MAX_OTHER_TEXT) return refuse('/otherText', 'too_long', MAX_OTHER_TEXT);
  const selected = isIds(value) ? value : [];
  const other = offered.find((choice) => choice.isOther && selected.includes(choice.id));
  if (!other) {
    if (checked.kind !== 'faults') return misplacedOtherText;
    return { kind: 'faults', faults: [...checked.faults, ...misplacedOtherText.faults] };
  }
  if (checked.kind !== 'answer') return checked;
  const names = (checked.content.names ?? []).map((name, index) => (selected[index] === other.id ? otherText : name));
  return { kind: 'answer', content: { ...checked.content, names, otherText } };
}

/** Lists why a stored answer is no longer valid for its question; empty when it still is. */
export function storedFaults(question: Question, answer: AnswerContent, offered: readonly Choice[]): AnswerFault[] {
  const { type, value, otherText } = answer;
  if (type !== question.type) return [fault('', 'other_answer_type', type)];
  const faults = TYPES[type].storedFaults?.(question, answer);
  if (faults || (typeof value === 'object' && !isIds(value))) return faults ?? [];
  const input = { questionId: question.id, questionType: type, value, otherText };
  const checked = checkAnswer(question, input, { offered, isAnswered: true });
  if (checked.kind === 'faults') return checked.faults;
  return lacksOtherText(question, answer) ? [fault('/otherText', 'other_text_required')] : [];
}

/** Whether an answer selects an other choice without a name and has no text for it. */
export function lacksOtherText(
  { choices = [] }: { choices?: readonly Choice[] | undefined },
  { value, otherText }: { value: AnswerContent['value']; otherText?: string | undefined },
): boolean {
  const unnamed = choices.find(({ isOther, name }) => isOther && !isVisible(name));
  return unnamed !== undefined && isIds(value) && value.includes(unnamed.id) && !hasText(otherText);
}

/**
 * Whether two answers have the same value. Names and display are ignored, so that saving the same selection after a
 * choice was renamed is not a change.
 */
export const sameContent = (a: AnswerContent, b: AnswerContent): boolean =>
  a.type === b.type && a.otherText === b.otherText && isDeepStrictEqual(a.value, b.value);

/**
 * Whether an input repeats the stored answer, whatever its question is now; an empty value repeats a missing answer.
 */
export function repeatsAnswer(input: AnswerInput, stored: AnswerContent | undefined): boolean {
  const { value, questionType } = input;
  if (!stored || isEmptyValue(value)) return !stored && isEmptyValue(value);
  const otherText = hasText(input.otherText) ? input.otherText : undefined;
  if (questionType !== stored.type || otherText !== stored.otherText) return false;
  return TYPES[stored.type].repeats?.(value, stored) ?? isDeepStrictEqual(value, stored.value);
}

// The answers of a response, and the path that they decide.

/** By question id; never changed, so that their path is found once. */
export type Answers = Readonly<Record<string, Answer>>;

/** A response with the structure of its form. */
export type Current = { response: Response; structure: Structure };

/** Looks up the answers of a response by question id. */
export const answerLookup =
  (answers: Answers) =>
  (questionId: string): Answer | undefined =>
    Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

/** The path of answers, with the questions of its sections by id. */
type FollowedPath = Path & { questions: ReadonlyMap<string, Question> };

const followed = new WeakMap<Answers, { kept: Response['path']; structure: Structure; path: FollowedPath }>();

/**
 * Finds the path of a response with its questions, once for each state of its answers: the one that a submitted response keeps, with
 * the questions that were there then, otherwise that of the answers.
 */
export function followPath({ response, structure }: Current): FollowedPath {
  const { answers, path: kept } = response;
  const known = followed.get(answers);
  if (known?.structure === structure && known.kept === kept) return known.path;
  const walked = kept ? { sections: [...kept], complete: true } : walk(structure, answerLookup(answers));
  const onPath = new Set(walked.sections);
  const questions = structure.sections
    .flatMap((section) => section.questions)
    .filter(({ id }) => onPath.has(findSectionOf({ response, structure }, id) ?? ''))
    .map((question) => [question.id, question] as const);
  const path = { ...walked, questions: new Map(questions) };
  followed.set(answers, { kept, structure, path });
  return path;
}

/** Finds the sections on the path of a response: the stored path if submitted, otherwise the path of its answers. */
export const findPath = ({ response, structure }: Current): readonly string[] =>
  response.path ?? followPath({ response, structure }).sections;

/**
 * Finds the id of the section in which a response has a question, current or removed: of a submitted response, where it was then; see
 * `sectionAt`.
 */
export function findSectionOf({ response, structure }: Current, questionId: string): string | undefined {
  const placement = findPlacement(structure, questionId);
  return placement && sectionAt(placement, response.structureVersion);
}

/** Looks up the answers of a response that count: those to questions, current or removed, in sections on its path. */
export function countedAnswers(current: Current): AnswerLookup<Answer> {
  const answerTo = answerLookup(current.response.answers);
  let path: ReadonlySet<string> | undefined;
  return (questionId) => {
    path ??= new Set(findPath(current));
    return path.has(findSectionOf(current, questionId) ?? '') ? answerTo(questionId) : undefined;
  };
}

/** Looks up the answers to questions on the path of these answers; other answers are kept but not used. */
export const answerLookupOnPath =
  (current: Current) =>
  (questionId: string): Answer | undefined =>
    followPath(current).questions.has(questionId) ? answerLookup(current.response.answers)(questionId) : undefined;

// Whether a response can be submitted, and which questions its respondent has to answer for that. Pure; submit, the
// progress of sections and the pages of respondents use the same rules.

/**
 * Whether a question on the path is required of this respondent: never if it is hidden, or has no choices to offer. `answerOnPath`
 * looks up the answers to questions on the path.
 */
export const isRequired = (structure: Structure, answerOnPath: AnswerLookup, question: Question): boolean =>
  question.required && !question.hidden && canBeAnswered(structure, answerOnPath, question);

/** Finds the ids of the questions on the path that must be answered before this response can be submitted, answered or not. */
export function demandedQuestions(current: Current): ReadonlySet<string> {
  const questions = [...followPath(current).questions.values()];
  const answerOnPath = answerLookupOnPath(current);
  return new Set(
    questions.filter((question) => isRequired(current.structure, answerOnPath, question)).map(({ id }) => id),
  );
}

/**
 * Returns a submitted response with the path of its answers, the version of the structure, and the questions on the path
 * without an answer; after an edit that keeps these, as it is. Throws 400 with one fault per question unless END is reached, every
 * required question on the path is answered, and every answer on the path is valid for the current question.
 */
export function requireComplete({ response, structure }: Current): Response {
  const missing = findMissing({ response, structure });
  if (missing.length === 0) {
    if (response.path) return response;
    const { sections, questions } = followPath({ response, structure });
    const unanswered = [...questions.keys()].filter((id) => !answerLookup(response.answers)(id)).map(shortName);
    return { ...response, path: [...sections], structureVersion: structure.version, unanswered };
  }
  throw problems.responseIncomplete(
    missing.map(({ question, fault: found }) =>
      question
        ? { pointer: `/answers/${question.id}`, detail: describeMissing(question, found) }
        : { pointer: '/workflow', detail: UNREACHABLE_END },
    ),
    new Map(missing.flatMap(({ question, fault: found }) => (question ? [[question.id, found]] : []))),
  );
}

/** What keeps a response from being submitted: the fault of a question, or for none a gap in the workflow. */
export type Missing = { question: Question; fault: AnswerFault } | { question?: undefined; fault?: undefined };

const UNREACHABLE_END =
  'the path of this response does not reach the end of the form: an editor must repair the workflow';

const describeMissing = ({ title }: Question, { code, detail }: AnswerFault): string =>
  code === 'required' ? `"${title}" ${detail}` : `"${title}": the answer ${detail}`;

/** Finds what keeps a response from being submitted, one entry per question, in the order of the path. */
export function findMissing(current: Current): Missing[] {
  const { structure } = current;
  const { questions, complete, waitsFor } = followPath(current);
  const answerOnPath = answerLookupOnPath(current);
  const missing = [...questions.values()].flatMap((question): Missing[] => {
    // Nobody could correct it.
    if (question.hidden) return [];
    const answer = answerOnPath(question.id);
    if (!answer)
      return isRequired(structure, answerOnPath, question) ? [{ question, fault: fault('', 'required') }] : [];
    const offered = offeredChoices(structure, answerOnPath, question.id);
    const [found] = [...storedFaults(question, answer, offered), ...judgeAnswer(question, answer, offered)];
    return found === undefined ? [] : [{ question, fault: found }];
  });
  return complete || missing.some(({ question }) => question?.id === waitsFor) ? missing : [...missing, {}];
}
