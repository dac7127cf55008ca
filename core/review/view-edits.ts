/** Edits of a form's views: pure functions that return the next views or throw a Problem. */
import { problems } from '#core/problems/problems.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import {
  copyTitle,
  defaultTitle,
  isTaken,
  MAX_VIEWS,
  moveView,
  type View,
  type ViewInput,
  type ViewPatch,
  type Views,
} from './view-model.ts';

/** The id and time of a new view. */
type NewView = { id: string; now: string };

/** The view with an id. Throws 404 when there is none. */
export function requireView({ views }: Views, viewId: string): View {
  const view = views.find(({ id }) => id === viewId);
  if (!view) throw problems.notFound();
  return view;
}

/**
 * Adds a view at the end. Throws 409 for a given title in use, 400 for columns that are not questions of the form and
 * when the form has the largest number of views.
 */
export function addView(views: Views, input: ViewInput, structure: Structure, { id, now }: NewView): Views {
  requireRoom(views);
  const columns = input.columns ? columnIds(structure, input.columns) : allQuestions(structure);
  if (input.title) requireFree(views, input.title);
  const title = input.title ?? defaultTitle(views.views);
  const view = { id, title, locked: false, columns, createdAt: now, updatedAt: now };
  return { ...views, views: [...views.views, view] };
}

/** The ids of all questions of a form in workflow order. */
const allQuestions = (structure: Structure): string[] =>
  sectionsInOrder(structure).flatMap((section) => section.questions.map((question) => question.id));

/**
 * Adds an unlocked copy after a view. Throws 404 for an unknown view, 400 when the form has the largest number of
 * views.
 */
export function duplicateView(views: Views, viewId: string, { id, now }: NewView): Views {
  requireRoom(views);
  const original = requireView(views, viewId);
  const title = copyTitle(views.views, original.title);
  const copy = { ...original, id, title, locked: false, createdAt: now, updatedAt: now };
  return { ...views, views: views.views.toSpliced(views.views.indexOf(original) + 1, 0, copy) };
}

/**
 * Changes the title, columns or order of a view. Throws 404 for an unknown view, 409 for a title in use, 400 for
 * columns that are not questions of the form.
 */
export function patchView(views: Views, viewId: string, patch: ViewPatch, structure: Structure, now: string): Views {
  const view = requireView(views, viewId);
  const columns = patch.columns ? columnIds(structure, patch.columns, view.columns) : view.columns;
  if (patch.title !== undefined) requireFree(views, patch.title, viewId);
  const next = { ...view, title: patch.title ?? view.title, columns, updatedAt: now };
  const changed = views.views.map((each) => (each.id === viewId ? next : each));
  return { ...views, views: patch.order === undefined ? changed : moveView(changed, viewId, patch.order) };
}

/** Locks or unlocks a view. Throws 404 for an unknown view. */
export function lockView(views: Views, viewId: string, locked: boolean, now: string): Views {
  const view = requireView(views, viewId);
  if (view.locked === locked) return views;
  return { ...views, views: views.views.map((each) => (each === view ? { ...view, locked, updatedAt: now } : each)) };
}

/** Removes a view. Throws 404 for an unknown view, 409 for a locked one. */
export function removeView(views: Views, viewId: string): Views {
  if (requireView(views, viewId).locked) {
    throw problems.viewLocked();
  }
  return { ...views, views: views.views.filter(({ id }) => id !== viewId) };
}

function requireRoom({ views }: Views): void {
  if (views.length >= MAX_VIEWS) throw problems.tooManyViews(MAX_VIEWS);
}

function requireFree({ views }: Views, title: string, exceptId?: string): void {
  if (isTaken(views, title, exceptId)) throw problems.viewTitleTaken(title);
}

/**
 * The question ids of columns. Throws 400 for duplicates and unknown questions. Removed questions with answers and the
 * current columns of the view (`kept`) are allowed.
 */
function columnIds(
  structure: Structure,
  columns: NonNullable<ViewInput['columns']>,
  kept: readonly string[] = [],
): string[] {
  const ids = columns.map((column) => (typeof column === 'string' ? column : column.questionId));
  const known = new Set([...kept, ...structure.removed.map(({ id }) => id), ...allQuestions(structure)]);
  const faults = ids.flatMap((id, index) => {
    const pointer = `/body/columns/${index}`;
    if (ids.indexOf(id) < index) return [{ pointer, detail: 'is a duplicate of an earlier column' }];
    return known.has(id) ? [] : [{ pointer, detail: 'is not a question of this form' }];
  });
  if (faults.length > 0) throw problems.invalid(faults);
  return ids;
}
