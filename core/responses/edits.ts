/**
 * Changes of a response: pure functions of the response, the form's structure and the time. Each is all or nothing,
 * reports all faults at once, and returns the same response when nothing changes. `change.ts` decides whether a change
 * is allowed; `answers.ts` decides whether a response can be submitted.
 */

import { isDeepStrictEqual } from 'node:util';
import { type AnswerFault, fault } from '#core/problems/answer-faults.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import { shortName } from '#core/schema/schema.ts';
import { type AnswerLookup, displayOrder, offeredChoices, walk } from '#core/structure/path.ts';
import {
  findQuestion,
  type PlacedQuestion,
  type Structure,
  sectionTitle,
  sourceChain,
} from '#core/structure/structure.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { type AnswerContent, isIds } from '#core/structure/types/content.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { TYPES } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import {
  type Answers,
  answerLookup,
  type Current,
  checkAnswer,
  countedAnswers,
  followPath,
  hasText,
  isEmptyValue,
  repeatsAnswer,
  sameContent,
} from './answers.ts';
import type { Answer, AnswerInput, Response } from './model.ts';

/** Creates a draft without answers. */
export const newResponse = (id: string, formId: string, userId: string, now: string): Response => ({
  id,
  formId,
  userId,
  progress: 'DRAFT',
  version: 1,
  answers: {},
  createdAt: now,
  updatedAt: now,
  listedAt: now,
  submittedAt: null,
});

/** A fault of an input; `index`: its place among the inputs. */
type InputFault = { index: number; fault: AnswerFault };

/**
 * Saves answers. `mayNameFiles`: an UPLOAD_FILE answer may list the attached files, as submit allows. `isStart`: the response
 * is being started, so that hidden questions can be answered. Throws 400 with a
 * fault for each answer that is not valid for its question, or is off the path once all answers of the request are
 * applied. A submitted response accepts answers that change nothing, although the form may have changed since.
 */
export function saveAnswers(
  current: Current,
  inputs: readonly AnswerInput[],
  now: string,
  options: SaveOptions = {},
): Response {
  const { response, faults } = tryAnswers(current, inputs, now, options);
  if (faults.length === 0) return response;
  throw problems.invalid(
    faults.map(({ index, fault: { at, detail } }) => ({ pointer: `/body/answers/${index}${at}`, detail })),
  );
}

type SaveOptions = { mayNameFiles?: boolean; isStart?: boolean };

/** Saves the answers that are valid without the others, whose first faults it returns by question. */
export function saveValidAnswers(
  current: Current,
  inputs: readonly AnswerInput[],
  now: string,
  options: Pick<SaveOptions, 'isStart'> = {},
): { response: Response; faultsByQuestion: ReadonlyMap<string, AnswerFault> } {
  const { response, faults } = tryAnswers(current, inputs, now, options);
  const byQuestion = faults.map((found) => [inputs[found.index]?.questionId ?? '', found.fault] as const);
  return { response, faultsByQuestion: new Map(byQuestion.reverse()) };
}

