/**
 * Changes of a response: pure functions of the response, the form's structure and the time. Each is all or nothing,
 * reports all faults at once, and returns the same response when nothing changes. `service.ts` decides whether a change
 * is allowed; `completed` decides whether a response can be submitted.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
import { type AnswerContent, attachedFiles } from '#core/structure/answer-content.ts';
import { displayOrder, type Path, walk } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import {
  findQuestion,
  MAX_QUESTIONS,
  type PlacedQuestion,
  type Structure,
  sectionTitle,
  sourceChain,
} from '#core/structure/structure.ts';
import {
  checkAnswer,
  isEmptyValue,
  namesSameFiles,
  offeredChoices,
  repeatsAnswer,
  sameContent,
  storedFaults,
} from './answers.ts';
import type { Answer, AnswerInput, Response } from './model.ts';

type Answers = Readonly<Record<string, Answer>>;

/** A response with the structure of its form. */
export type Current = { response: Response; structure: Structure };

/** A new draft without answers. */
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
export const answersBy =
  (answers: Answers) =>
  (questionId: string): Answer | undefined =>
    Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

/** Looks up the answers to questions on the path of these answers; other answers are kept but not used. */
function answersOnPath(structure: Structure, answers: Answers): (questionId: string) => Answer | undefined {
  const answerTo = answersBy(answers);
  let onPath: ReadonlyMap<string, Question> | undefined;
  return (questionId) => {
    onPath ??= questionsOf(structure, walk(structure, answerTo).sections);
    return onPath.has(questionId) ? answerTo(questionId) : undefined;
  };
}

const questionsOf = (structure: Structure, sectionIds: readonly string[]): ReadonlyMap<string, Question> =>
  new Map(
    structure.sections
      .filter((section) => sectionIds.includes(section.id))
      .flatMap((section) => section.questions.map((question) => [question.id, question])),
  );

/**
 * Saves answers. `mayNameFiles`: an UPLOAD_FILE answer may list the attached files, as submit allows. Throws 400 with a
 * fault for each answer that is not valid for its question, or is off the path once all answers of the request are
 * applied.
 */
export function saveAnswers(
  { response, structure }: Current,
  inputs: readonly AnswerInput[],
  now: string,
  { mayNameFiles = false }: { mayNameFiles?: boolean } = {},
): Response {
  const faults: Fault[] = [];
  const placed = placeInputs(structure, inputs, faults);
  const answers: Record<string, Answer> = { ...response.answers };
  for (const { question, input, index } of sourcesFirst(structure, placed)) {
    const before = answersBy(answers)(question.id);
    if (mayNameFiles && input.questionType === 'UPLOAD_FILE' && namesSameFiles(input.value, attachedFiles(before)))
      continue;
    const checked = checkAnswer(question, input, {
      offered: offeredChoices(structure, answersOnPath(structure, answers), question.id),
      isAnswered: before !== undefined,
    });
    if (checked.kind === 'faults') {
      faults.push(...checked.faults.map(({ at, detail }) => ({ pointer: `/body/answers/${index}${at}`, detail })));
    } else if (checked.kind === 'clear') delete answers[question.id];
    else if (checked.kind === 'answer') answers[question.id] = withTimes(checked.content, before, now);
  }
  faults.push(...skippedFaults(structure, answers, placed));
  if (faults.length > 0) throw problems.invalid(faults);
  return isSame(response.answers, answers) ? response : { ...response, answers, updatedAt: now };
}

/** An input with its index in the request and its question. */
type Placed = PlacedQuestion & { input: AnswerInput; index: number };

