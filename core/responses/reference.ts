/**
 * The reference of a response: its id within its form in thirteen digits, and two digits that follow from them, in three groups
 * which people can read out and copy, such as `7QK3M-9T4XW-2PRAB`. Its respondent and its reviewers see the same one. It leads to
 * the response by one read, and grants nothing. Pure.
 */
import { formKey } from '#core/db/keys.ts';
import { CODE_DIGITS, readCodeDigits } from '#core/schema/format.ts';

const DIGITS = 15;
const CHECK_VALUES = 1_024n;
/**
 * Every reference is a multiple of it: the largest prime number that two digits can have, so that each wrong digit, and each
 * exchange of two neighbours, is noticed.
 */
const DIVISOR = 1_021n;

/** The length of the part of an id that tells the responses of a form apart, in hexadecimal digits. */
const ENDING = 16;

/** Formats the reference of a response. */
export function formatReference(responseId: string): string {
  const value = BigInt(`0x${toHex(responseId).slice(-ENDING)}`) * CHECK_VALUES;
  const checked = value + ((DIVISOR - (value % DIVISOR)) % DIVISOR);
  const digits = Array.from(
    { length: DIGITS },
    (_, index) => CODE_DIGITS[Number((checked >> BigInt(5 * (DIGITS - 1 - index))) & 31n)],
  ).join('');
  return [digits.slice(0, 5), digits.slice(5, 10), digits.slice(10)].join('-');
}

/**
 * Parses a text that may be a reference, the id of a response, or a reference of eight digits as mails had them before: in any
 * case and with or without dashes and spaces. Returns the end of the ids that it stands for, in hexadecimal digits; undefined for
 * any other text, and for a reference with a wrong digit.
 */
export function parseReference(text: string): string | undefined {
  const hex = text.replaceAll(SEPARATORS, '').toLowerCase();
  if (/^(?:[0-9a-f]{8}|[0-9a-f]{32})$/.test(hex)) return hex;
  const checked = readChecked(text);
  return checked !== undefined && isIntact(checked)
    ? (checked / CHECK_VALUES).toString(16).padStart(ENDING, '0')
    : undefined;
}

/** Whether a text is a reference in which a digit is wrong. Names of fifteen letters are none. */
export function isMistypedReference(text: string): boolean {
  const checked = /\d/.test(text) ? readChecked(text) : undefined;
  return checked !== undefined && !isIntact(checked);
}

/** Whether a parsed reference is that of a response. */
export const isReferenceOf = (reference: string, responseId: string): boolean => toHex(responseId).endsWith(reference);

/** Returns the id of the response of a form that a parsed reference stands for; undefined if it can stand for several. */
export function toResponseId(reference: string, formId: string): string | undefined {
  if (reference.length < ENDING) return undefined;
  const ending = reference.slice(-ENDING);
  const id = `${formKey(formId)}-${ending.slice(0, 4)}-${ending.slice(4)}`;
  return isReferenceOf(reference, id) ? id : undefined;
}

const SEPARATORS = /[\s\p{Pd}]/gu;

const toHex = (id: string): string => id.replaceAll('-', '');

/** Reads fifteen digits as one number; undefined for any other text, and for a number beyond those of references. */
function readChecked(text: string): bigint | undefined {
  const digits = readCodeDigits(text);
  if (digits.length !== DIGITS || ![...digits].every((digit) => CODE_DIGITS.includes(digit))) return undefined;
  const checked = [...digits].reduce((sum, digit) => sum * 32n + BigInt(CODE_DIGITS.indexOf(digit)), 0n);
  return checked / CHECK_VALUES < 1n << 64n ? checked : undefined;
}

/** Whether no digit is wrong; what follows the thirteen digits is what `formatReference` writes, so each response has one reference. */
const isIntact = (checked: bigint): boolean => checked % DIVISOR === 0n && checked % CHECK_VALUES < DIVISOR;