/** Applies the inputs that are valid and on the path that follows from them, and finds the faults of the others. */
function tryAnswers(
  { response, structure }: Current,
  inputs: readonly AnswerInput[],
  now: string,
  { mayNameFiles = false, isStart = false }: SaveOptions,
): { response: Response; faults: InputFault[] } {
  if (response.progress === 'SUBMITTED' && changesNothing({ response, structure }, inputs, mayNameFiles))
    return { response, faults: [] };
  const faults: InputFault[] = [];
  const placed = placeInputs(structure, inputs, faults);
  const answers: Record<string, Answer> = { ...response.answers };
  let reached: { by: string; questions: ReadonlyMap<string, unknown> } | undefined;
  const findReached = (): ReadonlyMap<string, unknown> => {
    const next = withAnswers({ response, structure }, { ...answers }, now);
    return followPath({ response: next, structure }).questions;
  };
  const listOffered = ({ section, question: { id, choices = [], sourceId } }: Placed): readonly Choice[] => {
    if (sourceId === undefined) return choices;
    // The answers still change, but those to a section do not change which sections come before it.
    if (reached?.by !== section.id) reached = { by: section.id, questions: findReached() };
    const { questions } = reached;
    return offeredChoices(structure, (other) => (questions.has(other) ? answerLookup(answers)(other) : undefined), id);
  };
  for (const place of sourcesFirst(structure, placed)) {
    const { question, input, index } = place;
    const before = answerLookup(answers)(question.id);
    if (mayNameFiles && before && namesStored(input, before)) continue;
    if (question.hidden && !isStart) {
      if (!repeatsAnswer(input, before)) faults.push({ index, fault: fault('/value', 'hidden') });
      continue;
    }
    const checked = checkAnswer(question, input, {
      offered: listOffered(place),
      isAnswered: before !== undefined,
    });
    if (checked.kind === 'faults') {
      faults.push(...checked.faults.map((found) => ({ index, fault: found })));
    } else if (checked.kind === 'clear') delete answers[question.id];
    else if (checked.kind === 'answer') answers[question.id] = withTimes(checked.content, before, now);
  }
  const skipped = placed.length === 0 ? [] : skippedFaults(structure, findReached(), placed);
  // Taking back an answer off the path does not change the path.
  for (const { index } of skipped) restoreAnswer(answers, response.answers, inputs[index]?.questionId ?? '');
  faults.push(...skipped);
  const next = withOtherTexts(structure, response.answers, answers);
  const isUnchanged = isSame(response.answers, next);
  return { response: isUnchanged ? response : withAnswers({ response, structure }, next, now), faults };
}

/** Whether an input names what the service has stored as the answer, such as the attached files. */
const namesStored = ({ questionType, value }: AnswerInput, stored: Answer): boolean =>
  questionType === stored.type && isSetByService(questionType) && TYPES[questionType].repeats?.(value, stored) === true;

/** Takes back a change of an answer. */
function restoreAnswer(answers: Record<string, Answer>, before: Answers, questionId: string): void {
  const answer = answerLookup(before)(questionId);
  if (answer) answers[questionId] = answer;
  else delete answers[questionId];
}

/**
 * Whether inputs to questions of the form change nothing: each repeats a stored answer, whatever its question is now, or
 * is empty for a question without an answer.
 */
function changesNothing({ response, structure }: Current, inputs: readonly AnswerInput[], mayNameFiles: boolean) {
  const answerTo = answerLookup(response.answers);
  const repeats = (input: AnswerInput): boolean => {
    const { questionId, questionType, value, otherText } = input;
    const stored = answerTo(questionId);
    const question = findQuestion(structure, questionId)?.question;
    if (!question) return false;
    if (stored) return repeatsAnswer(input, stored) && (mayNameFiles || !isSetByService(questionType));
    return question.type === questionType && isEmptyValue(value) && !hasText(otherText);
  };
  return new Set(inputs.map(({ questionId }) => questionId)).size === inputs.length && inputs.every(repeats);
}

/**
 * Updates answers after the texts of other choices have changed: the answers that took such a choice from its question
 * get the new text, or the choice's name when there is none any more. Their times stay, because they select the same.
 */
function withOtherTexts(structure: Structure, before: Answers, after: Answers): Answers {
  const changed = new Map<string, { questionId: string; name: string }>();
  for (const { id, choices } of structure.sections.flatMap(({ questions }) => questions)) {
    const other = choices?.find(({ isOther }) => isOther);
    const text = answerLookup(after)(id)?.otherText;
    if (other && text !== answerLookup(before)(id)?.otherText)
      changed.set(other.id, { questionId: id, name: text ?? other.name });
  }
  if (changed.size === 0) return after;
  const updatedEntries = Object.entries(after).map(([questionId, answer]): [string, Answer] => {
    const { value, names = [] } = answer;
    const nameAt = (index: number): string | undefined => {
      const change = isIds(value) ? changed.get(value[index] ?? '') : undefined;
      return change && change.questionId !== questionId ? change.name : undefined;
    };
    const next = names.map((name, index) => nameAt(index) ?? name);
    return [questionId, isDeepStrictEqual(next, names) ? answer : { ...answer, names: next }];
  });
  return Object.fromEntries(updatedEntries);
}

