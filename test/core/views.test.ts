/**
 * Edits of a form's views. The properties compare the order with a model that shifts numbers, and free titles with a
 * plain search.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Problem } from '#core/problems/problems.ts';
import { MAX_VIEWS } from '#core/schema/limits.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, moveView, presentView, type SavedView, ViewPatch, type Views } from '#core/views/model.ts';
import { addView, duplicateView, lockView, patchView, removeView } from '#core/views/views.ts';

const id = (number: number): string => `00000000-0000-8000-8000-${String(number).padStart(12, '0')}`;
const NOW = '2026-01-01T00:00:00.000Z';
const THEN = '2026-02-02T00:00:00.000Z';
const [FIRST, SECOND, REMOVED, FOREIGN] = [id(1), id(2), id(3), id(4)];

const question = (questionId: string, title: string): Question => ({
  id: questionId,
  type: 'SHORT_TEXT',
  required: false,
  title,
  description: null,
  createdAt: NOW,
  updatedAt: NOW,
});

/** A form whose sections are linked in reverse order of their creation, and which has a removed question. */
const structure: Structure = {
  formId: id(99),
  version: 1,
  nodes: [
    { id: id(20), type: 'SECTION', label: 'Later', payload: {} },
    { id: id(21), type: 'SECTION', label: 'Sooner', payload: {}, next: id(20) },
    { id: id(22), type: 'START', label: '', payload: {}, next: id(21) },
  ],
  sections: [
    { id: id(20), description: null, questions: [question(SECOND, 'Second')], createdAt: NOW, updatedAt: NOW },
    { id: id(21), description: null, questions: [question(FIRST, 'First')], createdAt: NOW, updatedAt: NOW },
  ],
  removed: [{ id: REMOVED, sectionId: id(20), type: 'SHORT_TEXT', title: 'Third', removedAt: NOW }],
};

const view = (number: number, more: Partial<SavedView> = {}): SavedView => ({
  id: id(100 + number),
  title: `view ${number}`,
  locked: false,
  columns: [FIRST],
  createdAt: NOW,
  updatedAt: NOW,
  ...more,
});
const viewsOf = (views: SavedView[]): Views => ({ formId: id(99), version: 1, views });
const created = { id: id(7), now: THEN };

/** What a change is refused with: status, code and pointers. */
function refusal(change: () => unknown) {
  try {
    change();
  } catch (error) {
    if (error instanceof Problem)
      return [error.status, error.code, ...error.errors.map(({ pointer }) => pointer)] as const;
    throw error;
  }
  return undefined;
}

describe('a free title', () => {
  test('is the requested one, else the requested one with the lowest free number in full-width parentheses', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(8), { maxLength: 9 }), fc.boolean(), (numbers, isTaken) => {
        const titles = [...(isTaken ? ['x'] : []), ...numbers.map((number) => `x（${number}）`)];
        const free = findFreeTitle(
          titles.map((title, index) => view(index, { title })),
          'x',
        );
        const candidates = ['x', ...Array.from({ length: 10 }, (_, index) => `x（${index + 1}）`)];
        expect(free).toBe(candidates.find((title) => !titles.includes(title)));
      }),
    );
  });
});

describe('the order of views', () => {
  test('is clamped, and moving a view shifts exactly those between its old and its new place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(8), fc.integer({ min: -3, max: 12 }), (count, nth, to) => {
        const from = nth % count;
        const views = Array.from({ length: count }, (_, index) => view(index));
        const target = Math.max(0, Math.min(count - 1, to));
        const orderOf = (place: number): number => {
          if (place === from) return target;
          if (from < place && place <= target) return place - 1;
          return target <= place && place < from ? place + 1 : place;
        };
        const moved = moveView(views, view(from).id, to);
        expect(views.map((each) => moved.findIndex((other) => other.id === each.id))).toEqual(
          views.map((_, place) => orderOf(place)),
        );
      }),
    );
  });
});

describe('a new view', () => {
  test('has all questions as columns, in the order in which the form shows them, and is the last', () => {
    const next = addView(viewsOf([view(1)]), {}, structure, created);
    expect(next.views.at(-1)).toEqual({
      id: created.id,
      title: '尚未命名的分頁',
      locked: false,
      columns: [FIRST, SECOND],
      createdAt: THEN,
      updatedAt: THEN,
    });
    expect(next.views[0]).toEqual(view(1));
  });

  test('is refused for a given title in use (409), and for columns that are no question of the form or named twice (400)', () => {
    const views = viewsOf([view(1)]);
    expect(refusal(() => addView(views, { title: 'view 1' }, structure, created))).toEqual([
      409,
      'view_title_taken',
      '/body/title',
    ]);
    const columns = [FIRST, FOREIGN, SECOND, FIRST, REMOVED];
    expect(refusal(() => addView(views, { columns }, structure, created))).toEqual([
      400,
      'invalid_request',
      '/body/columns/1',
      '/body/columns/3',
    ]);
  });

  test(`is refused when the form has ${MAX_VIEWS} views`, () => {
    const full = viewsOf(Array.from({ length: MAX_VIEWS }, (_, index) => view(index)));
    expect(refusal(() => addView(full, {}, structure, created))).toEqual([400, 'too_many_views']);
    expect(refusal(() => duplicateView(full, view(1).id, created))).toEqual([400, 'too_many_views']);
  });
});

