/** The table of a form in a spreadsheet: its columns, and the cells of a response. */
import type { Account } from '#core/accounts/model.ts';
import type { Answer, Response } from '#core/responses/model.ts';
import { allColumns, answersInTable } from '#core/review/table.ts';
import { sha256 } from '#core/schema/hash.ts';
import { displayValue } from '#core/structure/answer-content.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { SheetCell, SheetColumn } from './port.ts';

/** The columns before those of the questions. */
const FIXED: readonly SheetColumn[] = [
  { key: 'id', title: 'Response ID' },
  { key: 'at', title: 'Submitted at' },
  { key: 'by', title: 'Respondent' },
];

/** The columns of a form: the fixed ones, then its questions in workflow order, then removed ones that were answered. */
export const columnsOfForm = (structure: Structure): SheetColumn[] => [
  ...FIXED,
  ...allColumns(structure).map(({ id, title }) => ({ key: columnKey(id), title })),
];

/** A short key of a question: 48 bits of a hash, because the length of metadata is limited. */
const columnKey = (questionId: string): string => sha256(questionId, 'base64url').slice(0, 8);

/** The cells of a response, in the order of the columns of its form. */
export function cellsOf(response: Response, structure: Structure, account: Account | undefined): SheetCell[] {
  const answers = answersInTable(response, structure, allColumns(structure));
  const respondent = account?.emails[0] ?? account?.username ?? response.userId;
  return [response.id, response.submittedAt, respondent, ...answers.map(cellOf)];
}

function cellOf(answer: Answer | undefined): SheetCell {
  if (!answer) return null;
  return typeof answer.value === 'number' ? answer.value : displayValue(answer);
}
