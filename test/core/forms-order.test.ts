/** The order of open forms for respondents: one text that sorts by deadline, then by title. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deadlineOrder } from '#core/forms/store.ts';

const ID = '00000000-0000-8000-8000-000000000000';

const Title = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 4 })
    .filter((title) => [...title].every((character) => character > '\u0001')),
  fc.string({
    unit: fc.constantFrom('a', 'b', '#', ' ', '!', '\n', '🐸', '\uffee', '\u{10ffff}'),
    minLength: 1,
    maxLength: 4,
  }),
);
const Deadline = fc.constantFrom(
  null,
  '0000-01-01T00:00:00.000Z',
  '2026-05-01T12:00:00.000Z',
  '2026-05-01T12:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
);
const AnyForm = fc.record({ title: Title, deadline: Deadline, formId: fc.constant(ID) });

/** The order of the index: by bytes in UTF-8. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Which of two titles comes first, character by character. */
function byTitle(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

test('the earlier deadline first, none last, then the title', () => {
  fc.assert(
    fc.property(AnyForm, AnyForm, (a, b) => {
      const byDeadline =
        Number(a.deadline === null) - Number(b.deadline === null) || byTitle(a.deadline ?? '', b.deadline ?? '');
      const expected = byDeadline || byTitle(a.title, b.title);
      expect(Math.sign(compareBytes(deadlineOrder(a), deadlineOrder(b)))).toBe(Math.sign(expected));
    }),
    { numRuns: 2_000 },
  );
});
