/** Views: named sets of columns for reviewing responses, with the filter, the search and the order that they keep. */
import * as z from 'zod';
import { MAX_QUESTIONS, MAX_VIEW_TITLE } from '#core/schema/limits.ts';
import { countCharacters, Id, type Infer, schema, Timestamp } from '#core/schema/schema.ts';
import { line } from '#core/schema/text.ts';
import { findQuestion, removedTitle, type Structure } from '#core/structure/structure.ts';
import { type ResponseQuery as Query, ResponseQuery } from '#core/table/model.ts';

const DEFAULT_TITLE = '尚未命名的分頁';

const Title = schema(() => line(1, MAX_VIEW_TITLE));
/** A column as a question id or as a view returns it. */
const Column = schema(() =>
  z.union([Id(), z.object({ questionId: Id() })], {
    error: 'must be the id of a question, or an object with questionId',
  }),
);
const Columns = schema(() =>
  z
    .array(Column())
    .max(MAX_QUESTIONS)
    .describe('Question ids, or columns as a view returns them: `{questionId, questionTitle}`.'),
);

const KeptQuery = schema(() =>
  ResponseQuery().describe(
    'The filter, the search and the order of the view, with at most one entry for each question.',
  ),
);

export const ViewInput = schema(() =>
  z
    .object({
      title: Title().nullish(),
      columns: Columns()
        .nullish()
        .describe('Question ids, or columns as a view returns them; all questions by default.'),
      query: KeptQuery().nullish(),
    })
    .meta({ id: 'ViewInput' }),
);
export type ViewInput = Infer<typeof ViewInput>;

export const ViewPatch = schema(() =>
  z
    .object({
      title: Title().optional(),
      order: z.int().optional().describe('From 0; clamped to the number of views.'),
      columns: Columns().optional(),
      query: KeptQuery().nullish().describe('Null removes it.'),
    })
    .meta({ id: 'ViewPatch' }),
);
export type ViewPatch = Infer<typeof ViewPatch>;

/** A view as it is stored; its index in the list is its order. */
export type SavedView = {
  id: string;
  title: string;
  locked: boolean;
  columns: string[];
  /** Absent if the view shows all responses. It may name questions that were deleted. */
  query?: Query;
  createdAt: string;
  updatedAt: string;
};

/** All views of a form; `version` is their ETag and the condition of every write. */
export type Views = { formId: string; version: number; views: SavedView[] };

export const ViewDocument = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      title: z.string(),
      locked: z.boolean(),
      order: z.int(),
      columns: z.array(z.object({ questionId: Id(), questionTitle: z.string() })),
      query: KeptQuery().nullable().describe('Null if the view shows all responses, in the order of submission.'),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'View' }),
);
export type ViewDocument = Infer<typeof ViewDocument>;

/** Presents a view as the API returns it, without what it has of questions that were deleted without answers. */
export function presentView({ formId, views }: Views, view: SavedView, structure: Structure): ViewDocument {
  const columns = view.columns.flatMap((questionId) => {
    const questionTitle = findQuestionTitle(structure, questionId);
    return questionTitle === undefined ? [] : [{ questionId, questionTitle }];
  });
  const query = view.query ? withKnownQuestions(view.query, structure) : null;
  return { ...view, formId, order: views.findIndex(({ id }) => id === view.id), columns, query };
}

/** Leaves out the conditions on questions that were deleted without answers, and the order of their answers. */
export function withKnownQuestions<T extends Pick<Query, 'filters' | 'sort'>>(query: T, structure: Structure): T {
  const isKnown = (questionId: string): boolean => findQuestionTitle(structure, questionId) !== undefined;
  const { filters, sort } = query;
  const { questionId, ...direction } = sort ?? {};
  return {
    ...query,
    filters: filters.filter((entry) => isKnown(entry.questionId)),
    ...(questionId !== undefined && !isKnown(questionId) && { sort: direction }),
  };
}

function findQuestionTitle(structure: Structure, questionId: string): string | undefined {
  const removed = structure.removed.find(({ id }) => id === questionId);
  return findQuestion(structure, questionId)?.question.title ?? (removed && removedTitle(removed));
}

/**
 * Finds a title that no view has, made from `title` by `name`: that one, or the first free one with （1）, （2）… A title
 * that would be too long for a view is truncated before `name` adds to it.
 */
export function findFreeTitle(
  views: readonly SavedView[],
  title: string,
  name: (title: string) => string = (same) => same,
): string {
  const usedTitles = new Set(views.map((view) => view.title));
  for (let number = 0; ; number += 1) {
    const suffix = number === 0 ? '' : `（${number}）`;
    const maxCharacters = MAX_VIEW_TITLE - countCharacters(name('') + suffix);
    const candidate = name(Array.from(title).slice(0, maxCharacters).join('')) + suffix;
    if (!usedTitles.has(candidate)) return candidate;
  }
}

/** Finds the title of a new view for which none is given. */
export const defaultTitle = (views: readonly SavedView[]): string => findFreeTitle(views, DEFAULT_TITLE);

/** Finds the title of the copy of a view. */
export const copyTitle = (views: readonly SavedView[], title: string): string =>
  findFreeTitle(views, title, (original) => `${original}的副本`);

/** Whether another view has a title. */
export const isTitleInUse = (views: readonly SavedView[], title: string, exceptId?: string): boolean =>
  views.some((view) => view.title === title && view.id !== exceptId);

/** Moves a view to an order, which is clamped to the number of views. */
export function moveView(views: readonly SavedView[], viewId: string, order: number): SavedView[] {
  const movedView = views.find((view) => view.id === viewId);
  if (!movedView) return [...views];
  const otherViews = views.filter((view) => view.id !== viewId);
  return otherViews.toSpliced(Math.min(Math.max(order, 0), otherViews.length), 0, movedView);
}
