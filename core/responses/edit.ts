/**
 * What saving, submitting and cancelling make of a response: pure functions of the response, the form's structure
 * and the clock (contract section 7). All or nothing: whatever is wrong is told at once and nothing is changed.
 */
import { type Fault, problems } from '#core/problems/problems.ts';
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
import { judgeAnswer, offeredChoices, sameContent, sameFiles } from './answers.ts';
import { type Answer, type AnswerContent, type AnswerInput, attachedFiles, type Response } from './model.ts';

type Answers = Readonly<Record<string, Answer>>;

/** A new response of a user to a form: a draft without answers. */
export const newResponse = (id: string, formId: string, userId: string, now: string): Response => ({
  id,
  formId,
  userId,
  progress: 'DRAFT',
  version: 1,
  answers: {},
  createdAt: now,
  updatedAt: now,
  submittedAt: null,
});

/** Looks up the answers of a response. */
export const answersBy =
  (answers: Answers) =>
  (questionId: string): Answer | undefined =>
    Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;

/** Looks up the answers on the path of a response; those that fell off it are kept but do not count. */
export function onPath(structure: Structure, answers: Answers): (questionId: string) => Answer | undefined {
  const answered = answersBy(answers);
  let counted: ReadonlyMap<string, Question> | undefined;
  return (questionId) => {
    counted ??= questionsOn(structure, walk(structure, answered).sections);
    return counted.has(questionId) ? answered(questionId) : undefined;
  };
}

const questionsOn = (structure: Structure, sectionIds: readonly string[]): ReadonlyMap<string, Question> =>
  new Map(
    structure.sections
      .filter((section) => sectionIds.includes(section.id))
      .flatMap((section) => section.questions.map((question) => [question.id, question])),
  );

export type Change = {
  response: Response;
  structure: Structure;
  inputs: readonly AnswerInput[];
  /** Whether files attached before may be named again, as submit allows. */
  filesMayBeNamed: boolean;
  now: string;
};

/**
 * A response with some answers saved. The same response when nothing changes. Throws 400 with a fault for each
 * answer that does not suit its question or stands off the path (SKIPPED), judged with all of them applied.
 */
export function saveAnswers(change: Change): Response {
  const { response, structure, inputs, now } = change;
  const faults: Fault[] = [];
  const placed = placeInputs(structure, inputs, faults);
  const answers = applyAll(change, placed, faults);
  faults.push(...skippedFaults(structure, answers, placed));
  if (faults.length > 0) throw problems.invalid(faults);
  return sameAnswers(response.answers, answers) ? response : { ...response, answers, updatedAt: now };
}

/** An input with its place in the request and the question that it answers. */
type Placed = PlacedQuestion & { input: AnswerInput; index: number };

/** The inputs that answer a question of the form for the first time in this request; the others are faults. */
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

/** Applies each input; the choices of a question with a source are what its source, on the path, selects by then. */
function applyAll(change: Change, placed: readonly Placed[], faults: Fault[]): Answers {
  const { structure } = change;
  const answers: Record<string, Answer> = { ...change.response.answers };
  for (const { question, input, index } of sourcesFirst(structure, placed)) {
    const before = answersBy(answers)(question.id);
    if (change.filesMayBeNamed && namesItsFiles(input, before)) continue;
    const judged = judgeAnswer(question, input, offeredChoices(structure, onPath(structure, answers), question.id));
    if (judged.kind === 'fault') {
      faults.push(...judged.faults.map(({ at, detail }) => ({ pointer: `/body/answers/${index}${at}`, detail })));
    } else if (judged.kind === 'clear') delete answers[question.id];
    else answers[question.id] = stamped(judged.content, before, change.now);
  }
  return answers;
}

/**
 * In an order in which each answer is judged after all that its choices depend on: those without a source first, the
 * others by the order of their sections, since the path to a source turns on earlier sections only, then by depth.
 */
function sourcesFirst(structure: Structure, placed: readonly Placed[]): Placed[] {
  const hasSource = ({ question }: Placed): boolean => question.sourceId !== undefined;
  const dependent = placed.filter(hasSource);
  if (dependent.length === 0) return [...placed];
  const order = new Map(displayOrder(structure).map((sectionId, place) => [sectionId, place]));
  const rank = ({ section, question }: Placed): number =>
    (order.get(section.id) ?? 0) * MAX_QUESTIONS + sourceChain(structure, question.id).length;
  return [...placed.filter((each) => !hasSource(each)), ...dependent.toSorted((a, b) => rank(a) - rank(b))];
}

function namesItsFiles(input: AnswerInput, before: Answer | undefined): boolean {
  if (input.questionType !== 'UPLOAD_FILE') return false;
  return sameFiles(input.value, attachedFiles(before));
}

/** An answer with its times: it is newer only when it says something else than before. */
function stamped(content: AnswerContent, before: Answer | undefined, now: string): Answer {
  if (before && sameContent(before, content)) return before;
  return { ...content, createdAt: before?.createdAt ?? now, updatedAt: now };
}

function skippedFaults(structure: Structure, answers: Answers, placed: readonly Placed[]): Fault[] {
  const reached = new Set(walk(structure, answersBy(answers)).sections);
  return placed.flatMap(({ section, input, index }) =>
    reached.has(section.id) || !answersBy(answers)(input.questionId)
      ? []
      : [{ pointer: `/body/answers/${index}`, detail: skippedDetail(structure, section.id) }],
  );
}

const skippedDetail = (structure: Structure, sectionId: string): string =>
  `SKIPPED: the section "${sectionTitle(structure, sectionId)}" is not on the path of this response, given its answers`;

