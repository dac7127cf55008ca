/** Changes a form's views: a pure function and one conditional write, repeated after a concurrent edit. */

import { type Opener, parsePathId, requireCaller, unlessRepeated } from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import { change, type Edit } from '#core/db/change.ts';
import { decode, encode, entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write, WriteRefused } from '#core/db/table.ts';
import { parseGate } from '#core/forms/gate.ts';
import { admitToGate, loadStructureFor, type OpenedStructure } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_VIEWS } from '#core/schema/limits.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSortable } from '#core/structure/types/formats.ts';
import { listBoundFaults, requireQuestions } from '#core/table/check-filter.ts';
import type { ResponseQuery } from '#core/table/model.ts';
import { listColumns, pickColumns, type TableColumn } from '#core/table/table.ts';
import {
  copyTitle,
  defaultTitle,
  isTitleInUse,
  moveView,
  type SavedView,
  type ViewInput,
  type ViewPatch,
  type Views,
} from './model.ts';

/**
 * Applies `edit` to the views of a form and stores them. Returns the body with the version as `etag`. Throws what `edit`
 * throws, 404 when the form was deleted, 409 for a stale `If-Match`, 413 when the views would become too large.
 */
export const editViews = <B>(
  app: ChangePorts,
  opened: Views,
  edit: (views: Views) => Edit<Views, B>,
): Promise<{ body: B; etag: number }> =>
  change(app, {
    loaded: opened,
    reload: () => loadViews(app.table, opened.formId),
    decide: (current) => {
      app.ifMatch(current.version);
      const { next: views, body, alsoWrites = [] } = edit(current);
      if (views === current) return { writes: [], result: { body, etag: current.version } };
      const next = { ...views, version: current.version + 1 };
      if (entityBytes(next) > MAX_ENTITY_BYTES) {
        throw problems.tooLarge(`The views of a form may have at most ${MAX_ENTITY_BYTES} bytes.`);
      }
      return {
        writes: [...replaceViews(next), ...alsoWrites],
        result: { body, etag: next.version },
        onRefused: requireFormExists,
      };
    },
  });

/** Throws 404 when the check was refused that the form exists. */
function requireFormExists({ refusals }: WriteRefused): void {
  if (refusals.some(({ index }) => index === FORM_CHECK)) throw problems.notFound();
}

/** Reads the newest views of a form. */
export const loadViews = async (table: Table, formId: string): Promise<Views> =>
  parseViews((await table.read([keys.formViews(formId)]))[0], formId);

// Opener of the views of a form, for its members.

export type OpenedViews = OpenedStructure & { views: Views };

/**
 * Opens the views and the structure of the form of `{formId}`. For members, throws 404 for an unknown view or question in
 * the path.
 */
export const openViews: Opener<OpenedViews> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const itemKeys = [keys.formGate(formId), keys.formViews(formId), keys.account(requireCaller(call.user).id)];
  const [gateItem, viewsItem, accountItem] = await call.app.table.read(itemKeys);
  const gate = parseGate(gateItem);
  const opened = await admitToGate(call, gate?.formId === formId ? gate : undefined, parseAccount(accountItem));
  const { structure } = await loadStructureFor(call.app.table, opened.resource.gate);
  const views = parseViews(viewsItem, formId);
  // Other callers get 403 from the role check, whether or not the view exists.
  if (opened.resource.editor) {
    await unlessRepeated(call, () => {
      if ('viewId' in call.params) requireView(views, parsePathId(call.params, 'viewId'));
      if ('questionId' in call.params) requireQuestions(structure, [parsePathId(call.params, 'questionId')]);
    });
  }
  return { ...opened, resource: { ...opened.resource, structure, views } };
};

// Reads and writes the views of a form: one item, changed by one conditional write.

/** Parses the views of an item; a form without an item has no views yet. */
export const parseViews = (item: Item | undefined, formId: string): Views =>
  item ? { ...decode<Omit<Views, 'version'>>(item), version: Number(item.version) } : { formId, version: 0, views: [] };

/** Builds the write that gives a new form its views; they are part of the transaction that creates it. */
export function createViews({ version, ...data }: Views): Write {
  return { put: { ...keys.formViews(data.formId), ...encode(data), version }, when: { absent: true } };
}

/** The index of the check that the form exists, among the writes of its first views. */
export const FORM_CHECK = 1;

/**
 * Builds the writes that replace the views of the previous version. The first version is written with a check that the form
 * exists; later ones are refused when the deletion of the form has removed the item.
 */
export function replaceViews(next: Views): Write[] {
  const { version, ...data } = next;
  const put = { ...keys.formViews(next.formId), ...encode(data), version };
  if (version > 1) return [{ put, when: { equals: { version: version - 1 } } }];
  return [createViews(next), { check: keys.formGate(next.formId), when: { absent: false } }];
}

// Edits of a form's views: pure functions that return the next views or throw a Problem.

/** The id and time of a new view. */
type NewView = { id: string; now: string };

/** Returns the view with an id. Throws 404 when there is none. */
export function requireView({ views }: Views, viewId: string): SavedView {
  const view = views.find(({ id }) => id === viewId);
  if (!view) throw problems.notFound();
  return view;
}

/** Lists the columns of a view in its order, without questions that were deleted without answers. */
export const listViewColumns = (structure: Structure, { columns }: SavedView): TableColumn[] =>
  pickColumns(structure, columns);

/**
 * Adds a view at the end. Throws 409 for a given title in use, 400 for columns and a query that do not fit the questions of
 * the form and when the form has the largest number of views.
 */