describe('changing a view', () => {
  const views = viewsOf([view(1), view(2, { columns: [REMOVED, FIRST] }), view(3)]);

  test('changes what is given, of that view alone', () => {
    const next = patchView(views, view(2).id, { title: 'new', columns: [SECOND] }, structure, THEN);
    expect(next.views).toEqual([view(1), view(2, { title: 'new', columns: [SECOND], updatedAt: THEN }), view(3)]);
  });

  test('keeps columns of removed questions, and takes columns as a view shows them', () => {
    const columns = [SECOND, REMOVED];
    expect(patchView(views, view(1).id, { columns }, structure, THEN).views[0]?.columns).toEqual(columns);
    const shown = presentView(views, view(2, { columns }), structure);
    expect(patchView(views, view(2).id, shown, structure, THEN).views[1]?.columns).toEqual(columns);
    expect(addView(views, { columns: shown.columns }, structure, created).views.at(-1)?.columns).toEqual(columns);
  });

  test('refuses a column named twice, and points at the second one', () => {
    const patch = { columns: [FIRST, SECOND, FIRST] };
    expect(refusal(() => patchView(views, view(1).id, patch, structure, THEN))).toEqual([
      400,
      'invalid_request',
      '/body/columns/2',
    ]);
  });

  test('accepts its own title again, and not that of another view', () => {
    const same = patchView(views, view(1).id, { title: 'view 1' }, structure, THEN);
    expect(same.views[0]?.title).toBe('view 1');
    expect(refusal(() => patchView(views, view(1).id, { title: 'view 2' }, structure, THEN))?.[0]).toBe(409);
  });
});

describe('a copy', () => {
  test('of a view with the longest title is cut before its suffix, and its title can be sent back', () => {
    const title = '題'.repeat(200);
    let views = viewsOf([view(1, { title })]);
    for (const number of [2, 3]) views = duplicateView(views, view(1).id, { ...created, id: view(number).id });
    const titles = views.views.map((each) => each.title);
    expect(titles).toEqual([title, `${'題'.repeat(194)}的副本（1）`, `${'題'.repeat(197)}的副本`]);
    for (const each of titles) expect(ViewPatch().safeParse({ title: each }).success).toBe(true);
  });

  test('is right after its original, unlocked, with its columns and a free title', () => {
    const views = viewsOf([view(1, { locked: true, columns: [SECOND] }), view(2, { title: 'view 1的副本' })]);
    const next = duplicateView(views, view(1).id, created);
    const copy = { ...created, title: 'view 1的副本（1）', locked: false, columns: [SECOND] };
    expect(next.views.map(({ title }) => title)).toEqual(['view 1', 'view 1的副本（1）', 'view 1的副本']);
    expect(next.views[1]).toEqual({
      id: copy.id,
      title: copy.title,
      locked: copy.locked,
      columns: copy.columns,
      createdAt: THEN,
      updatedAt: THEN,
    });
  });
});

describe('a lock', () => {
  test('prevents deleting (409) until it is unlocked; locking a locked view changes nothing', () => {
    const views = viewsOf([view(1), view(2)]);
    const locked = lockView(views, view(1).id, true, THEN);
    expect(refusal(() => removeView(locked, view(1).id))).toEqual([409, 'view_locked']);
    expect(lockView(locked, view(1).id, true, THEN)).toBe(locked);
    expect(removeView(lockView(locked, view(1).id, false, THEN), view(1).id).views).toEqual([view(2)]);
  });
});

describe('a view that does not exist', () => {
  test('is 404 for every change', () => {
    const views = viewsOf([view(1)]);
    const unknown = view(9).id;
    expect(refusal(() => patchView(views, unknown, {}, structure, THEN))?.[0]).toBe(404);
    expect(refusal(() => duplicateView(views, unknown, created))?.[0]).toBe(404);
    expect(refusal(() => lockView(views, unknown, true, THEN))?.[0]).toBe(404);
    expect(refusal(() => removeView(views, unknown))?.[0]).toBe(404);
  });
});

describe('a view as it is shown', () => {
  test('has its place and the present titles of its columns, marks a removed question and leaves out an unknown one', () => {
    const shown = view(2, { columns: [SECOND, REMOVED, FOREIGN, FIRST] });
    expect(presentView(viewsOf([view(1), shown]), shown, structure)).toMatchObject({
      formId: id(99),
      order: 1,
      columns: [
        { questionId: SECOND, questionTitle: 'Second' },
        { questionId: REMOVED, questionTitle: 'Third (removed)' },
        { questionId: FIRST, questionTitle: 'First' },
      ],
    });
  });
});