/** An input with its index in the request and its question. */
type Placed = PlacedQuestion & { input: AnswerInput; index: number };

/** Finds the questions of the inputs; an unknown question, or one that is answered twice, is a fault. */
function placeInputs(structure: Structure, inputs: readonly AnswerInput[], faults: InputFault[]): Placed[] {
  const seen = new Set<string>();
  return inputs.flatMap((input, index) => {
    const placedQuestion = findQuestion(structure, input.questionId);
    const refuseInput = (code: 'unknown_question' | 'answered_twice') =>
      faults.push({ index, fault: fault('/questionId', code) });
    if (!placedQuestion) refuseInput('unknown_question');
    else if (seen.has(input.questionId)) refuseInput('answered_twice');
    else {
      seen.add(input.questionId);
      return [{ ...placedQuestion, input, index }];
    }
    return [];
  });
}

/**
 * Sorts the inputs so that each comes after the inputs on which its choices depend: first those without a source, then
 * by section, because the path to a source depends on earlier sections only, then by the length of the source chain.
 */
function sourcesFirst(structure: Structure, placed: readonly Placed[]): Placed[] {
  const hasSource = ({ question }: Placed): boolean => question.sourceId !== undefined;
  const dependent = placed.filter(hasSource);
  if (dependent.length === 0) return [...placed];
  const order = new Map(displayOrder(structure).map((sectionId, index) => [sectionId, index]));
  const ranks = new Map(
    dependent.map(({ section, question }) => [
      question.id,
      (order.get(section.id) ?? 0) * MAX_QUESTIONS + sourceChain(structure, question.id).length,
    ]),
  );
  const rank = ({ question }: Placed): number => ranks.get(question.id) ?? 0;
  return [
    ...placed.filter((placedInput) => !hasSource(placedInput)),
    ...dependent.toSorted((a, b) => rank(a) - rank(b)),
  ];
}

/** Adds the times of an answer; `updatedAt` changes only with the value. */
function withTimes(content: AnswerContent, before: Answer | undefined, now: string): Answer {
  if (before && sameContent(before, content)) return before;
  return { ...content, createdAt: before?.createdAt ?? now, updatedAt: now };
}

/** Finds the faults of inputs off the path, whose questions are `reached`; an input that clears an answer is always allowed. */
const skippedFaults = (
  structure: Structure,
  reached: ReadonlyMap<string, unknown>,
  placed: readonly Placed[],
): InputFault[] =>
  placed.flatMap(({ section, question, input, index }) =>
    reached.has(question.id) || isEmptyValue(input.value)
      ? []
      : [{ index, fault: fault('', 'off_path', sectionTitle(structure, section.id)) }],
  );

/**
 * Returns a response with other answers. A submitted one keeps its path, so that a change of one answer hides no other, unless a
 * condition on the path of the answers reads one that has changed: then the path is found again.
 */
export function withAnswers(current: Current, answers: Answers, now: string): Response {
  const { response, structure } = current;
  const [before, after] = [answerLookup(response.answers), answerLookup(answers)];
  const isOther = (questionId: string): boolean => before(questionId) !== after(questionId);
  if (!response.path || !listReadByConditions(structure, before).some(isOther))
    return withKeptPath(current, answers, now);
  const { path: _path, structureVersion: _version, unanswered: _unanswered, ...rest } = response;
  return { ...rest, answers, updatedAt: now };
}

/** Lists the questions whose answers decide the path of answers. */
function listReadByConditions(structure: Structure, answerTo: AnswerLookup): string[] {
  const read = new Set<string>();
  walk(structure, (questionId) => {
    read.add(questionId);
    return answerTo(questionId);
  });
  return [...read];
}

