/**
 * Questions that offer the same, one below the other, as rows of one table. Each row stays a question of its own: it has the
 * controls, the hidden hash and the messages of the field that it would be, and is found by scripts in the same way. On phones the
 * rows are stacked, each choice with its name.
 */
import { isDeepStrictEqual } from 'node:util';
import { isEmptyDocument, renderHtml } from '#core/rich-text/html.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError } from '../shell/controls.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark, type PageQuestion } from './control.ts';
import { conflictNotice, hashStoredAnswer, questionField } from './field.ts';
import { pointLabel } from './point-label.ts';

/** The most questions, and the most choices or points, of a table. */
const MAX_ROWS = 30;
const MAX_COLUMNS = 11;

type Column = { value: string; label: string };

/** Lists what a question offers in a table; undefined for a question that cannot be in one. */
function listColumns({ type, choices, scale, sourceId }: PageQuestion): Column[] | undefined {
  if (type === 'LINEAR_SCALE' && scale) {
    return Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => {
      const point = scale.minVal + index;
      return { value: String(point), label: pointLabel(point, scale) };
    });
  }
  if (
    type !== 'SINGLE_CHOICE' ||
    sourceId !== undefined ||
    !choices ||
    choices.some(({ isOther, limit }) => isOther || limit !== undefined)
  ) {
    return undefined;
  }
  return choices.map(({ id, name }) => ({ value: id, label: name }));
}

const labelsOf = (question: PageQuestion): string[] | undefined => listColumns(question)?.map(({ label }) => label);

/** Whether a question is the next row of the table of the one above. */
function continues(above: PageQuestion, question: PageQuestion): boolean {
  const labels = question.grid && above.type === question.type ? labelsOf(question) : undefined;
  return labels !== undefined && labels.length <= MAX_COLUMNS && isDeepStrictEqual(labels, labelsOf(above));
}

/** Groups fields: those of a table together, in order, and any other alone. */
export function groupRows(fields: readonly Field[]): Field[][] {
  const groups: Field[][] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    const above = last?.at(-1);
    if (last && above && last.length < MAX_ROWS && continues(above.question, field.question)) last.push(field);
    else groups.push([field]);
  }
  return groups;
}

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
  const labels = (first && labelsOf(first.question)) ?? [];
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
