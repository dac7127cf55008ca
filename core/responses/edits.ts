/**
 * Changes of a response: pure functions of the response, the form's structure and the time. Each is all or nothing,
 * reports all faults at once, and returns the same response when nothing changes. `service.ts` decides whether a change
 * is allowed; `completion.ts` decides whether a response can be submitted.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Fault, problems } from '#core/problems/problems.ts';
import {
  type AnswerLookup,
  canBeAnswered,
  decidingQuestions,
  displayOrder,
  offeredChoices,
  type Path,
  walk,
} from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import {
  findQuestion,
  MAX_QUESTIONS,
  type PlacedQuestion,
  type Structure,
  sectionTitle,
  sourceChain,
} from '#core/structure/structure.ts';
import { type AnswerContent, attachedFiles, isIds } from '#core/structure/types/content.ts';
import { namesSameFiles } from '#core/structure/types/upload-file.ts';
import { checkAnswer, hasText, isEmptyValue, repeatsAnswer, sameContent, storedFaults } from './answers.ts';
import type { Answer, AnswerInput, Response } from './model.ts';

type Answers = Readonly<Record<string, Answer>>;

/** A response with the structure of its form. */
export type Current = { response: Response; structure: Structure };

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

/** Looks up the answers of a response by question id. */
export const answerLookup =
  (answers: Answers) =>
  (questionId: string): Answer | undefined =>
    Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

/** Looks up the answers to questions on the path of these answers; other answers are kept but not used. */
function answerLookupOnPath(structure: Structure, answers: Answers): (questionId: string) => Answer | undefined {
  const answerTo = answerLookup(answers);
  let onPath: ReadonlyMap<string, Question> | undefined;
  return (questionId) => {
    onPath ??= indexQuestions(structure, walk(structure, answerTo).sections);
    return onPath.has(questionId) ? answerTo(questionId) : undefined;
  };
}

/** Indexes the questions of some sections by their id. */
export const indexQuestions = (structure: Structure, sectionIds: readonly string[]): ReadonlyMap<string, Question> =>
  new Map(
    structure.sections
      .filter((section) => sectionIds.includes(section.id))
      .flatMap((section) => section.questions.map((question) => [question.id, question])),
  );

/** A fault of an input; `index`: its place among the inputs. */
type InputFault = Fault & { index: number };

/**
 * Saves answers. `mayNameFiles`: an UPLOAD_FILE answer may list the attached files, as submit allows. Throws 400 with a
 * fault for each answer that is not valid for its question, or is off the path once all answers of the request are
 * applied. A submitted response accepts answers that change nothing, although the form may have changed since.
 */
export function saveAnswers(
  current: Current,
  inputs: readonly AnswerInput[],
  now: string,
  { mayNameFiles = false }: { mayNameFiles?: boolean } = {},
): Response {
  const { response, faults } = tryAnswers(current, inputs, now, mayNameFiles);
  if (faults.length > 0) throw problems.invalid(faults.map(({ pointer, detail }) => ({ pointer, detail })));
  return response;
}

/** Saves the answers that are valid without the others, whose question ids it returns. */
export function saveValidAnswers(current: Current, inputs: readonly AnswerInput[], now: string) {
  const { response, faults } = tryAnswers(current, inputs, now, false);
  return { response, invalid: new Set(faults.map(({ index }) => inputs[index]?.questionId ?? '')) };
}

/** Applies the inputs that are valid and on the path that follows from them, and finds the faults of the others. */
function tryAnswers(
  { response, structure }: Current,
  inputs: readonly AnswerInput[],
  now: string,
  mayNameFiles: boolean,
): { response: Response; faults: InputFault[] } {
  if (response.progress === 'SUBMITTED' && changesNothing({ response, structure }, inputs, mayNameFiles))
    return { response, faults: [] };
  const faults: InputFault[] = [];
  const placed = placeInputs(structure, inputs, faults);
  const answers: Record<string, Answer> = { ...response.answers };
  for (const { question, input, index } of sourcesFirst(structure, placed)) {
    const before = answerLookup(answers)(question.id);
    if (mayNameFiles && input.questionType === 'UPLOAD_FILE' && namesSameFiles(input.value, attachedFiles(before)))
      continue;
    const checked = checkAnswer(question, input, {
      offered: offeredChoices(structure, answerLookupOnPath(structure, answers), question.id),
      isAnswered: before !== undefined,
    });
    if (checked.kind === 'faults') {
      faults.push(...checked.faults.map(({ at, detail }) => inputFault(index, at, detail)));
    } else if (checked.kind === 'clear') delete answers[question.id];
    else if (checked.kind === 'answer') answers[question.id] = withTimes(checked.content, before, now);
  }
  const skipped = skippedFaults(structure, answers, placed);
  // Taking back an answer off the path does not change the path.
  for (const { index } of skipped) restoreAnswer(answers, response.answers, inputs[index]?.questionId ?? '');
  faults.push(...skipped);
  const next = withOtherTexts(structure, response.answers, answers);
  const isUnchanged = isSame(response.answers, next);
  return { response: isUnchanged ? response : { ...response, answers: next, updatedAt: now }, faults };
}

/** Takes back a change of an answer. */
function restoreAnswer(answers: Record<string, Answer>, before: Answers, questionId: string): void {
  const answer = answerLookup(before)(questionId);
  if (answer) answers[questionId] = answer;
  else delete answers[questionId];
}

