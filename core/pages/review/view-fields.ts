/** Parses the forms of views, and applies their changes. */

import type { Problem, ProblemCode } from '#core/problems/problems.ts';
import { formatList } from '#core/schema/format.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { ResponseQuery } from '#core/table/model.ts';
import { type SavedView, ViewPatch, type Views, withKnownQuestions } from '#core/views/model.ts';
import { listViewColumns, patchView, requireView } from '#core/views/views.ts';
import type { PageContext } from '../shell/context.ts';
import type { Overwritten } from '../shell/controls.ts';
import { hashContent } from '../shell/typed-form.ts';
import { getReviewTexts } from '../text/review.ts';
import { columnTitle, listQuestionIds } from './columns.ts';
import { type ListAddress, parseListAddress, toKeptQuery } from './list-address.ts';

/** The typed title and columns of a view, and what a new one keeps of the table: null for nothing. */
export type TypedView = { title: string; columns: string[]; query: ResponseQuery | null };

/** What is wrong with a view; said at its title. */
export type ViewErrors = { title?: 'titleTaken' | 'titleInvalid' | 'tooMany' | 'tooLarge' };

/** Returns what a view keeps of the table at an address, without questions that are gone. */
export function keepQuery(structure: Structure, address: ListAddress): ResponseQuery | null {
  const query = toKeptQuery(address);
  return query && withKnownQuestions(query, structure);
}

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

/** Parses the title and columns of a posted form, and the table whose filter is kept; questions that were removed meanwhile are left out. */
export function parseTypedView(fields: URLSearchParams, structure: Structure, timeZone: string): TypedView {
  const chosen = new Set(fields.getAll('column'));
  const list = fields.has('keep') ? new URLSearchParams(fields.get('list') ?? '') : undefined;
  return {
    query: list ? keepQuery(structure, parseListAddress(structure.formId, list, timeZone)) : null,
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
  { viewId, typed, now }: { viewId: string; typed: Omit<TypedView, 'query'>; now: string },
): Views {
  const current = requireView(views, viewId);
  const added = typed.columns.filter((id) => !current.columns.includes(id));
  const columns = [...current.columns.filter((id) => typed.columns.includes(id)), ...added];
  // Sent twice, the view is already as it was typed.
  if (hashView({ title: typed.title, columns }) === hashView(current)) return views;
  return patchView(views, viewId, { title: typed.title, columns }, structure, now);
}
