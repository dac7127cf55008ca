/** The forms of views: what they send, and what it changes. */
import { Problem, problems } from '#core/problems/problems.ts';
import { sha256 } from '#core/schema/hash.ts';
import type { Structure } from '#core/structure/structure.ts';
import { findFreeTitle, type View, ViewPatch, type Views } from '#core/views/model.ts';
import { duplicateView, lockView, patchView, removeView, requireView } from '#core/views/views.ts';
import { questionIdsIn } from './columns.ts';
import type { TypedView } from './views.ts';

/** The title and columns of a posted form; columns that are gone meanwhile are left out. */
export function typedView(fields: URLSearchParams, structure: Structure): { title: string; columns: string[] } {
  const chosen = new Set(fields.getAll('column'));
  return {
    title: (fields.get('title') ?? '').trim(),
    columns: questionIdsIn(structure).filter((id) => chosen.has(id)),
  };
}

/** A short text that is equal exactly for equal titles and columns: whether a view has changed since it was shown. */
export const viewStamp = ({ title, columns }: Pick<View, 'title' | 'columns'>): string =>
  sha256(JSON.stringify([title, columns]), 'base64url').slice(0, 8);

type Change = {
  viewId: string;
  action: string;
  typed: { title: string; columns: string[] };
  /** The stamp of the view from which the form was made. */
  stamp: string | null;
  newId: string;
  now: string;
  /** The title of a copy in the language of the reader. */
  copyOf(title: string): string;
};

/**
 * The views after a change. Throws 400 for an invalid title or action, 409 when somebody else has changed the title or
 * the columns since, and like the edits of views.
 */
export function changedViews(views: Views, structure: Structure, change: Change): Views {
  const { viewId, action, newId, now, copyOf } = change;
  const place = views.views.indexOf(requireView(views, viewId));
  const moved = (order: number) => patchView(views, viewId, { order: Math.max(order, 0) }, structure, now);
  switch (action) {
    case 'save':
      return savedView(views, structure, change);
    case 'up':
      return moved(place - 1);
    case 'down':
      return moved(place + 1);
    case 'duplicate':
      return copied(views, structure, { viewId, newId, now, copyOf });
    case 'lock':
    case 'unlock':
      return lockView(views, viewId, action === 'lock', now);
    case 'delete':
      return removeView(views, viewId);
    default:
      throw problems.invalid([{ pointer: '/body/do', detail: 'is not an action' }]);
  }
}

function savedView(views: Views, structure: Structure, { viewId, typed, stamp, now }: Change): Views {
  const current = requireView(views, viewId);
  const title = validTitle(typed.title);
  const added = typed.columns.filter((id) => !current.columns.includes(id));
  const columns = [...current.columns.filter((id) => typed.columns.includes(id)), ...added];
  const stored = viewStamp(current);
  // Sent twice, the view is already as it was typed.
  if (viewStamp({ title, columns }) === stored) return views;
  if (stamp !== stored) throw problems.stale();
  return patchView(views, viewId, { title, columns }, structure, now);
}

function copied(
  views: Views,
  structure: Structure,
  { viewId, newId, now, copyOf }: Pick<Change, 'viewId' | 'newId' | 'now' | 'copyOf'>,
): Views {
  const title = findFreeTitle(views.views, requireView(views, viewId).title, copyOf);
  return patchView(duplicateView(views, viewId, { id: newId, now }), newId, { title }, structure, now);
}

/** The title of a view. Throws 400 for one that is empty, too long or not one line. */
export function validTitle(title: string): string {
  if (ViewPatch().safeParse({ title }).success) return title;
  throw problems.invalid([{ pointer: '/body/title', detail: 'must be one line of 1 to 200 characters' }]);
}

/** What a problem says about a view that was typed. Throws every other error. */
export function viewError(error: unknown): TypedView['error'] {
  if (error instanceof Problem && error.code === 'stale_version') return 'changedElsewhere';
  if (error instanceof Problem && error.code === 'view_title_taken') return 'titleTaken';
  if (error instanceof Problem && error.errors.some(({ pointer }) => pointer === '/body/title')) return 'titleInvalid';
  throw error;
}
