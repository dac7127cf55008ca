/**
 * The table of a form's submitted responses: its columns in the order of the form, and a row for each response
 * (contract section 9). Answers off a response's path do not count and are null.
 */
import { problems } from '#core/problems/problems.ts';
import { type Answer, type Response, storedAnswer } from '#core/responses/model.ts';
import { countedAnswers } from '#core/responses/progress.ts';
import { displayOrder } from '#core/structure/path.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import { removedTitle, type Structure } from '#core/structure/structure.ts';
import type { TablePreview } from './table-model.ts';

export type TableColumn = { id: string; title: string; type: QuestionType; question: Question | undefined };

/** The columns of all questions of a form: in workflow order, then by position; removed ones last, marked as such. */
export function allColumns(structure: Structure): TableColumn[] {
  const columns = displayOrder(structure)
    .flatMap((id) => structure.sections.filter((section) => section.id === id))
    .flatMap((section) => section.questions)
    .map((question): TableColumn => ({ id: question.id, title: question.title, type: question.type, question }));
  const removed = structure.removed.map(
    (gone): TableColumn => ({ id: gone.id, title: removedTitle(gone), type: gone.type, question: undefined }),
  );
  return [...columns, ...removed];
}

/** The columns of some questions, as in `allColumns`. Throws 404 for a question that the form never had. */
export function columnsOf(structure: Structure, questionIds: readonly string[]): TableColumn[] {
  const asked = new Set(questionIds);
  const columns = allColumns(structure).filter((column) => asked.has(column.id));
  if (columns.length !== asked.size) throw problems.notFound();
  return columns;
}

/** The answers of a response that a table shows, in the order of its columns. */
export function answersInTable(
  response: Response,
  structure: Structure,
  columns: readonly TableColumn[],
): (Answer | undefined)[] {
  const counted = countedAnswers(response, structure);
  return columns.map((column) => counted(column.id));
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
