/** The order of a respondent's forms (contract section 4, "`/forms/me`"): one text that sorts as three rules do. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newForm } from '#core/forms/edit.ts';
import type { Form } from '#core/forms/model.ts';
import { compare, placeOf } from '#core/responses/form-summaries.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const ID = '00000000-0000-8000-8000-000000000000';
const blank = newForm(
  { title: 'x', visibility: 'PUBLIC', allowEditResponse: true },
  { id: ID, orgId: ID, userId: ID, now: NOW.toISOString() },
);

const Title = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 4 })
    .filter((title) => [...title].every((character) => character > '\u0001')),
  fc.string({
    unit: fc.constantFrom('a', 'b', '#', ' ', '!', '🐸', '\uffee', '\u{10ffff}'),
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
const AnyForm = fc
  .record({ title: Title, deadline: Deadline, status: fc.constantFrom('PUBLISHED' as const, 'ARCHIVED' as const) })
  .map((more): Form => ({ ...blank, ...more }));

const isOpen = ({ status, deadline }: Form): boolean =>
  status === 'PUBLISHED' && (deadline === null || deadline >= NOW.toISOString());

/** Which of two titles comes first, character by character. */
function byTitle(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

test('open before closed, then the earlier deadline, none last, then the title', () => {
  fc.assert(
    fc.property(AnyForm, AnyForm, (a, b) => {
      const closed = Number(isOpen(b)) - Number(isOpen(a));
      const deadline =
        Number(a.deadline === null) - Number(b.deadline === null) || byTitle(a.deadline ?? '', b.deadline ?? '');
      const wanted = closed || deadline || byTitle(a.title, b.title);
      expect(Math.sign(compare(placeOf(a, NOW), placeOf(b, NOW)))).toBe(Math.sign(wanted));
    }),
    { numRuns: 2_000 },
  );
});
