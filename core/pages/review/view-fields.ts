/** Parses the forms of views, and applies their changes. */

import { type Problem, type ProblemCode, problems } from '#core/problems/problems.ts';
import { formatList } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, type SavedView, ViewPatch, type Views } from '#core/views/model.ts';
import { duplicateView, lockView, patchView, removeView, requireView } from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import type { Overwritten } from '../shell/controls.ts';
import { hashContent } from '../shell/typed-form.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle, listQuestionIds, listViewColumns } from './columns.ts';

/** The typed title and columns of a view. */
export type TypedView = { title: string; columns: string[] };

/** What is wrong with a view; said at its title. */
export type ViewErrors = { title?: 'titleTaken' | 'titleInvalid' | 'tooMany' | 'tooLarge' };

const REFUSALS: Partial<Record<ProblemCode, ViewErrors['title']>> = {
  view_title_taken: 'titleTaken',
  too_many_views: 'tooMany',
  content_too_large: 'tooLarge',
};

/** Says why a view was refused; undefined for a problem that has its own page. */
export function explainView({ code }: Problem): { errors: ViewErrors; status: 400 | 413 } | undefined {
  const title = REFUSALS[code];
  return title && { errors: { title }, status: title === 'tooLarge' ? 413 : 400 };
}

/** Parses the title and columns of a posted form; columns that were removed meanwhile are left out. */
export function parseTypedView(fields: URLSearchParams, structure: Structure): TypedView {
  const chosen = new Set(fields.getAll('column'));
  return {
    title: (fields.get('title') ?? '').trim(),
    columns: listQuestionIds(structure).filter((id) => chosen.has(id)),
  };
}

/** Whether a view can have a title: not empty, not too long, and one line. */
export const isValidTitle = (title: string): boolean => ViewPatch().safeParse({ title }).success;

/** Hashes the title and columns of a view. */
export const hashView = ({ title, columns }: Pick<SavedView, 'title' | 'columns'>): string =>
  hashContent([title, columns]);

/** Lists the title and the columns of a view that differ from the typed ones. The order of columns is not typed. */
export function listOverwritten(
  context: PageContext,
  structure: Structure,
  stored: SavedView,
  typed: TypedView,
): Overwritten[] {
  const { edit } = getReviewTexts(context);
  const columns = listViewColumns(structure, stored);
  const isSame = columns.length === typed.columns.length && columns.every(({ id }) => typed.columns.includes(id));
  const titles = columns.map((column) => columnTitle(context, structure, column));
  return [
    ...(stored.title === typed.title ? [] : [{ label: edit.name, theirs: stored.title }]),
    ...(isSame ? [] : [{ label: edit.choose, theirs: formatList(context, titles) }]),
  ];
}

/** Replaces the title and the columns of a view; the order of columns that stay is kept. Throws 409 for a title in use. */
export function saveTypedView(
  views: Views,
  structure: Structure,
  { viewId, typed, now }: { viewId: string; typed: TypedView; now: string },
): Views {
  const current = requireView(views, viewId);
  const added = typed.columns.filter((id) => !current.columns.includes(id));
  const columns = [...current.columns.filter((id) => typed.columns.includes(id)), ...added];
  // Sent twice, the view is already as it was typed.
  if (hashView({ title: typed.title, columns }) === hashView(current)) return views;
  return patchView(views, viewId, { title: typed.title, columns }, structure, now);
}

type ViewChange = {
  viewId: string;
  action: string;
  newId: string;
  now: string;
  /** The title of a copy in the language of the reader. */
  copyOf(title: string): string;
};

/** Applies a button of the page of a view. Throws 400 for another action, and like the edits of views. */
export function changeViews(views: Views, structure: Structure, change: ViewChange): Views {
  const { viewId, action, newId, now, copyOf } = change;
  const position = views.views.indexOf(requireView(views, viewId));
  const moveTo = (order: number) => patchView(views, viewId, { order: Math.max(order, 0) }, structure, now);
  switch (action) {
    case 'up':
      return moveTo(position - 1);
    case 'down':
      return moveTo(position + 1);
    case 'duplicate': {
      const title = findFreeTitle(views.views, requireView(views, viewId).title, copyOf);
      return patchView(duplicateView(views, viewId, { id: newId, now }), newId, { title }, structure, now);
    }
    case 'lock':
    case 'unlock':
      return lockView(views, viewId, action === 'lock', now);
    case 'delete':
      return removeView(views, viewId);
    default:
      throw problems.invalid([{ pointer: '/body/do', detail: 'is not an action' }]);
  }
}
