/** What the operations on views make of a form's views: pure functions with the refusals of contract section 9. */
import { problems } from '#core/problems/problems.ts';
import { displayOrder } from '#core/structure/path.ts';
import { findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
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

type Made = { id: string; now: string };

/** The view of an id; 404 when there is none. */
export function requireView({ views }: Views, viewId: string): View {
  const view = views.find(({ id }) => id === viewId);
  if (!view) throw problems.notFound();
  return view;
}

/**
 * Views with one more at the end; as they are when a run of the same request has made it before. Throws 409 for a
 * given title in use, 400 for a column of another form.
 */
export function addView(views: Views, input: ViewInput, structure: Structure, made: Made): Views {
  if (isMade(views, made)) return views;
  requireRoom(views);
  requireColumns(structure, input.columns);
  if (input.title) requireFree(views, input.title);
  const title = input.title ?? defaultTitle(views.views);
  const view = newView({ ...made, title, columns: input.columns ?? allQuestions(structure) });
  return { ...views, views: [...views.views, view] };
}

const isMade = ({ views }: Views, { id }: Made): boolean => views.some((view) => view.id === id);

/** The ids of all questions of a form, in the order in which it shows them. */
const allQuestions = (structure: Structure): string[] =>
  displayOrder(structure)
    .map((sectionId) => findSection(structure, sectionId))
    .flatMap((section) => section?.questions.map((question) => question.id) ?? []);

const newView = ({ id, title, columns, now }: Made & { title: string; columns: string[] }): View => ({
  id,
  title,
  locked: false,
  columns,
  createdAt: now,
  updatedAt: now,
});

/** Views with a copy of one right after it, unlocked; as they are when a run of the same request has made it before. */
export function duplicateView(views: Views, viewId: string, made: Made): Views {
  if (isMade(views, made)) return views;
  requireRoom(views);
  const original = requireView(views, viewId);
  const copy = newView({ ...made, title: copyTitle(views.views, original.title), columns: [...original.columns] });
  return { ...views, views: views.views.toSpliced(views.views.indexOf(original) + 1, 0, copy) };
}

/** Views with one changed. Throws as `addView`. */
export function patchView(views: Views, viewId: string, patch: ViewPatch, structure: Structure, now: string): Views {
  const view = requireView(views, viewId);
  requireColumns(structure, patch.columns, view.columns);
  if (patch.title !== undefined) requireFree(views, patch.title, viewId);
  const next = { ...view, title: patch.title ?? view.title, columns: patch.columns ?? view.columns, updatedAt: now };
  const changed = views.views.map((each) => (each.id === viewId ? next : each));
  return { ...views, views: patch.order === undefined ? changed : moveView(changed, viewId, patch.order) };
}

/** Views with one locked or unlocked. */
export function lockView(views: Views, viewId: string, locked: boolean, now: string): Views {
  const view = requireView(views, viewId);
  if (view.locked === locked) return views;
  return { ...views, views: views.views.map((each) => (each === view ? { ...view, locked, updatedAt: now } : each)) };
}

/** Views without one. Throws 409 for a locked one. */
export function removeView(views: Views, viewId: string): Views {
  if (requireView(views, viewId).locked) {
    throw problems.conflict('view_locked', 'The view is locked: unlock it before deleting it');
  }
  return { ...views, views: views.views.filter(({ id }) => id !== viewId) };
}

function requireRoom({ views }: Views): void {
  if (views.length >= MAX_VIEWS) throw problems.wrongState('too_many_views', `A form may have ${MAX_VIEWS} views`);
}

function requireFree({ views }: Views, title: string, exceptId?: string): void {
  if (!isTaken(views, title, exceptId)) return;
  const detail = `A view with the title "${title}" exists: choose another`;
  throw problems.conflict('view_title_taken', detail, [{ pointer: '/body/title', detail: 'is in use' }]);
}

/** 400 for columns that are neither questions of the form nor `kept`, as those of removed questions are, or named twice. */
function requireColumns(
  structure: Structure,
  columns: readonly string[] | null | undefined,
  kept: readonly string[] = [],
): void {
  const seen = new Set<string>();
  const faults = (columns ?? []).flatMap((questionId, index) => {
    const pointer = `/body/columns/${index}`;
    if (seen.has(questionId)) return [{ pointer, detail: 'is named twice' }];
    seen.add(questionId);
    const known = kept.includes(questionId) || findQuestion(structure, questionId) !== undefined;
    return known ? [] : [{ pointer, detail: 'is not a question of this form' }];
  });
  if (faults.length > 0) throw problems.invalid(faults);
}
