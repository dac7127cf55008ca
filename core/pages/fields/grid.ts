/**
 * Questions that offer the same, one below the other, as rows of one table. Each row stays a question of its own: it has the
 * controls, the hidden hash and the messages of the field that it would be, and is found by scripts in the same way. On phones the
 * rows are stacked, each choice with its name.
 */
import { isEmptyDocument, renderHtml } from '#core/rich-text/html.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError } from '../shell/controls.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';
import { conflictNotice, hashStoredAnswer, questionField } from './field.ts';
import { type Column, groupByTable, listColumns, listLabels } from './grid-groups.ts';

/** Groups fields: those of a table together, in order, and any other alone. */
export const groupRows = (fields: readonly Field[]): Field[][] => groupByTable(fields, ({ question }) => question);

/** Renders the fields of a section. */
export const renderFields = (context: PageContext, fields: readonly Field[]): Html[] =>
  groupRows(fields).map((group) => {
    const [first] = group;
    return first && group.length === 1 ? questionField(context, first) : renderTable(context, group);
  });

/** Renders one field of a section, as it is in the page: as a row, if it is in a table. */
export function renderField(context: PageContext, fields: readonly Field[], field: Field): Html {
  const group = groupRows(fields).find((rows) => rows.some(({ question }) => question.id === field.question.id));
  return group && group.length > 1 ? renderRow(context, group, field) : questionField(context, field);
}

const columnId = ([first]: readonly Field[], index: number): string =>
  `${first ? controlId(first.question) : ''}-column-${index}`;

/** Whether a row can be left without an answer, so that the table has a column for that. */
const hasOptional = (group: readonly Field[]): boolean => group.some(({ isOptional }) => isOptional);

function renderTable(context: PageContext, group: readonly Field[]): Html {
  const [first] = group;
  const labels = (first && listLabels(first.question)) ?? [];
  const all = hasOptional(group) ? [...labels, context.t.section.noAnswer] : labels;
  return html`<table class="question-grid"><thead><tr><td></td>${all.map((label, index) => html`<th scope="col" dir="auto" id="${columnId(group, index)}">${label}</th>`)}</tr></thead>
<tbody>${group.map((field) => renderRow(context, group, field))}</tbody></table>`;
}

function renderRow(context: PageContext, group: readonly Field[], field: Field): Html {
  const { question, error, state, isOptional } = field;
  const id = controlId(question);
  const columns = listColumns(question) ?? [];
  const cell = ({ value, label }: Column, index: number): Html => {
    const isChecked = value === '' ? state.values.length === 0 : state.values.includes(value);
    return html`<td><label class="grid-cell"><input type="radio" id="${index === 0 ? id : `${id}-${index}`}" name="q.${question.id}" value="${value}"${attribute('checked', isChecked)}${invalidMark(field)} aria-labelledby="${id}-title ${columnId(group, index)}"${index === 0 && describedBy(field)}>
<span class="cell-label" dir="auto">${label}</span></label></td>`;
  };
  const none = isOptional
    ? cell({ value: '', label: context.t.section.noAnswer }, columns.length)
    : hasOptional(group) && html`<td></td>`;
  return html`<tr class="question${error !== undefined && ' invalid'}" data-question="${question.id}" data-type="${question.type}"><th scope="row"><span class="question-title" dir="auto" id="${id}-title">${question.title}${isOptional && html` <span class="optional">${context.t.shell.optional}</span>`}</span>
${!isEmptyDocument(question.description) && html`<div class="hint prose" dir="auto" id="${id}-description">${trusted(renderHtml(question.description))}</div>`}
${fieldError(context, id, error)}
${conflictNotice(context, field)}
<input type="hidden" name="s.${question.id}" value="${field.conflict?.baseHash ?? hashStoredAnswer(field)}"></th>
${columns.map(cell)}${none}</tr>`;
}
