/** An answer as the text of a cell. */
import type { Answer } from '#core/responses/model.ts';
import { list } from '#core/schema/format.ts';
import { attachedFiles, displayValue } from '#core/structure/answer-content.ts';
import type { Question } from '#core/structure/question-model.ts';
import { readableAnswer } from '#core/structure/readable-answer.ts';
import { webAddress } from '../answer-text.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** Longer texts are cut; the page of the response has them whole. */
const MAX_CHARACTERS = 160;

/** A cell of the table; `question` is absent for a question that was removed. */
export function answerCell(view: View, answer: Answer | undefined, question: Question | undefined): Html {
  if (!answer) return html`<td></td>`;
  if (typeof answer.value === 'number') return html`<td class="number">${answer.value}</td>`;
  const text = cellText(view, answer, question);
  return html`<td><div class="cell">${answer.type === 'HYPERLINK' ? webAddress(text, cut(text)) : cut(text)}</div></td>`;
}

function cellText(view: View, answer: Answer, question: Question | undefined): string {
  const files = attachedFiles(answer);
  if (files.length > 0)
    return list(
      view,
      files.map(({ originalFilename }) => originalFilename),
    );
  const { type, value } = answer;
  // The other choice may have no name.
  const names = answer.names?.map((name) => name || view.t.section.other);
  const shown = displayValue(names ? { ...answer, names } : answer);
  return readableAnswer(view, { type, value, displayValue: shown, date: question?.date });
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const characters = [...text];
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS).join('')}…`;
}
