/** An answer as the text of a cell. */
import type { Answer } from '#core/responses/model.ts';
import { attachedFiles, displayValue } from '#core/structure/answer-content.ts';
import { calendarDate, list } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** Longer texts are cut; the page of the response has them whole. */
const MAX_CHARACTERS = 160;

/** A cell of the table. */
export function answerCell(view: View, answer: Answer | undefined): Html {
  if (!answer) return html`<td></td>`;
  if (typeof answer.value === 'number') return html`<td class="number">${answer.value}</td>`;
  return html`<td><div class="cell">${cut(cellText(view, answer))}</div></td>`;
}

function cellText(view: View, answer: Answer): string {
  const files = attachedFiles(answer);
  if (files.length > 0)
    return list(
      view,
      files.map(({ originalFilename }) => originalFilename),
    );
  const text = displayValue(answer);
  return answer.type === 'DATE' && /^\d{4}-\d{2}-\d{2}$/.test(text) ? calendarDate(view, text) : text;
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS).join('')}…`;
}
