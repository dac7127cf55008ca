/** The forms of views: what they send, and what it changes. */
import { Problem, problems } from '#core/problems/problems.ts';
import { duplicateView, lockView, patchView, removeView, requireView } from '#core/review/view-edits.ts';
import { freeTitle, ViewPatch, type Views } from '#core/review/view-model.ts';
import type { Structure } from '#core/structure/structure.ts';
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

type Change = {
  viewId: string;
  action: string;
  typed: { title: string; columns: string[] };
  newId: string;
  now: string;
  /** The title of a copy in the language of the reader. */
  copyOf(title: string): string;
};

/** The views after a change. Throws 400 for an invalid title or action, and like the edits of views. */
export function changedViews(
  views: Views,
  structure: Structure,
  { viewId, action, typed, newId, now, copyOf }: Change,
): Views {
  const place = views.views.indexOf(requireView(views, viewId));
  const moved = (order: number) => patchView(views, viewId, { order: Math.max(order, 0) }, structure, now);
  switch (action) {
    case 'save':
      return patchView(views, viewId, { title: validTitle(typed.title), columns: typed.columns }, structure, now);
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

function copied(
  views: Views,
  structure: Structure,
  { viewId, newId, now, copyOf }: Omit<Change, 'action' | 'typed'>,
): Views {
  const title = freeTitle(views.views, copyOf(requireView(views, viewId).title));
  return patchView(duplicateView(views, viewId, { id: newId, now }), newId, { title }, structure, now);
}

/** The title of a view. Throws 400 for one that is empty or too long. */
export function validTitle(title: string): string {
  if (ViewPatch().safeParse({ title }).success) return title;
  throw problems.invalid([{ pointer: '/body/title', detail: 'must be 1 to 200 characters' }]);
}

/** What a problem says about the title of a view. Throws every other error. */
export function titleError(error: unknown): TypedView['error'] {
  if (error instanceof Problem && error.code === 'view_title_taken') return 'titleTaken';
  if (error instanceof Problem && error.errors.some(({ pointer }) => pointer === '/body/title')) return 'titleInvalid';
  throw error;
}
