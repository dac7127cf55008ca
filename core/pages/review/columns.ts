/** Columns of the table in the language of the reader, and the choice of columns for views and exports. */

import type { Answer } from '#core/responses/model.ts';
import type { Question } from '#core/structure/question-model.ts';
import { listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { displayValue, readableAnswer } from '#core/structure/types/types.ts';
import { listColumns, type TableColumn } from '#core/table/table.ts';
import { READINGS } from '../fields/reading.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';

/** Returns the title of a column; the title of a removed question says so. */
export function columnTitle(context: PageContext, structure: Structure, { id, title, question }: TableColumn): string {
  const removed = question ? undefined : structure.removed.find((candidate) => candidate.id === id);
  return removed ? getReviewTexts(context).removed(removed.title) : title;
}

/** Lists the ids of the questions that a view or an export can contain. */
export const listQuestionIds = (structure: Structure): string[] => listColumns(structure).map(({ id }) => id);

/** Renders checkboxes named `column`, by section. */
export function columnChoice(
  context: PageContext,
  structure: Structure,
  { legend, chosen, error }: { legend: string; chosen: ReadonlySet<string>; error?: Html | undefined },
): Html {
  const { exports } = getReviewTexts(context);
  const columns = listColumns(structure);
  const groups = Map.groupBy(columns, ({ question, sectionId }) => (question ? sectionId : ''));
  return html`<fieldset class="column-choice" id="columns" tabindex="-1">
<legend class="question-title">${legend}</legend>
${error}
<p class="check-all" hidden data-check-all><button type="button" class="quiet" data-check="on">${exports.all}</button><button type="button" class="quiet" data-check="off">${exports.none}</button></p>
${[...groups].map(
  ([sectionId, members]) => html`<fieldset class="column-group"><legend dir="auto">${
    sectionId === '' ? exports.removedQuestions : sectionTitle(structure, sectionId) || exports.noSection
  }</legend>
<div class="column-list">${members.map(
    (column) =>
      html`<label class="column-option"><input type="checkbox" name="column" value="${column.id}"${attribute(
        'checked',
        chosen.has(column.id),
      )}><span dir="auto">${columnTitle(context, structure, column)}</span></label>`,
  )}</div></fieldset>`,
)}
</fieldset>`;
}

// An answer as the text of a cell.

/** Longer texts are truncated; the page of the response shows them completely. */
const MAX_CHARACTERS = 160;

/** Longer names of columns are truncated on cards, which repeat them in each row. */
const MAX_LABEL = 60;

/** Renders a cell of the table below a title, which cards show beside it; `question` is undefined if it was removed. */
export function answerCell(
  context: PageContext,
  answer: Answer | undefined,
  { title, question }: { title: string; question: Question | undefined },
): Html {
  if (!answer) return html`<td></td>`;
  const label = attribute('data-label', truncate(title, MAX_LABEL));
  if (typeof answer.value === 'number') return html`<td class="number"${label}>${answer.value}</td>`;
  const text = truncate(cellText(context, answer, question), MAX_CHARACTERS);
  return html`<td${label}><div class="cell" dir="auto">${READINGS[answer.type]?.cell?.(answer, text) ?? text}</div></td>`;
}

function cellText(context: PageContext, answer: Answer, question: Question | undefined): string {
  const { type, value } = answer;
  // The other choice may have no name.
  const names = answer.names?.map((name) => name || context.t.section.other);
  const display = displayValue(names ? { ...answer, names } : answer);
  return readableAnswer(context, { type, value, displayValue: display, date: question?.date });
}

/** Names counted choices as their question does, an other choice without a name in the language of the reader. */
export function nameChoices<T extends { choiceId: string }>(
  context: PageContext,
  structure: Structure,
  questionId: string,
  counted: readonly T[],
): (T & { name: string })[] {
  const names = new Map(listChoices(structure, questionId).map(({ id, name }) => [id, name]));
  return counted.map((choice) => ({ ...choice, name: names.get(choice.choiceId) || context.t.section.other }));
}

function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  // A character has at most two units: of a longer text, this is enough to have more than `max`.
  const characters = [...text.slice(0, 2 * max + 1)];
  return characters.length <= max ? text : `${characters.slice(0, max).join('')}…`;
}
