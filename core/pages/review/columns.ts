/** Columns of the table in the language of the reader, and the choice of columns for views and exports. */
import { allColumns, type TableColumn } from '#core/review/table.ts';
import type { View as TableView } from '#core/review/view-model.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import { attribute, type Html, html } from '../html.ts';
import { reviewText } from '../text/review.ts';
import type { View } from '../view.ts';

/** The title of a column; that of a removed question says so. */
export function columnTitle(view: View, structure: Structure, { id, title, question }: TableColumn): string {
  const removed = question ? undefined : structure.removed.find((each) => each.id === id);
  return removed ? reviewText(view).removed(removed.title) : title;
}

/** The columns of a view in its order, without questions that are gone. */
export function columnsOfView(structure: Structure, view: TableView): TableColumn[] {
  const columns = new Map(allColumns(structure).map((column) => [column.id, column]));
  return view.columns.flatMap((id) => columns.get(id) ?? []);
}

/** The questions that a view or an export can have. */
export const questionIdsIn = (structure: Structure): string[] => allColumns(structure).map(({ id }) => id);

/** Checkboxes named `column`, by section. */
export function columnChoice(
  view: View,
  structure: Structure,
  { legend, chosen, error }: { legend: string; chosen: ReadonlySet<string>; error?: Html | undefined },
): Html {
  const { exports } = reviewText(view);
  const columns = allColumns(structure);
  const groups = Map.groupBy(columns, ({ question, sectionId }) => (question ? sectionId : ''));
  return html`<fieldset class="column-choice" id="columns" tabindex="-1">
<legend class="question-title">${legend}</legend>
${error}
<p class="check-all" hidden data-check-all><button type="button" class="quiet" data-check="on">${exports.all}</button><button type="button" class="quiet" data-check="off">${exports.none}</button></p>
${[...groups].map(
  ([sectionId, members]) => html`<fieldset class="column-group"><legend>${
    sectionId === '' ? exports.removedQuestions : sectionTitle(structure, sectionId) || exports.noSection
  }</legend>
<div class="column-list">${members.map(
    (column) =>
      html`<label class="column-option"><input type="checkbox" name="column" value="${column.id}"${attribute(
        'checked',
        chosen.has(column.id),
      )}><span>${columnTitle(view, structure, column)}</span></label>`,
  )}</div></fieldset>`,
)}
</fieldset>`;
}
