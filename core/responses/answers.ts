/**
 * Validates one answer and returns what is stored of it. Pure; callers pass the choices offered to the respondent.
 * `dates.ts` parses dates, and `changes.ts` applies the result to a response.
 */
import { isDeepStrictEqual } from 'node:util';
import { countCharacters } from '#core/schema/schema.ts';
import { isLine, isVisible, isWebUrl, LINE_FAULT } from '#core/schema/text.ts';
import type { Choice, Question, QuestionType } from '#core/structure/question-model.ts';
import { type AnswerContent, attachedFiles, isIds, type UploadedFile } from '#core/structure/types/content.ts';
import { parseDate } from '#core/structure/types/date.ts';
import { isAllowedName } from '#core/structure/types/file-types.ts';
import { type AnswerInput, MAX_OTHER_TEXT } from './model.ts';

/** A fault of an answer; `at` is a JSON pointer inside the sent answer, such as `/value/0`. */
type AnswerFault = { at: string; detail: string };

/** The result of a check: content to store, clear the answer, no change, or faults. */
export type CheckedAnswer =
  | { kind: 'answer'; content: AnswerContent }
  | { kind: 'clear' }
  | { kind: 'unchanged' }
  | { kind: 'faults'; faults: AnswerFault[] };

type Value = AnswerInput['value'];
type ValueCheck = (question: Question, value: NonNullable<Value>, offered: readonly Choice[]) => CheckedAnswer;

const MAX_SHORT_TEXT = 500;
const MAX_LONG_TEXT = 10_000;
const MAX_HYPERLINK = 2_048;

/**
 * Whether a value clears an answer: null, an empty list, or a text without a visible character. A text with U+0000 is
 * not empty but a fault.
 */
export function isEmptyValue(value: Value): boolean {
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
    return fault('/questionType', `must be ${question.type}, the type of this question`);
  }
  const { value } = input;
  const isSetByService = question.type === 'UPLOAD_FILE' || question.type === 'OAUTH_CONNECT';
  if (value === null || isEmptyValue(value)) {
    if (!isSetByService) return hasText(input.otherText) ? misplacedOtherText : { kind: 'clear' };
    if (!isAnswered) return { kind: 'unchanged' };
    return fault('/value', 'cannot be cleared by saving: use DELETE');
  }
  return withOtherText(CHECKS[question.type](question, value, offered), input, offered);
}

const fault = (at: string, detail: string): CheckedAnswer => ({ kind: 'faults', faults: [{ at, detail }] });
const accept = (content: AnswerContent): CheckedAnswer => ({ kind: 'answer', content });

/** A text of at most `max` Unicode characters, stored exactly as sent. */
const checkText =
  (max: number): ValueCheck =>
  (question, value) => {
    if (typeof value !== 'string') return fault('/value', 'must be a string');
    if (!value.isWellFormed()) return fault('/value', 'must be valid Unicode text (it contains half a surrogate pair)');
    if (value.includes('\0')) return fault('/value', 'must not contain the character U+0000');
    if (countCharacters(value) > max) return fault('/value', `must be at most ${max} characters`);
    return accept({ type: question.type, value });
  };

const checkHyperlink: ValueCheck = (question, value, offered) => {
  const checked = checkText(MAX_HYPERLINK)(question, value, offered);
  if (checked.kind !== 'answer' || typeof value !== 'string' || isWebUrl(value)) return checked;
  return fault('/value', 'must be an http or https URL');
};

/** Choice ids, each offered and selected once; `single` questions take exactly one. */
const checkChoices =
  (single: boolean): ValueCheck =>
  (question, value, offered) => {
    if (!isIds(value)) return fault('/value', 'must be an array of choice ids');
    const byId = new Map(offered.map((choice) => [choice.id, choice]));
    const faults: AnswerFault[] = [];
    if (single && value.length > 1) faults.push({ at: '/value', detail: 'must contain exactly one choice' });
    const names: string[] = [];
    const seen = new Set<string>();
    for (const [index, id] of value.entries()) {
      const choice = byId.get(id);
      if (!choice) faults.push({ at: `/value/${index}`, detail: 'is not a choice that this question offers' });
      else if (seen.has(id)) faults.push({ at: `/value/${index}`, detail: 'selects a choice twice' });
      seen.add(id);
      names.push(choice?.name ?? '');
    }
    return faults.length > 0 ? { kind: 'faults', faults } : accept({ type: question.type, value, names });
  };

const checkScale: ValueCheck = ({ type, scale }, value) => {
  if (!scale) return fault('', 'this question has no scale');
  const { minVal, maxVal } = scale;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minVal || value > maxVal) {
    return fault('/value', `must be a whole number from ${minVal} to ${maxVal}`);
  }
  // JSON can contain -0, which would differ from 0 when answers are compared.
  const number = value === 0 ? 0 : value;
  return accept({ type, value: number, display: `${number} (${minVal}-${maxVal})` });
};

const checkDate: ValueCheck = ({ type, date }, value) => {
  if (!date) return fault('', 'this question has no date options');
  if (typeof value !== 'string') return fault('/value', 'must be a string');
  const parsed = parseDate(value, date);
  if (parsed.kind === 'fault') return fault('/value', parsed.detail);
  return accept({ type, value: parsed.value, display: parsed.display });
};