/** The inputs with their questions; an unknown question, or one that is answered twice, is a fault. */
function placeInputs(structure: Structure, inputs: readonly AnswerInput[], faults: Fault[]): Placed[] {
  const seen = new Set<string>();
  return inputs.flatMap((input, index) => {
    const found = findQuestion(structure, input.questionId);
    const pointer = `/body/answers/${index}/questionId`;
    if (!found) faults.push({ pointer, detail: 'is not a question of this form' });
    else if (seen.has(input.questionId)) faults.push({ pointer, detail: 'is answered twice in this request' });
    else {
      seen.add(input.questionId);
      return [{ ...found, input, index }];
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
  return [...placed.filter((each) => !hasSource(each)), ...dependent.toSorted((a, b) => rank(a) - rank(b))];
}

/** An answer with its times; `updatedAt` changes only with the value. */
function withTimes(content: AnswerContent, before: Answer | undefined, now: string): Answer {
  if (before && sameContent(before, content)) return before;
  return { ...content, createdAt: before?.createdAt ?? now, updatedAt: now };
}

/** The faults of inputs off the path; an input that clears an answer is always allowed. */
function skippedFaults(structure: Structure, answers: Answers, placed: readonly Placed[]): Fault[] {
  if (placed.length === 0) return [];
  const reached = new Set(walk(structure, answersBy(answers)).sections);
  return placed.flatMap(({ section, input, index }) =>
    reached.has(section.id) || isEmptyValue(input.value)
      ? []
      : [{ pointer: `/body/answers/${index}`, detail: skippedDetail(structure, section.id) }],
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
  const before = answersBy(response.answers)(questionId);
  const answer = withTimes(content, before, now);
  if (answer === before) return response;
  const answers = { ...response.answers, [questionId]: answer };
  const section = findQuestion(structure, questionId)?.section;
  if (!section || !walk(structure, answersBy(answers)).sections.includes(section.id)) {
    const detail = section ? skippedDetail(structure, section.id) : 'is no longer a question of this form';
    throw problems.invalid([{ pointer: '/path/questionId', detail }]);
  }
  return { ...response, answers, updatedAt: now };
}

/** Removes the answer to a question. */
export function clearAnswer(response: Response, questionId: string, now: string): Response {
  if (!answersBy(response.answers)(questionId)) return response;
  const { [questionId]: _cleared, ...answers } = response.answers;
  return { ...response, answers, updatedAt: now };
}

/** Removes a file from its answer; without files left, the answer is removed too. */
export function removeFile(response: Response, fileId: string, now: string): Response {
  for (const [questionId, answer] of Object.entries(response.answers)) {
    const files = attachedFiles(answer);
    const kept = files.filter((file) => file.fileId !== fileId);
    if (kept.length === files.length) continue;
    if (kept.length === 0) return clearAnswer(response, questionId, now);
    const answers = { ...response.answers, [questionId]: { ...answer, value: kept, updatedAt: now } };
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
  const answerTo = answersBy(response.answers);
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
  const { path: _path, ...rest } = response;
  return { ...rest, progress: 'DRAFT', submittedAt: null, listedAt: now, updatedAt: now };
}

/**
 * A submitted response with the path of its answers. Throws 400 with one fault per question unless END is reached,
 * every required question on the path is answered, and every answer on the path is valid for the current question.
 */
export function completed({ response, structure }: Current): Response {
  const answerTo = answersBy(response.answers);
  const path = walk(structure, answerTo);
  const reached = questionsOf(structure, path.sections);
  const answerOnPath = (questionId: string) => (reached.has(questionId) ? answerTo(questionId) : undefined);
  const faults = [...reached.values()].flatMap((question): Fault[] => {
    const pointer = `/answers/${question.id}`;
    const answer = answerTo(question.id);
    if (!answer) {
      const isMissing = question.required && canBeAnswered(question, reached);
      return isMissing ? [{ pointer, detail: `"${question.title}" is required` }] : [];
    }
    const offered = offeredChoices(structure, answerOnPath, question.id);
    const [fault] = storedFaults(question, answer, offered);
    return fault === undefined ? [] : [{ pointer, detail: `"${question.title}": the answer ${fault}` }];
  });
  if (!path.complete) faults.push(...unfinishedFaults(path, structure, faults));
  if (faults.length > 0) throw problems.responseIncomplete(faults);
  return { ...response, path: path.sections };
}

/** Whether a question can be answered on a path: it offers no choices if its source is off the path or was deleted. */
function canBeAnswered(question: Question, reached: ReadonlyMap<string, Question>): boolean {
  if (question.sourceId !== undefined) return reached.has(question.sourceId);
  return question.choices === undefined || question.choices.length > 0;
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
