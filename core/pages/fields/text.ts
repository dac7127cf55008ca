/** SHORT_TEXT and LONG_TEXT: one line or several. The service checks lengths, because browsers count other units. */
import { MAX_LONG_TEXT, MAX_SHORT_TEXT } from '#core/structure/types/text.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';
import type { FieldType } from './type.ts';

/** Renders the attributes that all controls of a text have. */
export const textAttributes = (field: Field): Html =>
  html`id="${controlId(field.question)}" name="q.${field.question.id}"${describedBy(field)}${invalidMark(field)}${attribute('aria-required', !field.isOptional && 'true')}`;

export const shortText: FieldType = {
  render: (_, field) => html`<input ${textAttributes(field)} type="text" value="${field.state.values[0] ?? ''}">`,
  isSingle: () => true,
  toValue: ([first = '']) => first,
  required: 'text',
  invalid: ({ t }) => t.section.invalid.text(MAX_SHORT_TEXT),
};

export const longText: FieldType = {
  ...shortText,
  // A line break at the start of a textarea is dropped by browsers, so one is added.
  render: (_, field) => html`<textarea ${textAttributes(field)} rows="5">
${field.state.values[0] ?? ''}</textarea>`,
  invalid: ({ t }) => t.section.invalid.text(MAX_LONG_TEXT),
};