const CHECKS: Readonly<Record<QuestionType, ValueCheck>> = {
  SHORT_TEXT: checkText(MAX_SHORT_TEXT),
  LONG_TEXT: checkText(MAX_LONG_TEXT),
  HYPERLINK: checkHyperlink,
  SINGLE_CHOICE: checkChoices(true),
  DROPDOWN: checkChoices(true),
  MULTIPLE_CHOICE: checkChoices(false),
  DETAILED_MULTIPLE_CHOICE: checkChoices(false),
  RANKING: checkChoices(false),
  LINEAR_SCALE: checkScale,
  RATING: checkScale,
  DATE: checkDate,
  UPLOAD_FILE: () => fault('/value', 'cannot be saved: use the …/files operations of the question'),
  OAUTH_CONNECT: () => fault('', 'cannot be saved: connect an account instead'),
};

/** Whether a text for the other choice has a visible character. */
export const hasText = (text: string | null | undefined): text is string => isVisible(text ?? '');
const misplacedOtherText = fault('/otherText', 'is only allowed when the other choice of the question is selected');

/** Replaces the name of the other choice by `otherText`; a fault if that choice is not selected or the text not valid. */
function withOtherText(checked: CheckedAnswer, input: AnswerInput, offered: readonly Choice[]): CheckedAnswer {
  const { value, otherText } = input;
  if (!hasText(otherText)) return checked;
  if (!isLine(otherText)) return fault('/otherText', LINE_FAULT);
  if (countCharacters(otherText) > MAX_OTHER_TEXT)
    return fault('/otherText', `must be at most ${MAX_OTHER_TEXT} characters`);
  const selected = isIds(value) ? value : [];
  const other = offered.find((choice) => choice.isOther && selected.includes(choice.id));
  if (!other) {
    if (checked.kind !== 'faults' || misplacedOtherText.kind !== 'faults') return misplacedOtherText;
    return { kind: 'faults', faults: [...checked.faults, ...misplacedOtherText.faults] };
  }
  if (checked.kind !== 'answer') return checked;
  const names = (checked.content.names ?? []).map((name, index) => (selected[index] === other.id ? otherText : name));
  return accept({ ...checked.content, names, otherText });
}

/** Lists why a stored answer is no longer valid for its question; empty when it still is. */
export function storedFaults(question: Question, answer: AnswerContent, offered: readonly Choice[]): string[] {
  const { type, value, otherText } = answer;
  if (type !== question.type) return [`was given to a question of type ${type}`];
  if (type === 'UPLOAD_FILE') return attachedFileFaults(question, attachedFiles(answer));
  if (type === 'OAUTH_CONNECT') {
    const isOther = typeof value === 'object' && 'provider' in value && value.provider !== question.oauthConnect;
    return isOther ? ['is an account of another provider'] : [];
  }
  if (typeof value === 'object' && !isIds(value)) return [];
  const input = { questionId: question.id, questionType: type, value, otherText };
  const checked = checkAnswer(question, input, { offered, isAnswered: true });
  if (checked.kind === 'faults') return checked.faults.map(({ detail }) => detail);
  return lacksOtherText(question, answer) ? ['needs a text for the other choice, which has no name (otherText)'] : [];
}

/** Whether an answer selects an other choice without a name and has no text for it. */
export function lacksOtherText(
  { choices = [] }: { choices?: readonly Choice[] | undefined },
  { value, otherText }: { value: AnswerContent['value']; otherText?: string | undefined },
): boolean {
  const unnamed = choices.find(({ isOther, name }) => isOther && !isVisible(name));
  return unnamed !== undefined && isIds(value) && value.includes(unnamed.id) && !hasText(otherText);
}

function attachedFileFaults({ uploadFile }: Question, files: readonly UploadedFile[]): string[] {
  if (!uploadFile) return [];
  const { maxFileAmount, maxFileSizeLimit, allowedFileTypes } = uploadFile;
  if (files.length > maxFileAmount) return [`must be at most ${maxFileAmount} files`];
  return files.flatMap(({ originalFilename, size }) => {
    if (size > maxFileSizeLimit)
      return [`contains "${originalFilename}", which is larger than ${maxFileSizeLimit} bytes`];
    if (!isAllowedName(originalFilename, allowedFileTypes))
      return [`contains "${originalFilename}", whose type is not allowed`];
    return [];
  });
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
  if (stored.type === 'UPLOAD_FILE') return namesSameFiles(value, attachedFiles(stored));
  return isDeepStrictEqual(value, stored.value) || (stored.type === 'DATE' && repeatsDate(value, stored));
}

/** Whether a text is the stored date for the parts that the question requested when it was stored. */
const repeatsDate = (value: Value, stored: AnswerContent): boolean =>
  typeof value === 'string' &&
  PART_SETS.some((parts) => {
    const parsed = parseDate(value, parts);
    return parsed.kind === 'date' && parsed.value === stored.value && parsed.display === stored.display;
  });

/** All combinations of parts that a DATE question can request. */
const PART_SETS = [1, 2, 3, 4, 5, 6, 7].map((bits) => ({
  hasYear: (bits & 1) > 0,
  hasMonth: (bits & 2) > 0,
  hasDay: (bits & 4) > 0,
}));

/**
 * Whether a value contains exactly the attached files, each once and in any order: as ids or as `{files: [{fileId}]}`.
 */
export function namesSameFiles(value: Value, attached: readonly UploadedFile[]): boolean {
  if (value === null || typeof value !== 'object' || attached.length === 0) return false;
  const ids = (Array.isArray(value) ? value : value.files).map((file) =>
    typeof file === 'string' ? file : file.fileId,
  );
  const named = new Set(ids);
  return ids.length === attached.length && attached.every((file) => named.has(file.fileId));
}