/** Returns a response with other answers on the same path; when submitted, questions whose answers are gone were asked all the same. */
function withKeptPath(current: Current, answers: Answers, now: string): Response {
  const { response } = current;
  const next = { ...response, answers, updatedAt: now };
  if (!response.unanswered) return next;
  const counted = countedAnswers(current);
  const lost = Object.keys(response.answers).filter((id) => !Object.hasOwn(answers, id) && counted(id));
  const answered = new Set(Object.keys(answers).map(shortName));
  return {
    ...next,
    unanswered: [...response.unanswered.filter((name) => !answered.has(name)), ...lost.map(shortName)],
  };
}

/** Whether two sets of answers are equal; unchanged answers are the same objects. */
const isSame = (before: Answers, after: Answers): boolean =>
  Object.keys(before).length === Object.keys(after).length &&
  Object.keys(after).every((questionId) => before[questionId] === after[questionId]);

/** Sets an answer made by the service: attached files or a connected account. Throws 400 when it is off the path. */
export function setAnswer(
  { response, structure }: Current,
  questionId: string,
  content: AnswerContent,
  now: string,
): Response {
  const before = answerLookup(response.answers)(questionId);
  const answer = withTimes(content, before, now);
  if (answer === before) return response;
  const next = withAnswers({ response, structure }, { ...response.answers, [questionId]: answer }, now);
  if (followPath({ response: next, structure }).questions.has(questionId)) return next;
  const section = findQuestion(structure, questionId)?.section;
  const { detail } = section
    ? fault('', 'off_path', sectionTitle(structure, section.id))
    : fault('', 'removed_question');
  throw problems.invalid([{ pointer: '/path/questionId', detail }]);
}

/** Removes the answer to a question. */
export function clearAnswer({ response, structure }: Current, questionId: string, now: string): Response {
  if (!answerLookup(response.answers)(questionId)) return response;
  const { [questionId]: _cleared, ...answers } = response.answers;
  return withAnswers({ response, structure }, withOtherTexts(structure, response.answers, answers), now);
}

/**
 * Removes a file from its answer; without remaining files, the answer is removed too. `keepsPath`: whether a submitted response stays
 * on its path whatever a condition says.
 */
export function removeFile(current: Current, fileId: string, now: string, { keepsPath = false } = {}): Response {
  const change = keepsPath ? withKeptPath : withAnswers;
  const { answers } = current.response;
  for (const [questionId, answer] of Object.entries(answers)) {
    const files = attachedFiles(answer);
    const remaining = files.filter((file) => file.fileId !== fileId);
    if (remaining.length === files.length) continue;
    const { [questionId]: _removed, ...others } = answers;
    if (remaining.length === 0) return change(current, others, now);
    return change(current, { ...answers, [questionId]: { ...answer, value: remaining, updatedAt: now } }, now);
  }
  return current.response;
}

/**
 * Saves answers and submits the response. Repeating the answers of a submitted response returns it unchanged, without
 * validation, because the form may have changed since. Throws like `saveAnswers`.
 */
export function submitAnswers(current: Current, inputs: readonly AnswerInput[], now: string): Response {
  const { response } = current;
  const answerTo = answerLookup(response.answers);
  const isRepeated = inputs.every((input) => repeatsAnswer(input, answerTo(input.questionId)));
  if (response.progress === 'SUBMITTED' && isRepeated) return response;
  return submit(saveAnswers(current, inputs, now, { mayNameFiles: true }), now);
}

/** Submits a response; a submitted response is returned unchanged. */
export const submit = (response: Response, now: string): Response =>
  response.progress === 'SUBMITTED'
    ? response
    : { ...response, progress: 'SUBMITTED', submittedAt: now, listedAt: now, updatedAt: now };

/** Makes a submitted response a draft again. Throws 400 for a draft. */
export function cancel(response: Response, now: string): Response {
  if (response.progress !== 'SUBMITTED') throw problems.responseNotSubmitted();
  const { path: _path, structureVersion: _version, unanswered: _unanswered, ...rest } = response;
  return { ...rest, progress: 'DRAFT', submittedAt: null, listedAt: now, updatedAt: now };
}
