/** HYPERLINK: a web address, which is completed as people type it. */
import { html } from '../shell/html.ts';
import { shortText, textAttributes } from './text.ts';
import type { FieldType } from './type.ts';
import { completeWebAddress } from './web-address.ts';

export const hyperlink: FieldType = {
  ...shortText,
  render: (_, field) =>
    html`<input ${textAttributes(field)} type="text" inputmode="url" autocapitalize="none" spellcheck="false" placeholder="https://" value="${field.state.values[0] ?? ''}">`,
  toValue: ([first = '']) => completeWebAddress(first),
  required: 'link',
  invalid: ({ t }) => t.section.invalid.link,
};
