/**
 * The table of a form's submitted responses: columns in the order of the form, and one row per response. Answers off
 * the path of a response are null.
 */

import { type Opener, pathId } from '#core/access/access.ts';
import { type OpenedStructure, openStructure } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { answersBy } from '#core/responses/edits.ts';
import { type Answer, type Response, storedAnswer } from '#core/responses/model.ts';
import { pathOf } from '#core/responses/preview.ts';
import { type EntryPage, pageEntries } from '#core/responses/store.ts';
import { PageQuery } from '#core/schema/schema.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import { removedTitle, type Structure } from '#core/structure/structure.ts';
import type { TablePreview } from './model.ts';

/** A column; `question` is undefined if it was removed from the form. */
export type TableColumn = {
  id: string;
  title: string;
  type: QuestionType;
  sectionId: string;
  question: Question | undefined;
};

/** The columns of all questions of a form in workflow order; removed questions are last and marked as such. */
export function allColumns(structure: Structure): TableColumn[] {
  const columns = sectionsInOrder(structure)
    .flatMap(({ id: sectionId, questions }) => questions.map((question) => ({ sectionId, question })))
    .map(({ sectionId, question }): TableColumn => {
      const { id, title, type } = question;
      return { id, title, type, sectionId, question };
    });
  const removed = structure.removed.map(
    (question): TableColumn => ({
      id: question.id,
      title: removedTitle(question),
      type: question.type,
      sectionId: question.sectionId,
      question: undefined,
    }),
  );
  return [...columns, ...removed];
}

/** The columns of some questions, in the order of `allColumns`. Throws 404 for an unknown question. */
export function columnsOf(structure: Structure, questionIds: readonly string[]): TableColumn[] {
  const requested = new Set(questionIds);
  const columns = allColumns(structure).filter((column) => requested.has(column.id));
  if (columns.length !== requested.size) throw problems.notFound();
  return columns;
}

/** The answers of a response that count, those in sections on its path, in the order of the columns. */
export function answersInTable(
  response: Response,
  structure: Structure,
  columns: readonly TableColumn[],
): (Answer | undefined)[] {
  const path = new Set(pathOf({ response, structure }));
  const answerTo = answersBy(response.answers);
  return columns.map(({ id, sectionId }) => (path.has(sectionId) ? answerTo(id) : undefined));
}

/** A row of the preview. */
export function previewRow(
  response: Response,
  structure: Structure,
  columns: readonly TableColumn[],
): TablePreview['rows'][number] {
  const answers = answersInTable(response, structure, columns);
  const entries = columns.map((column, index) => {
    const answer = answers[index];
    return [column.id, answer ? storedAnswer(response.id, column.id, answer) : null] as const;
  });
  return { id: response.id, answers: Object.fromEntries(entries) };
}

// Opener of a page of the table of a form, for its members.

const NOTHING: EntryPage = { entries: [], last: null, positions: new Map() };

/**
 * The structure of the form of `{formId}`, and the index entries of the requested page of its submitted responses. Both
 * are read at the same time, so the entries may be shown only after the role of the caller was checked.
 */
export const openTable: Opener<OpenedStructure & { listed: EntryPage }> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const query = PageQuery().safeParse(call.input?.query).data;
  const range = query && { limit: query.limit, after: call.input?.after };
  const [opened, listed] = await Promise.all([
    openStructure(call),
    range ? pageEntries(call.app.table, formId, ['SUBMITTED'], range) : NOTHING,
  ]);
  return { ...opened, resource: { ...opened.resource, listed } };
};
