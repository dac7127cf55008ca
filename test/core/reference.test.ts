/** References of responses: written and read by hand, with a slip of the pen. */
import { describe, expect, test } from 'vitest';
import { formatReference, isMistypedReference, parseReference, toResponseId } from '#core/responses/reference.ts';

const FORM = '0199aabb-ccdd-8eee-9234-0123456789ab';
const ID = '0199aabb-ccdd-8eee-8f01-23456789abcd';
const REFERENCE = '8Y093-8NKRK-AYD58';

describe('the reference of a response', () => {
  test.each([
    [ID, REFERENCE],
    ['0199aabb-ccdd-8eee-bfff-ffffffffffff', 'BZZZZ-ZZZZZ-ZZZ9H'],
    ['0199aabb-ccdd-8eee-8000-000000000000', '80000-00000-000VJ'],
  ])('of %s is %s, which leads back to it', (id, reference) => {
    expect(formatReference(id)).toBe(reference);
    expect(toResponseId(parseReference(reference) ?? '', FORM)).toBe(id);
  });

  test.each([
    REFERENCE,
    '8y093 8nkrk ayd58',
    ' 8YO938NKRKAYD58 ',
    '8Y093 – 8NKRK – AYD58',
    ID,
    ID.toUpperCase(),
  ])('is read as %s', (text) => {
    expect(toResponseId(parseReference(text) ?? '', FORM)).toBe(ID);
  });

  test('of eight digits, as it was before, does not say which response it is', () => {
    expect(parseReference('8901-ABCD')).toBe('8901abcd');
    expect(toResponseId('8901abcd', FORM)).toBeUndefined();
  });

  test('of another form leads to none, as its id', () => {
    const other = `0199aabb-ccdd-8eef${FORM.slice(18)}`;
    expect(toResponseId(parseReference(ID) ?? '', other)).toBeUndefined();
  });
});

test('every wrong digit, and every exchange of two neighbours, is noticed', () => {
  const digits = [...REFERENCE.replaceAll('-', '')];
  const wrong = digits.flatMap((digit, index) =>
    [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'].filter((each) => each !== digit).map((each) => digits.with(index, each)),
  );
  const exchanged = digits
    .slice(1)
    .flatMap((digit, index) =>
      digit === digits[index] ? [] : [digits.with(index, digit).with(index + 1, digits[index] ?? '')],
    );
  const texts = [...wrong, ...exchanged].map((each) => each.join(''));
  expect(texts).toHaveLength(15 * 31 + 14);
  expect(texts.filter((text) => parseReference(text) !== undefined)).toEqual([]);
  // Larger numbers than references have are no references at all.
  expect(texts.filter((text) => !isMistypedReference(text) && text < 'G')).toEqual([]);
});

test('a name of fifteen letters, and any other text, is no reference with a slip', () => {
  for (const text of ['Bartlett Pawsey', 'Bartlettpawseyy', 'Ann Bennett', '8901-ABCE', '1234567890', ID, REFERENCE])
    expect([text, isMistypedReference(text)]).toEqual([text, false]);
});
