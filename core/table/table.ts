/**
 * The table of a form's submitted responses: columns in the order of the form, and one row per response. Answers off
 * the path of a response are null.
 */

import { type Opener, parsePathId } from '#core/access/access.ts';
import { type OpenedStructure, openStructure } from '#core/forms/open.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { type Answer, presentAnswer, type Response } from '#core/responses/model.ts';
import { type EntryBatch, listEntries } from '#core/responses/store.ts';
import { ListQuery } from '#core/schema/schema.ts';
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

/** Lists the columns of all questions of a form in workflow order; removed questions are last and marked as such. */
export function listColumns(structure: Structure): TableColumn[] {
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

/** Lists the columns of some questions in their order, without those that were removed without answers. */
export function pickColumns(structure: Structure, questionIds: readonly string[]): TableColumn[] {
  const columns = new Map(listColumns(structure).map((column) => [column.id, column]));
  return questionIds.flatMap((id) => columns.get(id) ?? []);
}

/** Lists the columns of some questions, in the order of `listColumns`. Throws 404 for an unknown question. */
export function requireColumns(structure: Structure, questionIds: readonly string[]): TableColumn[] {
  const requested = new Set(questionIds);
  const columns = listColumns(structure).filter((column) => requested.has(column.id));
  if (columns.length !== requested.size) throw problems.notFound();
  return columns;
}

/** Lists the answers of a response that count, in the order of the columns. */
export function answersInTable(
  response: Response,
  structure: Structure,
  columns: readonly TableColumn[],
): (Answer | undefined)[] {
  const counted = countedAnswers({ response, structure });
  return columns.map(({ id }) => counted(id));
}

/** Presents a response as a row of the preview. */
export function presentRow(
  response: Response,
  structure: Structure,
  columns: readonly TableColumn[],
): TablePreview['rows'][number] {
  const answers = answersInTable(response, structure, columns);
  const entries = columns.map((column, index) => {
    const answer = answers[index];
    return [column.id, answer ? presentAnswer(response.id, column.id, answer) : null] as const;
  });
  return { id: response.id, answers: Object.fromEntries(entries) };
}

// Opener of the table of a form, for its members.

const NO_ENTRIES: EntryBatch = { entries: [], last: null, positions: new Map(), kb: 0 };

/**
 * Opens the form of `{formId}` with its structure and the requested index entries of its submitted responses. Both
 * are read at the same time, so the entries may be shown only after the role of the caller was checked.
 */
export const openTable: Opener<OpenedStructure & { listed: EntryBatch }> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const query = ListQuery().safeParse(call.input?.query).data;
  const request = query && { limit: query.limit, after: call.input?.after };
  const [opened, listed] = await Promise.all([
    openStructure(call),
    request ? listEntries(call.app.table, formId, ['SUBMITTED'], request) : NO_ENTRIES,
  ]);
  return { ...opened, resource: { ...opened.resource, listed } };
};
