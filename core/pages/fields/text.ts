/** Texts and links. */
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';

/** Renders the control of a text or link. The service checks lengths, because browsers count other units. */
export function textControl(field: Field): Html {
  const { question, state } = field;
  const [value = ''] = state.values;
  const id = controlId(question);
  const common = html`id="${id}" name="q.${question.id}"${describedBy(field)}${invalidMark(field)}${attribute('aria-required', !field.isOptional && 'true')}`;
  if (question.type === 'LONG_TEXT') {
    // A line break at the start of a textarea is dropped by browsers, so one is added.
    return html`<textarea ${common} rows="5">
${value}</textarea>`;
  }
  return question.type === 'HYPERLINK'
    ? html`<input ${common} type="text" inputmode="url" autocapitalize="none" spellcheck="false" placeholder="https://" value="${value}">`
    : html`<input ${common} type="text" value="${value}">`;
}
