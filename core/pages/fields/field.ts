/**
 * A question on the page of its section: title, description, error, control. A single control has a label; a group of
 * controls is a fieldset with a legend. `data-question` is what the scripts of the page look for.
 */

import { fieldError } from '../error-summary.ts';
import { type Html, html, trusted } from '../html.ts';
import type { View } from '../view.ts';
import { choiceControls, dropdownControl } from './choices.ts';
import { connectControl } from './connect.ts';
import { controlId, describedBy, type Field } from './control.ts';
import { dateControls } from './date.ts';
import { fileControl } from './files.ts';
import { rankingControl } from './ranking.ts';
import { scaleControls } from './scale.ts';
import { isFullDate, type ShownQuestion, stampOf, storedState } from './state.ts';
import { textControl } from './text.ts';

/** The question. */
export function questionField(view: View, field: Field): Html {
  const { question, error } = field;
  const isGroup = groups(question);
  const id = controlId(question);
  const heading = title(view, question);
  const body = html`${question.descriptionHtml !== '' && html`<div class="hint prose" id="${id}-description">${trusted(question.descriptionHtml)}</div>`}
${fieldError(view, id, error)}
${conflictNotice(view, field)}
<input type="hidden" name="s.${question.id}" value="${stampOf(question, storedState(question, field.answer))}">
${control(view, field)}`;
  const invalid = error !== undefined && ' invalid';
  return isGroup
    ? html`<fieldset class="question${invalid}" data-question="${question.id}" data-type="${question.type}"${describedBy(field)}>
<legend class="question-title">${heading}</legend>
${body}
</fieldset>`
    : html`<div class="question${invalid}" data-question="${question.id}" data-type="${question.type}">
<label class="question-title" for="${id}">${heading}</label>
${body}
</div>`;
}

const groups = ({ type, date }: ShownQuestion): boolean =>
  type === 'DATE'
    ? date !== undefined && !isFullDate(date)
    : !['SHORT_TEXT', 'LONG_TEXT', 'HYPERLINK', 'DROPDOWN', 'UPLOAD_FILE'].includes(type);

const title = ({ t }: View, { title: text, required }: ShownQuestion): Html =>
  html`${text}${!required && html` <span class="optional">${t.shell.optional}</span>`}`;

/** The other text of an answer that was changed elsewhere; nothing for others. */
export function conflictNotice({ t }: View, { question, elsewhere }: Field): Html {
  if (elsewhere === undefined) return html``;
  const { conflict: texts } = t.section;
  return html`<div class="notice warning" role="alert" data-conflict>
<p><strong>${texts.title}</strong></p>
<blockquote class="pre-line">${elsewhere === '' ? texts.empty : elsewhere}</blockquote>
<p>${texts.detail}</p>
<p class="actions"><button class="secondary" name="do" value="take:${question.id}" formnovalidate>${texts.take}</button></p>
</div>`;
}

function control(view: View, field: Field): Html {
  switch (field.question.type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'HYPERLINK':
      return textControl(field);
    case 'SINGLE_CHOICE':
    case 'MULTIPLE_CHOICE':
    case 'DETAILED_MULTIPLE_CHOICE':
      return choiceControls(view, field);
    case 'DROPDOWN':
      return dropdownControl(view, field);
    case 'DATE':
      return dateControls(view, field);
    case 'LINEAR_SCALE':
    case 'RATING':
      return scaleControls(view, field);
    case 'RANKING':
      return rankingControl(view, field);
    case 'UPLOAD_FILE':
      return fileControl(view, field);
    case 'OAUTH_CONNECT':
      return connectControl(view, field);
  }
}