/** `at`: the place within the input, as a JSON pointer. */
const inputFault = (index: number, at: string, detail: string): InputFault => ({
  index,
  pointer: `/body/answers/${index}${at}`,
  detail,
});

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
    if (stored) return repeatsAnswer(input, stored) && (mayNameFiles || questionType !== 'UPLOAD_FILE');
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
    const fault = (detail: string) => faults.push(inputFault(index, '/questionId', detail));
    if (!placedQuestion) fault('is not a question of this form');
    else if (seen.has(input.questionId)) fault('is answered twice in this request');
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
  const rank = ({ section, question }: Placed): number =>
    (order.get(section.id) ?? 0) * MAX_QUESTIONS + sourceChain(structure, question.id).length;
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

/** Finds the faults of inputs off the path; an input that clears an answer is always allowed. */
function skippedFaults(structure: Structure, answers: Answers, placed: readonly Placed[]): InputFault[] {
  if (placed.length === 0) return [];
  const reached = new Set(walk(structure, answerLookup(answers)).sections);
  return placed.flatMap(({ section, input, index }) =>
    reached.has(section.id) || isEmptyValue(input.value)
      ? []
      : [inputFault(index, '', skippedDetail(structure, section.id))],
  );
}

const skippedDetail = (structure: Structure, sectionId: string): string =>
  `SKIPPED: the section "${sectionTitle(structure, sectionId)}" is not on the path of this response, given its answers`;

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
  const answers = { ...response.answers, [questionId]: answer };
  const section = findQuestion(structure, questionId)?.section;
  if (!section || !walk(structure, answerLookup(answers)).sections.includes(section.id)) {
    const detail = section ? skippedDetail(structure, section.id) : 'is no longer a question of this form';
    throw problems.invalid([{ pointer: '/path/questionId', detail }]);
  }
  return { ...response, answers, updatedAt: now };
}

/** Removes the answer to a question. */
export function clearAnswer({ response, structure }: Current, questionId: string, now: string): Response {
  if (!answerLookup(response.answers)(questionId)) return response;
  const { [questionId]: _cleared, ...answers } = response.answers;
  return { ...response, answers: withOtherTexts(structure, response.answers, answers), updatedAt: now };
}

/** Removes a file from its answer; without remaining files, the answer is removed too. */
export function removeFile(response: Response, fileId: string, now: string): Response {
  for (const [questionId, answer] of Object.entries(response.answers)) {
    const files = attachedFiles(answer);
    const remaining = files.filter((file) => file.fileId !== fileId);
    if (remaining.length === files.length) continue;
    if (remaining.length === 0) {
      const { [questionId]: _cleared, ...answers } = response.answers;
      return { ...response, answers, updatedAt: now };
    }
    const answers = { ...response.answers, [questionId]: { ...answer, value: remaining, updatedAt: now } };
    return { ...response, answers, updatedAt: now };
  }
  return response;
}

/**
 * Saves answers and submits the response. Repeating the answers of a submitted response returns it unchanged, without
 * validation, because the form may have changed since.
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
  const { path: _path, structureVersion: _version, ...rest } = response;
  return { ...rest, progress: 'DRAFT', submittedAt: null, listedAt: now, updatedAt: now };
}

// Whether a response can be submitted, and which questions its respondent has to answer for that. Pure; submit, the
// progress of sections and the pages of respondents use the same rules.

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
 * Returns a submitted response with the path of its answers and the version of the structure. Throws 400 with one fault per question unless END is reached,
 * every required question on the path is answered, and every answer on the path is valid for the current question.
 */
export function requireComplete({ response, structure }: Current): Response {
  const path = walk(structure, answerLookup(response.answers));
  const missing = findMissing({ response, structure }, path);
  if (missing.length === 0) return { ...response, path: path.sections, structureVersion: structure.version };
  throw problems.responseIncomplete(
    missing.map(({ questionId, detail }) => ({
      pointer: questionId === null ? '/workflow' : `/answers/${questionId}`,
      detail,
    })),
    missing.flatMap(({ questionId }) => questionId ?? []),
  );
}

/** What keeps a response from being submitted: a question, or for null the form itself. */
export type Missing = { questionId: string | null; detail: string };

/** Finds what keeps a response from being submitted, one entry per question, in the order of the path. */
export function findMissing(
  { response, structure }: Current,
  path: Path = walk(structure, answerLookup(response.answers)),
): Missing[] {
  const answerTo = answerLookup(response.answers);
  const reached = indexQuestions(structure, path.sections);
  const answerOnPath: AnswerLookup = (questionId) => (reached.has(questionId) ? answerTo(questionId) : undefined);
  const missing = [...reached.values()].flatMap((question): Missing[] => {
    const questionId = question.id;
    const answer = answerTo(questionId);
    if (!answer) {
      return isRequired(structure, answerOnPath, question)
        ? [{ questionId, detail: `"${question.title}" is required` }]
        : [];
    }
    const [fault] = storedFaults(question, answer, offeredChoices(structure, answerOnPath, questionId));
    return fault === undefined ? [] : [{ questionId, detail: `"${question.title}": the answer ${fault.detail}` }];
  });
  if (path.complete) return missing;
  const unfinished = findUnfinished(path, structure);
  return missing.some(({ questionId }) => questionId === unfinished.questionId) ? missing : [...missing, unfinished];
}

/** Finds why a path ends before END: it waits for the answer to a question, or the workflow has a gap. */
function findUnfinished(path: Path, structure: Structure): Missing {
  const question = path.waitsFor === undefined ? undefined : findQuestion(structure, path.waitsFor)?.question;
  if (!question) {
    const detail = 'the path of this response does not reach the end of the form: an editor must repair the workflow';
    return { questionId: null, detail };
  }
  const detail = `"${question.title}" must be answered, because the path through the form depends on it`;
  return { questionId: question.id, detail };
}