export function addView(views: Views, input: ViewInput, structure: Structure, { id, now }: NewView): Views {
  requireBelowMaxViews(views);
  const columns = input.columns ? columnIds(structure, input.columns) : allQuestions(structure);
  if (input.title) requireFreeTitle(views, input.title);
  const title = input.title ?? defaultTitle(views.views);
  const query = input.query ? { query: requireQuery(structure, input.query) } : {};
  const view = { id, title, locked: false, columns, ...query, createdAt: now, updatedAt: now };
  return { ...views, views: [...views.views, view] };
}

/** Lists the ids of all questions of a form in workflow order. */
const allQuestions = (structure: Structure): string[] =>
  sectionsInOrder(structure).flatMap((section) => section.questions.map((question) => question.id));

/**
 * Adds an unlocked copy after a view. Throws 404 for an unknown view, 400 when the form has the largest number of
 * views.
 */
export function duplicateView(views: Views, viewId: string, { id, now }: NewView): Views {
  requireBelowMaxViews(views);
  const original = requireView(views, viewId);
  const title = copyTitle(views.views, original.title);
  const copy = { ...original, id, title, locked: false, createdAt: now, updatedAt: now };
  return { ...views, views: views.views.toSpliced(views.views.indexOf(original) + 1, 0, copy) };
}

/**
 * Changes the title, the columns, the query or the order of a view. Throws 404 for an unknown view, 409 for a title in use, 400
 * for columns and a query that do not fit the questions of the form.
 */
export function patchView(views: Views, viewId: string, patch: ViewPatch, structure: Structure, now: string): Views {
  const view = requireView(views, viewId);
  const columns = patch.columns ? columnIds(structure, patch.columns, view.columns) : view.columns;
  if (patch.title !== undefined) requireFreeTitle(views, patch.title, viewId);
  const { query: kept, ...unfiltered } = view;
  const query = patch.query === undefined ? kept : patch.query && requireQuery(structure, patch.query);
  const next = { ...unfiltered, title: patch.title ?? view.title, columns, ...(query && { query }), updatedAt: now };
  const changed = views.views.map((candidate) => (candidate.id === viewId ? next : candidate));
  return { ...views, views: patch.order === undefined ? changed : moveView(changed, viewId, patch.order) };
}

/** Locks or unlocks a view. Throws 404 for an unknown view. */
export function lockView(views: Views, viewId: string, locked: boolean, now: string): Views {
  const view = requireView(views, viewId);
  if (view.locked === locked) return views;
  return {
    ...views,
    views: views.views.map((candidate) => (candidate === view ? { ...view, locked, updatedAt: now } : candidate)),
  };
}

/** Removes a view. Throws 404 for an unknown view, 409 for a locked one. */
export function removeView(views: Views, viewId: string): Views {
  if (requireView(views, viewId).locked) {
    throw problems.viewLocked();
  }
  return { ...views, views: views.views.filter(({ id }) => id !== viewId) };
}

function requireBelowMaxViews({ views }: Views): void {
  if (views.length >= MAX_VIEWS) throw problems.tooManyViews(MAX_VIEWS);
}

function requireFreeTitle({ views }: Views, title: string, exceptId?: string): void {
  if (isTitleInUse(views, title, exceptId)) throw problems.viewTitleTaken(title);
}

/**
 * The question ids of columns. Throws 400 for duplicates and unknown questions. Removed questions with answers and the
 * current columns of the view (`currentIds`) are allowed.
 */
function columnIds(
  structure: Structure,
  columns: NonNullable<ViewInput['columns']>,
  currentIds: readonly string[] = [],
): string[] {
  const ids = columns.map((column) => (typeof column === 'string' ? column : column.questionId));
  const known = new Set([...currentIds, ...structure.removed.map(({ id }) => id), ...allQuestions(structure)]);
  const faults = ids.flatMap((id, index) => {
    const pointer = `/body/columns/${index}`;
    if (ids.indexOf(id) < index) return [{ pointer, detail: 'is a duplicate of an earlier column' }];
    return known.has(id) ? [] : [{ pointer, detail: 'is not a question of this form' }];
  });
  if (faults.length > 0) throw problems.invalid(faults);
  return ids;
}

/**
 * Returns the query of a view. Throws 400 for a second entry on a question, for questions that are not of the form, for bounds
 * that do not fit the answers to their question, and for an order by answers that have none.
 */
function requireQuery(structure: Structure, query: ResponseQuery): ResponseQuery {
  const columns = new Map(listColumns(structure).map((column) => [column.id, column]));
  const ids = query.filters.map(({ questionId }) => questionId);
  const { questionId } = query.sort ?? {};
  const sorted = questionId === undefined ? undefined : columns.get(questionId);
  const faults = [
    ...ids.flatMap((id, index) => {
      const pointer = `/body/query/filters/${index}/questionId`;
      if (ids.indexOf(id) < index) return [{ pointer, detail: 'has an earlier entry' }];
      return columns.has(id) ? [] : [{ pointer, detail: 'is not a question of this form' }];
    }),
    ...listBoundFaults(structure, query.filters, '/body/query/filters'),
    ...(questionId === undefined || (sorted && isSortable(sorted))
      ? []
      : [{ pointer: '/body/query/sort/questionId', detail: 'must be a question with one choice, a number or a date' }]),
  ];
  if (faults.length > 0) throw problems.invalid(faults);
  return query;
}
