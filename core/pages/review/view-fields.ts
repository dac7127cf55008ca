/** Parses the forms of views, and applies their changes. */
import { Problem, problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, type SavedView, ViewPatch, type Views } from '#core/views/model.ts';
import { duplicateView, lockView, patchView, removeView, requireView } from '#core/views/views.ts';
import { listQuestionIds } from './columns.ts';

/** The typed title and columns of a view, and what is wrong with them. */
export type TypedView = {
  title: string;
  columns: readonly string[];
  error?: 'titleTaken' | 'titleInvalid' | 'changedElsewhere' | undefined;
};

/** Parses the title and columns of a posted form; columns that were removed meanwhile are left out. */
export function parseTypedView(fields: URLSearchParams, structure: Structure): { title: string; columns: string[] } {
  const chosen = new Set(fields.getAll('column'));
  return {
    title: (fields.get('title') ?? '').trim(),
    columns: listQuestionIds(structure).filter((id) => chosen.has(id)),
  };
}

/** Hashes the title and columns of a view, to detect that it has changed since it was shown. */
export const hashView = ({ title, columns }: Pick<SavedView, 'title' | 'columns'>): string =>
  sha256(JSON.stringify([title, columns]), 'base64url').slice(0, 8);

type ViewChange = {
  viewId: string;
  action: string;
  typed: { title: string; columns: string[] };
  /** The hash of the view that the form showed. */
  viewHash: string | null;
  newId: string;
  now: string;
  /** The title of a copy in the language of the reader. */
  copyOf(title: string): string;
};

/**
 * Applies a change to the views; a title to save must be valid. Throws 400 for an invalid action, 409 when somebody else has
 * changed the title or the columns since, and like the edits of views.
 */
export function changeViews(views: Views, structure: Structure, change: ViewChange): Views {
  const { viewId, action, newId, now, copyOf } = change;
  const position = views.views.indexOf(requireView(views, viewId));
  const moveTo = (order: number) => patchView(views, viewId, { order: Math.max(order, 0) }, structure, now);
  switch (action) {
    case 'save':
      return saveTypedView(views, structure, change);
    case 'up':
      return moveTo(position - 1);
    case 'down':
      return moveTo(position + 1);
    case 'duplicate':
      return copyView(views, structure, { viewId, newId, now, copyOf });
    case 'lock':
    case 'unlock':
      return lockView(views, viewId, action === 'lock', now);
    case 'delete':
      return removeView(views, viewId);
    default:
      throw problems.invalid([{ pointer: '/body/do', detail: 'is not an action' }]);
  }
}

function saveTypedView(views: Views, structure: Structure, { viewId, typed, viewHash, now }: ViewChange): Views {
  const current = requireView(views, viewId);
  const { title } = typed;
  const added = typed.columns.filter((id) => !current.columns.includes(id));
  const columns = [...current.columns.filter((id) => typed.columns.includes(id)), ...added];
  const currentHash = hashView(current);
  // Sent twice, the view is already as it was typed.
  if (hashView({ title, columns }) === currentHash) return views;
  if (viewHash !== currentHash) throw problems.stale();
  return patchView(views, viewId, { title, columns }, structure, now);
}

function copyView(
  views: Views,
  structure: Structure,
  { viewId, newId, now, copyOf }: Pick<ViewChange, 'viewId' | 'newId' | 'now' | 'copyOf'>,
): Views {
  const title = findFreeTitle(views.views, requireView(views, viewId).title, copyOf);
  return patchView(duplicateView(views, viewId, { id: newId, now }), newId, { title }, structure, now);
}

/** Finds what is wrong with a typed title: it is empty, too long or not one line; undefined if nothing is. */
export const findTitleError = (title: string): 'titleInvalid' | undefined =>
  ViewPatch().safeParse({ title }).success ? undefined : 'titleInvalid';

/** Converts a problem to the error of a typed view. Throws every other error. */
export function toViewError(error: unknown): TypedView['error'] {
  if (error instanceof Problem && error.code === 'stale_version') return 'changedElsewhere';
  if (error instanceof Problem && error.code === 'view_title_taken') return 'titleTaken';
  throw error;
}
