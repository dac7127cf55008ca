/** Views: named sets of columns for reviewing responses (interface "View", contract section 9). Pure. */
import * as z from 'zod';
import { Id, type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';
import { findQuestion, removedTitle, type Structure } from '#core/structure/structure.ts';

/** The most views of a form. */
export const MAX_VIEWS = 200;
const DEFAULT_TITLE = '尚未命名的分頁';

const Title = schema(() => text(1, 200));
const Columns = schema(() => z.array(Id()).max(300));

export const ViewInput = schema(() =>
  z
    .object({
      title: Title().nullish(),
      columns: Columns().nullish().describe('Question ids; by default all questions.'),
    })
    .meta({ id: 'ViewInput' }),
);
export type ViewInput = Infer<typeof ViewInput>;

export const ViewPatch = schema(() =>
  z
    .object({
      title: Title().optional(),
      order: z.int().optional().describe('From 0; clamped to the places there are.'),
      columns: Columns().optional(),
    })
    .meta({ id: 'ViewPatch' }),
);
export type ViewPatch = Infer<typeof ViewPatch>;

/** A view as it is stored; its place in the list is its order. */
export type View = {
  id: string;
  title: string;
  locked: boolean;
  columns: string[];
  createdAt: string;
  updatedAt: string;
};

/** All views of a form; `version` is their ETag and the condition of every write. */
export type Views = { formId: string; version: number; views: View[] };

export const ViewShown = schema(() =>
  z
    .object({
      id: Id(),
      formId: Id(),
      title: z.string(),
      locked: z.boolean(),
      order: z.int(),
      columns: z.array(z.object({ questionId: Id(), questionTitle: z.string() })),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'View' }),
);
export type ViewShown = Infer<typeof ViewShown>;

/** A view in the shape of the wire; a column whose question is gone without trace is left out. */
export function showView({ formId, views }: Views, view: View, structure: Structure): ViewShown {
  const columns = view.columns.flatMap((questionId) => {
    const questionTitle = titleOf(structure, questionId);
    return questionTitle === undefined ? [] : [{ questionId, questionTitle }];
  });
  return { ...view, formId, order: views.findIndex(({ id }) => id === view.id), columns };
}

function titleOf(structure: Structure, questionId: string): string | undefined {
  const removed = structure.removed.find(({ id }) => id === questionId);
  return findQuestion(structure, questionId)?.question.title ?? (removed && removedTitle(removed));
}

/** A title that no view has: the wanted one, or with （1）, （2）… behind it. */
export function freeTitle(views: readonly View[], wanted: string): string {
  const taken = new Set(views.map((view) => view.title));
  if (!taken.has(wanted)) return wanted;
  let number = 1;
  while (taken.has(`${wanted}（${number}）`)) number += 1;
  return `${wanted}（${number}）`;
}

/** The title of a new view that was given none. */
export const defaultTitle = (views: readonly View[]): string => freeTitle(views, DEFAULT_TITLE);

/** The title of the copy of a view. */
export const copyTitle = (views: readonly View[], title: string): string => freeTitle(views, `${title}的副本`);

/** Whether a title is another view's. */
export const isTaken = (views: readonly View[], title: string, exceptId?: string): boolean =>
  views.some((view) => view.title === title && view.id !== exceptId);

/** Views in which one stands at an order, clamped to the places there are; its neighbours shift. */
export function moveView(views: readonly View[], viewId: string, order: number): View[] {
  const moved = views.find((view) => view.id === viewId);
  if (!moved) return [...views];
  const others = views.filter((view) => view.id !== viewId);
  return others.toSpliced(Math.min(Math.max(order, 0), others.length), 0, moved);
}
