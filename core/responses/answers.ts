/**
 * Judging one answer: whether what was sent suits its question, and what is then stored of it (contract section 7,
 * the table by type and the rules under it). Pure; the choices come in as offered to this respondent
 * (`offeredChoices`), dates are read in `dates.ts`, and `edit.ts` applies the judgement to a response.
 */
import { isDeepStrictEqual } from 'node:util';
import { readDate } from '#core/responses/dates.ts';
import type { AnswerContent, AnswerInput, UploadedFile } from '#core/responses/model.ts';
import { characters } from '#core/schema/schema.ts';
import type { Choice, Question, QuestionType } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';

/** What is wrong with an answer; `at` is a JSON pointer inside the answer as it was sent, such as `/value/0`. */
export type AnswerFault = { at: string; detail: string };

/** What an answer that was sent comes to: something to store, nothing any more, or faults. */
export type Judged =
  | { kind: 'answer'; content: AnswerContent }
  | { kind: 'clear' }
  | { kind: 'fault'; faults: AnswerFault[] };

type Value = AnswerInput['value'];
type Judge = (question: Question, value: Value, offered: readonly Choice[]) => Judged;

const MAX_SHORT_TEXT = 500;
const MAX_LONG_TEXT = 10_000;
const MAX_HYPERLINK = 2_048;

/**
 * Judges an answer against its question (contract section 7).
 *
 * `offered` are the choices that this respondent may select, from `offeredChoices`; questions without choices ignore
 * it. An empty string clears a text, a link or a date. Everything that is wrong is told at once. Answers to UPLOAD_FILE and OAUTH_CONNECT are always faults: they are written by the upload
 * and by the callback; a submit that sends a file answer back asks `sameFiles` first.
 */
export function judgeAnswer(question: Question, input: AnswerInput, offered: readonly Choice[]): Judged {
  if (input.questionType !== question.type) {
    return fault('/questionType', `must be ${question.type}, the type of this question`);
  }
  return withOtherText(JUDGES[question.type](question, input.value, offered), input, offered);
}

const fault = (at: string, detail: string): Judged => ({ kind: 'fault', faults: [{ at, detail }] });

const accept = (content: AnswerContent): Judged => ({ kind: 'answer', content });

/** A text answer of at most `max` characters, counted as a person counts them; kept to the letter. */
const judgeText =
  (max: number): Judge =>
  (question, value) => {
    if (typeof value !== 'string') return fault('/value', 'must be a string');
    if (value === '') return { kind: 'clear' };
    if (!value.isWellFormed()) {
      return fault('/value', 'must be valid Unicode text (it holds half of a surrogate pair)');
    }
    if (characters(value) > max) return fault('/value', `must be at most ${max} characters`);
    return accept({ type: question.type, value });
  };

const judgeHyperlink: Judge = (question, value, offered) => {
  const judged = judgeText(MAX_HYPERLINK)(question, value, offered);
  if (judged.kind !== 'answer' || typeof value !== 'string' || isWebAddress(value)) return judged;
  return fault('/value', 'must be an http or https URL');
};

/** The URL parser drops blanks and control characters and repairs slashes; a link that needs that is none. */
const isWebAddress = (value: string): boolean => /^https?:\/\/[^\s\p{Cc}\\]+$/iu.test(value) && URL.canParse(value);

/** Choice ids: each one offered and named once; `single` questions take exactly one. */
const judgeChoices =
  (single: boolean): Judge =>
  (question, value, offered) => {
    if (!isIds(value)) return fault('/value', 'must be an array of choice ids');
    if (value.length === 0) return fault('/value', 'must name at least one choice; DELETE the answer to clear it');
    const byId = new Map(offered.map((choice) => [choice.id, choice]));
    const faults: AnswerFault[] = [];
    if (single && value.length > 1) faults.push({ at: '/value', detail: 'must name exactly one choice' });
    const names: string[] = [];
    const seen = new Set<string>();
    for (const [index, id] of value.entries()) {
      const choice = byId.get(id);
      if (!choice) faults.push({ at: `/value/${index}`, detail: 'is not a choice that this question offers' });
      else if (seen.has(id)) faults.push({ at: `/value/${index}`, detail: 'names a choice for a second time' });
      seen.add(id);
      names.push(choice?.name ?? '');
    }
    if (faults.length > 0) return { kind: 'fault', faults };
    return accept({ type: question.type, value, names });
  };

const isIds = (value: AnswerContent['value'] | Value): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const judgeScale: Judge = ({ type, scale }, value) => {
  if (!scale) return fault('', 'this question has no scale to answer on');
  const { minVal, maxVal } = scale;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minVal || value > maxVal) {
    return fault('/value', `must be a whole number from ${minVal} to ${maxVal}`);
  }
  // JSON can say -0, which is a zero that equals no other when answers are compared.
  const number = value === 0 ? 0 : value;
  return accept({ type, value: number, display: `${number} (${minVal}-${maxVal})` });
};