/** Whether two sets of answers are the same ones; an unchanged answer is kept as the same object. */
const sameAnswers = (before: Answers, after: Answers): boolean =>
  Object.keys(before).length === Object.keys(after).length &&
  Object.keys(after).every((questionId) => before[questionId] === after[questionId]);

/**
 * Saves answers where a response stands: in a draft freely; in a submitted one, which stays submitted, only if
 * `requireEditable` does not object and only so that it stays complete (contract section 7). What changes nothing is
 * always fine.
 */
export const saveInPlace = (change: Change, requireEditable: () => void): Response =>
  inPlace(change.response, saveAnswers(change), change.structure, requireEditable);

/** An answer that the service itself makes: files that were attached, an account that was connected. */
export type Setting = {
  response: Response;
  structure: Structure;
  questionId: string;
  content: AnswerContent;
  now: string;
};

/** Sets one answer where a response stands, under the rules of `saveInPlace`. Throws 400 when it is off the path. */
export const setInPlace = (setting: Setting, requireEditable: () => void): Response =>
  inPlace(setting.response, setAnswer(setting), setting.structure, requireEditable);

/** A response with one answer set; the same response when it says nothing new. */
function setAnswer({ response, structure, questionId, content, now }: Setting): Response {
  const before = answersBy(response.answers)(questionId);
  const answer = stamped(content, before, now);
  if (answer === before) return response;
  const answers = { ...response.answers, [questionId]: answer };
  const section = findQuestion(structure, questionId)?.section;
  if (!section || !walk(structure, answersBy(answers)).sections.includes(section.id)) {
    const detail = section ? skippedDetail(structure, section.id) : 'is not a question of this form any more';
    throw problems.invalid([{ pointer: '/path/questionId', detail }]);
  }
  return { ...response, answers, updatedAt: now };
}

/** Clears one answer where a response stands, under the rules of `saveInPlace`. */
export const clearInPlace = (
  response: Response,
  structure: Structure,
  questionId: string,
  now: string,
  requireEditable: () => void,
): Response => inPlace(response, clearAnswer(response, questionId, now), structure, requireEditable);

/** Takes one file out of its answer where a response stands, under the rules of `saveInPlace`. */
export const dropFileInPlace = (
  { response, structure, now }: Omit<Setting, 'questionId' | 'content'>,
  fileId: string,
  requireEditable: () => void,
): Response => inPlace(response, dropFile(response, fileId, now), structure, requireEditable);

function inPlace(before: Response, after: Response, structure: Structure, requireEditable: () => void): Response {
  if (after === before) return before;
  requireEditable();
  if (after.progress === 'SUBMITTED') requireComplete(after, structure);
  return after;
}

/** A response without one answer; the same response when there was none. */
export function clearAnswer(response: Response, questionId: string, now: string): Response {
  if (!answersBy(response.answers)(questionId)) return response;
  const { [questionId]: _cleared, ...answers } = response.answers;
  return { ...response, answers, updatedAt: now };
}

/** A response without one of its files; the last file of an answer takes the answer along. */
export function dropFile(response: Response, fileId: string, now: string): Response {
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

/** A response submitted. Throws 400, one fault a question, unless every reached section is complete and END reached. */
export function submitResponse(response: Response, structure: Structure, now: string): Response {
  requireComplete(response, structure);
  return { ...response, progress: 'SUBMITTED', submittedAt: now, updatedAt: now };
}

/** Throws 400 with one fault for each question that keeps a response from being complete (contract section 7). */
export function requireComplete(response: Response, structure: Structure): void {
  const faults = missingAnswers(response, structure);
  if (faults.length === 0) return;
  throw problems.wrongState(
    'response_incomplete',
    'The response is not complete: see `errors` for what is missing',
    faults,
  );
}

function missingAnswers(response: Response, structure: Structure): Fault[] {
  const answered = answersBy(response.answers);
  const path = walk(structure, answered);
  const reached = questionsOn(structure, path.sections);
  const missing = [...reached.values()]
    .filter((question) => question.required && !answered(question.id) && mayOffer(question, reached))
    .map((question) => ({ pointer: `/answers/${question.id}`, detail: `"${question.title}" is required` }));
  return path.complete ? missing : [...missing, ...unfinished(path, structure, missing)];
}

/**
 * Whether a question can be answered at all on a path. One that takes its choices from a question off the path, or
 * whose source was deleted, offers nothing: requiring it would keep the response from ever being submitted.
 */
function mayOffer(question: Question, reached: ReadonlyMap<string, Question>): boolean {
  if (question.sourceId !== undefined) return reached.has(question.sourceId);
  return question.choices === undefined || question.choices.length > 0;
}

/** Why a path ends before END, as a fault of the question that would carry it on, unless that one is told already. */
function unfinished(path: Path, structure: Structure, told: readonly Fault[]): Fault[] {
  const question = path.waitsFor === undefined ? undefined : findQuestion(structure, path.waitsFor)?.question;
  if (!question) {
    const detail = 'the path of this response does not reach the end of the form: its editors must mend the workflow';
    return [{ pointer: '/workflow', detail }];
  }
  const pointer = `/answers/${question.id}`;
  if (told.some((fault) => fault.pointer === pointer)) return [];
  return [{ pointer, detail: `"${question.title}" must be answered, because the way through the form depends on it` }];
}

/** A submitted response taken back to draft. Throws 400 for a draft. */
export function cancelResponse(response: Response, now: string): Response {
  if (response.progress !== 'SUBMITTED') {
    throw problems.wrongState(
      'response_not_submitted',
      'Only submitted responses can be cancelled; this one is a draft',
    );
  }
  return { ...response, progress: 'DRAFT', submittedAt: null, updatedAt: now };
}
