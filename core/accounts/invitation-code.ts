/**
 * The codes of invitations, such as `0042-A7QK-3M9T-X2P`: the number of the invitation, a digit for the generation of the code, and
 * ten digits that follow from both by the key of the form. A code is verified before its invitation is read, and is stored nowhere:
 * it is written again when it is needed. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invitedIdWithin } from '#core/db/keys.ts';
import { CODE_DIGITS, readCodeDigits } from '#core/schema/format.ts';

/** How many codes an invitation can have, one after the other: the generation is one digit. */
export const MAX_GENERATIONS = CODE_DIGITS.length;

/** How many digits of a code follow from the key: 50 bits, of which twenty guesses a minute find nothing. */
const PROVEN_DIGITS = 10;
const MAX_NUMBER_DIGITS = 7;

/** The key of the codes of a form: 32 random bytes, base64url. No operation returns it. */
export type CodeKey = string;

/** The number of an invitation and the generation of its code, of which the code has the last digit in base 32. */
export type CodedInvitation = { number: number; generation: number };

/**
 * Returns the generation of the first code of an invitation. It begins at the time: what came from an invitation that was deleted is of
 * no generation of a later one to the same address.
 */
export const firstGeneration = (now: Date): number => MAX_GENERATIONS * now.getTime();

/** Returns the generation of the next code of an invitation; undefined when it has had all. */
export function nextGeneration(generation: number, now: Date): number | undefined {
  const next = toDigit(generation) + 1;
  return next < MAX_GENERATIONS ? firstGeneration(now) + next : undefined;
}

/** Returns the number of a generation within its invitation, from 0, which is a digit of the code. */
const toDigit = (generation: number): number => generation % MAX_GENERATIONS;

/** Whether a code is of the generation of an invitation. */
export const isCodeOf = (coded: CodedInvitation, { number, generation }: CodedInvitation): boolean =>
  coded.number === number && toDigit(coded.generation) === toDigit(generation);

const hmac = (codeKey: CodeKey, text: string): Buffer =>
  createHmac('sha256', Buffer.from(codeKey, 'base64url')).update(text).digest();

function proveCode(codeKey: CodeKey, { number, generation }: CodedInvitation): string {
  const bits = hmac(codeKey, `code#${number}#${toDigit(generation)}`).readBigUInt64BE();
  return Array.from(
    { length: PROVEN_DIGITS },
    (_, index) => CODE_DIGITS[Number((bits >> BigInt(5 * index)) & 31n)],
  ).join('');
}

/** Writes the code of an invitation, in groups that people can copy. */
export function writeCode(codeKey: CodeKey, invitation: CodedInvitation): string {
  const digits = `${CODE_DIGITS[toDigit(invitation.generation)]}${proveCode(codeKey, invitation)}`;
  const groups = [digits.slice(0, 4), digits.slice(4, 8), digits.slice(8)];
  return [String(invitation.number).padStart(4, '0'), ...groups].join('-');
}

/** Reads a code as people type it. Returns undefined for a text that is no code of the form with this key. */
export function readCode(codeKey: CodeKey, text: string): CodedInvitation | undefined {
  const [, number = '', generationDigit = '', proof = ''] = CODE.exec(readCodeDigits(text)) ?? [];
  const invitation = { number: Number(number), generation: CODE_DIGITS.indexOf(generationDigit) };
  if (number === '' || invitation.generation < 0) return undefined;
  const expected = Buffer.from(proveCode(codeKey, invitation));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected) ? invitation : undefined;
}

const CODE = new RegExp(`^(\\d{1,${MAX_NUMBER_DIGITS}})([${CODE_DIGITS}])([${CODE_DIGITS}]{${PROVEN_DIGITS}})$`);

/** Derives the id of a guest of a form: from the address, if one is known, else from the number of the invitation. */
export function deriveGuestId(
  codeKey: CodeKey,
  formId: string,
  guest: { email: string | null; number: number },
): string {
  const name = guest.email === null ? `number#${guest.number}` : `address#${guest.email.toLowerCase()}`;
  return invitedIdWithin(formId, hmac(codeKey, name).toString('hex'), guest.email !== null);
}

/** Builds the address of the page that takes the code of an invitation. */
export const codeLink = (publicUrl: string, formId: string, code: string): string =>
  `${publicUrl}/f/${formId}/code?${new URLSearchParams({ code })}`;

/** Builds the path of the page by which a guest begins or continues with a signed link. Whoever has it can read the answers. */
export const resumePath = (formId: string, token: string): string =>
  `/f/${formId}/resume?${new URLSearchParams({ guest: token })}`;
