/** The columns of an export with the cells of its rows, and the list of the questions that they are about. Pure. */
import type { Answer } from '#core/responses/model.ts';
import { formatReference } from '#core/responses/reference.ts';
import { isWebUrl } from '#core/schema/text.ts';
import { listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { type Choice, choiceName } from '#core/structure/types/choices.ts';
import { getTraits, isChoiceType } from '#core/structure/types/traits.ts';
import { answerCell, TYPES } from '#core/structure/types/types.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import type { TableColumn } from '#core/table/table.ts';
import type { ExportOptions } from './options.ts';
import type { ExportRow } from './rows.ts';
import type { Cell } from './xlsx-cells.ts';
import type { Column } from './xlsx-parts.ts';

/** A column with its cell in a row. `name`: what identifies it for programs, if its question has a name. */
export type ExportColumn = Column & { name?: string; cell: (row: ExportRow) => Cell };

/** The title of the column of references. */
export const REFERENCE = 'Reference';

/** In characters: an id, and the padding of a cell. */
const ID_WIDTH = 39;

/** Wide enough for a reference. */
const REFERENCE_WIDTH = 22;

/**
 * Lists the columns of an export: the response, its time and its respondent, then those of the questions, and the reference if it is
 * asked for. It comes last, because programs count on the first three.
 */
export function listExportColumns(
  structure: Structure,
  columns: readonly TableColumn[],
  { columnPerChoice = false, reference = false }: ExportOptions,
  publicUrl: string,
): ExportColumn[] {
  return [
    { title: 'Response ID', width: ID_WIDTH, cell: ({ response }) => response.id },
    { title: 'Submitted at', kind: 'datetime', cell: ({ response }) => timeCell(response.submittedAt) },
    { title: 'Respondent', cell: ({ respondent }) => respondent },
    ...columns.flatMap((column, index) =>
      columnPerChoice && selectsSeveral(column)
        ? choiceColumns(structure, column, index)
        : [answerColumn(column, index, publicUrl)],
    ),
    ...(reference
      ? [{ title: REFERENCE, width: REFERENCE_WIDTH, cell: ({ response }: ExportRow) => formatReference(response.id) }]
      : []),
  ];
}

const timeCell = (at: string | null): Cell => (at === null ? null : { date: new Date(at), format: 'datetime' });

const named = ({ question }: TableColumn, rest = ''): { name?: string } =>
  question?.name === undefined ? {} : { name: `${question.name}${rest}` };

function answerColumn(column: TableColumn, index: number, publicUrl: string): ExportColumn {
  const { title, type, question } = column;
  return {
    title,
    kind: TYPES[type].column?.(question) ?? 'text',
    ...named(column),
    cell: ({ answers, response }) => {
      const answer = answers[index];
      const cell = toCell(answer, column);
      const link = answer && findLink(answer, response, publicUrl);
      return link !== undefined && typeof cell === 'string' ? { text: cell, link } : cell;
    },
  };
}

/** Finds where the cell of an answer leads: to its web address, its file, or the page of its response if it has several files. */
function findLink(answer: Answer, { formId, id }: ExportRow['response'], publicUrl: string): string | undefined {
  if (answer.type === 'HYPERLINK') return isWebUrl(String(answer.value)) ? String(answer.value) : undefined;
  const files = attachedFiles(answer);
  const [file] = files;
  if (!file) return undefined;
  const path = files.length === 1 ? `/files/${file.fileId}` : `/review/${formId}/r/${id}`;
  return publicUrl.replace(/\/$/, '') + path;
}

function toCell(answer: Answer | undefined, { question }: TableColumn): Cell {
  if (!answer) return null;
  const cell = answerCell(answer, question);
  return cell instanceof Date ? { date: cell, format: 'date' } : cell;
}

const selectsSeveral = ({ type }: TableColumn): boolean => isChoiceType(type) && getTraits(type).selectsOne !== true;

const idsOf = (answer: Answer): readonly unknown[] => (Array.isArray(answer.value) ? answer.value : []);

/** Lists a column for each choice that the question can offer, and one for the other text and choices that were removed. */
function choiceColumns(structure: Structure, column: TableColumn, index: number): ExportColumn[] {
  const choices = listChoices(structure, column.id);
  const isRanking = column.type === 'RANKING';
  const ids = new Set(choices.map(({ id }) => id));
  const choiceCell = (choice: Choice, answer: Answer | undefined): Cell => {
    if (!answer) return null;
    const place = idsOf(answer).indexOf(choice.id) + 1;
    if (isRanking) return place === 0 ? null : place;
    return place === 0 ? 0 : 1;
  };
  const rest = (answer: Answer | undefined): Cell => {
    if (!answer) return null;
    const { otherText, names = [] } = answer;
    const removed = idsOf(answer).flatMap((id, at) =>
      ids.has(String(id)) ? [] : [choiceName({ name: names[at] ?? '' })],
    );
    const texts = new Set([...(otherText === undefined ? [] : [otherText]), ...removed]);
    return texts.size === 0 ? null : [...texts].join('; ');
  };
  return [
    ...choices.map((choice): ExportColumn => {
      const name = choiceName(choice);
      return {
        title: `${column.title}: ${name}`,
        kind: 'number',
        ...named(column, `: ${name}`),
        cell: ({ answers }) => choiceCell(choice, answers[index]),
      };
    }),
    {
      title: `${column.title}: other text`,
      ...named(column, ': other text'),
      cell: ({ answers }) => rest(answers[index]),
    },
  ];
}

/** A question of an export as other programs need it, with its choices. */
export type ListedQuestion = {
  id: string;
  name: string | null;
  title: string;
  type: string;
  section: string | null;
  required: boolean | null;
  choices: { id: string; name: string }[];
};

/** Lists the questions of an export in its order; of a removed question, section and `required` are not known. */
export const listQuestions = (structure: Structure, columns: readonly TableColumn[]): ListedQuestion[] =>
  columns.map(({ id, title, type, sectionId, question }) => ({
    id,
    name: question?.name ?? null,
    title,
    type,
    section: question ? sectionTitle(structure, sectionId) : null,
    required: question?.required ?? null,
    choices: listChoices(structure, id).map((choice) => ({ id: choice.id, name: choiceName(choice) })),
  }));

/** The columns of the sheet of questions. */
export const QUESTION_COLUMNS: readonly Column[] = [
  { title: 'Question ID', width: ID_WIDTH },
  { title: 'Name' },
  { title: 'Title', width: 40 },
  { title: 'Type' },
  { title: 'Section' },
  { title: 'Required' },
  { title: 'Choice ID', width: ID_WIDTH },
  { title: 'Choice', width: 40 },
];

/** Lists the rows of the sheet of questions: one for each choice, or for a question without any. */
export const questionRows = (questions: readonly ListedQuestion[]): Cell[][] =>
  questions.flatMap(({ id, name, title, type, section, required, choices }) => {
    const cells = [id, name, title, type, section, required === null ? null : required ? 'yes' : 'no'];
    return choices.length === 0
      ? [[...cells, null, null]]
      : choices.map((choice) => [...cells, choice.id, choice.name]);
  });
