/**
 * The faults of answers: a code with parameters, of which the texts of the API are made here and those of pages in
 * `core/pages/fields`.
 */
import { LINE_FAULT } from '#core/schema/text.ts';

/** The texts of the API, to be read after "the value" or "the answer". Sizes are in bytes. */
const DETAILS = {
  unknown_question: () => 'is not a question of this form',
  removed_question: () => 'is no longer a question of this form',
  answered_twice: () => 'is answered twice in this request',
  off_path: (section: string) =>
    `SKIPPED: the section "${section}" is not on the path of this response, given its answers`,
  required: () => 'is required',
  other_question_type: (type: string) => `must be ${type}, the type of this question`,
  other_answer_type: (type: string) => `was given to a question of type ${type}`,
  set: () => 'cannot be cleared by saving: use DELETE',
  uploaded: () => 'cannot be saved: use the …/files operations of the question',
  connected: () => 'cannot be saved: connect an account instead',
  not_text: () => 'must be a string',
  not_unicode: () => 'must be valid Unicode text (it contains half a surrogate pair)',
  has_null: () => 'must not contain the character U+0000',
  not_line: () => LINE_FAULT,
  too_long: (maxCharacters: number) => `must be at most ${maxCharacters} characters`,
  not_web_address: () => 'must be an http or https URL',
  not_choices: () => 'must be an array of choice ids',
  too_many: () => 'must contain exactly one choice',
  not_offered: () => 'is not a choice that this question offers',
  repeated: () => 'selects a choice twice',
  no_place_left: (names: string) => `selects "${names}", which has no place left`,
  other_text_misplaced: () => 'is only allowed when the other choice of the question is selected',
  other_text_required: () => 'needs a text for the other choice, which has no name (otherText)',
  no_options: (option: string) => `this question has no ${option}`,
  out_of_range: (min: number, max: number) => `must be a whole number from ${min} to ${max}`,
  not_date: (formats: string) => `must be a date as ${formats}`,
  no_such_date: () => 'is not a real date',
  date_out_of_range: (first?: string, last?: string) => {
    if (first && last) return `must be from ${first} to ${last}`;
    return first ? `must be ${first} or later` : `must be ${last} or earlier`;
  },
  too_many_files: (max: number) => `must be at most ${max} files`,
  file_too_large: (name: string, max: number) => `contains "${name}", which is larger than ${max} bytes`,
  file_type: (name: string) => `contains "${name}", whose type is not allowed`,
  not_email: () => 'must be an e-mail address such as name@example.org',
  not_phone: () => 'must be a telephone number of 6 to 15 digits, with + - ( ) / . and spaces between them',
  not_number: (maxDigits: number) => `must be a number of at most ${maxDigits} digits, such as 12 or 3.5`,
  number_range: (min?: number, max?: number) => {
    if (min !== undefined && max !== undefined) return `must be a number from ${min} to ${max}`;
    return min === undefined ? `must be at most ${max}` : `must be at least ${min}`;
  },
  decimals: (max: number) =>
    max === 0 ? 'must be a whole number' : `must have at most ${max} digits after the decimal point`,
  not_time: () => 'must be a time of day as HH:MM, from 00:00 to 23:59',
  length: (min?: number, max?: number) => {
    if (min !== undefined && max !== undefined) return `must have ${min} to ${max} characters`;
    return min === undefined ? `must have at most ${max} characters` : `must have at least ${min} characters`;
  },
  pattern: (hint: string) => `is not what the question asks for: ${hint}`,
  selections: (min?: number, max?: number) => {
    if (min !== undefined && min === max) return `must select exactly ${min}`;
    if (min !== undefined && max !== undefined) return `must select ${min} to ${max}`;
    return min === undefined ? `must select at most ${max}` : `must select at least ${min}`;
  },
  hidden: () => 'can only be set when the response is started: the question is not shown',
  other_provider: () => 'is an account of another provider',
};

type Details = typeof DETAILS;
export type AnswerFaultCode = keyof Details;

/** A fault of an answer; `at` is a JSON pointer inside the sent answer, such as `/value/0`. */
export type AnswerFault = {
  [Code in AnswerFaultCode]: { at: string; code: Code; params: Parameters<Details[Code]>; detail: string };
}[AnswerFaultCode];

/** Builds a fault with the text of the API. */
export function fault<Code extends AnswerFaultCode>(
  at: string,
  code: Code,
  ...params: Parameters<Details[Code]>
): AnswerFault {
  const describe = DETAILS[code] as (...parameters: Parameters<Details[Code]>) => string;
  return { at, code, params, detail: describe(...params) } as AnswerFault;
}

/** Builds the result of a check that found one fault. */
export const refuse = <Code extends AnswerFaultCode>(at: string, code: Code, ...params: Parameters<Details[Code]>) => ({
  kind: 'faults' as const,
  faults: [fault(at, code, ...params)],
});