const judgeDate: Judge = ({ type, date }, value) => {
  if (!date) return fault('', 'this question asks for no part of a date');
  if (typeof value !== 'string') return fault('/value', 'must be a string');
  if (value === '') return { kind: 'clear' };
  const reading = readDate(value, date);
  if (reading.kind === 'fault') return fault('/value', reading.detail);
  return accept({ type, value: reading.value, display: reading.display });
};

const JUDGES: Readonly<Record<QuestionType, Judge>> = {
  SHORT_TEXT: judgeText(MAX_SHORT_TEXT),
  LONG_TEXT: judgeText(MAX_LONG_TEXT),
  HYPERLINK: judgeHyperlink,
  SINGLE_CHOICE: judgeChoices(true),
  DROPDOWN: judgeChoices(true),
  MULTIPLE_CHOICE: judgeChoices(false),
  DETAILED_MULTIPLE_CHOICE: judgeChoices(false),
  RANKING: judgeChoices(false),
  LINEAR_SCALE: judgeScale,
  RATING: judgeScale,
  DATE: judgeDate,
  UPLOAD_FILE: () => fault('/value', 'files are uploaded through the …/files operations of the question, not saved'),
  OAUTH_CONNECT: () => fault('', 'this question is answered only by connecting an account'),
};

/** Puts `otherText` in the place of the other choice's name, or faults it when that choice is not selected. */
function withOtherText(judged: Judged, input: AnswerInput, offered: readonly Choice[]): Judged {
  const { value, otherText } = input;
  if (!otherText || otherText.trim() === '') return judged;
  const selected = isIds(value) ? value : [];
  const other = offered.find((choice) => choice.isOther && selected.includes(choice.id));
  if (!other) {
    const stray = { at: '/otherText', detail: 'goes only with the selected other choice of a question' };
    return { kind: 'fault', faults: judged.kind === 'fault' ? [...judged.faults, stray] : [stray] };
  }
  if (judged.kind !== 'answer') return judged;
  const names = (judged.content.names ?? []).map((name, index) => (selected[index] === other.id ? otherText : name));
  return accept({ ...judged.content, names, otherText });
}

/**
 * Whether two answers say the same, so that `updatedAt` stays (contract section 7). Names and display are left out:
 * a choice that was renamed meanwhile does not make the same selection a new one.
 */
export const sameContent = (a: AnswerContent, b: AnswerContent): boolean =>
  a.type === b.type && a.otherText === b.otherText && isDeepStrictEqual(a.value, b.value);

/**
 * Whether a value sent for an UPLOAD_FILE question names exactly the files attached to it, in any order, each once:
 * as `{files: [{fileId}]}`, as ids, or as the stored list. A submit may send a file answer back, not change it.
 */
export function sameFiles(value: Value | UploadedFile[], attached: readonly UploadedFile[]): boolean {
  const ids = fileIds(value);
  const named = new Set(ids);
  return ids?.length === attached.length && attached.every((file) => named.has(file.fileId));
}

function fileIds(value: Value | UploadedFile[]): string[] | undefined {
  if (typeof value === 'string' || typeof value === 'number') return undefined;
  const files = Array.isArray(value) ? value : value.files;
  return files.map((file) => (typeof file === 'string' ? file : file.fileId));
}

/**
 * The choices that a question offers to one respondent (contract section 5, row `sourceId`).
 *
 * A question with a source offers what the respondent selected there, out of what the source itself offers them now and
 * in that order; `[]` before the source is answered. An other choice arrives under the text written beside it and is
 * no other choice any more, so nobody is asked for that text twice. `answerTo` gives this respondent's answer to a
 * question, or undefined. Sources are followed to their end; a question in a circle of sources offers nothing.
 */
export function offeredChoices(
  structure: Structure,
  answerTo: (questionId: string) => AnswerContent | undefined,
  questionId: string,
): Choice[] {
  return follow(structure, answerTo, questionId, new Set());
}

function follow(
  structure: Structure,
  answerTo: (questionId: string) => AnswerContent | undefined,
  questionId: string,
  visited: Set<string>,
): Choice[] {
  const question = findQuestion(structure, questionId)?.question;
  if (!question || visited.has(questionId)) return [];
  if (question.sourceId === undefined) return question.choices ?? [];
  const answer = answerTo(question.sourceId);
  if (!answer || !isIds(answer.value)) return [];
  const selected = new Set(answer.value);
  return follow(structure, answerTo, question.sourceId, visited.add(questionId))
    .filter((choice) => selected.has(choice.id))
    .map(({ isOther, ...choice }) => ({ ...choice, name: (isOther && answer.otherText) || choice.name }));
}
