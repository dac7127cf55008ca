/** The codes of invitations. */
import { expect, test } from 'vitest';
import { deriveGuestId, readCode, writeCode } from '#core/accounts/invitation-code.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64url');
const FORM = '7c9e6679-7425-8a1b-8f00-5d1c2b3a4f5e';

test('a code is written from the number and the generation, and stays the same', () => {
  expect(writeCode(KEY, { number: 42, generation: 10 })).toBe('0042-ACJH-VVXS-5T2');
  expect(writeCode(KEY, { number: 42, generation: 11 })).toBe('0042-BW3W-KRVD-A9C');
  expect(writeCode(KEY, { number: 12_345, generation: 0 })).toBe('12345-0WR2-KS6H-RFV');
  // Whenever the invitation was made.
  expect(writeCode(KEY, { number: 42, generation: 32 * 1_800_000_000_000 + 10 })).toBe('0042-ACJH-VVXS-5T2');
});

test('a code is read in any case, with or without hyphens and spaces, and with letters for digits', () => {
  const invitation = { number: 12_345, generation: 0 };
  for (const typed of ['12345-0WR2-KS6H-RFV', '123450wr2ks6hrfv', ' i2345 oWR2–KS6H RFV ', 'L2345‑OWR2KS6HRFV'])
    expect(readCode(KEY, typed), typed).toEqual(invitation);
  expect(readCode(KEY, '42-ACJH-VVXS-5T2')).toEqual({ number: 42, generation: 10 });
});

test.for([
  ['the code of another form', writeCode(OTHER_KEY, { number: 42, generation: 10 })],
  ['another number', '0043-ACJH-VVXS-5T2'],
  ['another generation', '0042-BCJH-VVXS-5T2'],
  ['a digit less', '0042-ACJH-VVXS-5T'],
  ['a digit more', '0042-ACJH-VVXS-5T22'],
  ['another last digit', '0042-ACJH-VVXS-5T3'],
  ['no number', 'ACJH-VVXS-5T2'],
  ['a letter that no code has', '0042-ACJH-VVXS-5TU'],
  ['nothing', ''],
  ['digits of another script', '٠٠٤٢-ACJH-VVXS-5T2'],
] as const)('%s is no code', ([, code]) => {
  expect(readCode(KEY, code)).toBeUndefined();
});

test('the id of a guest follows from the address in any case, or from the number', () => {
  const numbered = '7c9e6679-7425-8a1b-be1e-b17e07dfa5f7';
  const addressed = '7c9e6679-7425-8a1b-be1a-6e02b7686e30';
  expect(deriveGuestId(KEY, FORM, { email: null, number: 42 })).toBe(numbered);
  expect(deriveGuestId(KEY, FORM, { email: 'lin@example.org', number: 42 })).toBe(addressed);
  expect(deriveGuestId(KEY, FORM, { email: 'LIN@Example.org', number: 1 })).toBe(addressed);
  expect(deriveGuestId(OTHER_KEY, FORM, { email: null, number: 42 })).not.toBe(numbered);
});
