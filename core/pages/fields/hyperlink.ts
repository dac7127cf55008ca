/** HYPERLINK: a web address, which is completed as people type it. */
import { displayValue } from '#core/structure/types/types.ts';
import { type Html, html } from '../shell/html.ts';
import { shortText, textAttributes } from './text.ts';
import type { FieldType } from './type.ts';
import { completeWebAddress } from './web-address.ts';

/** Renders a web address that somebody entered as a link marked as user content. `text` is the text of the link. */
const renderWebAddress = (address: string, text = address): Html =>
  /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="nofollow noopener ugc">${text}</a>`
    : html`<span class="pre-line">${text}</span>`;

export const hyperlink: FieldType = {
  ...shortText,
  render: (_, field) =>
    html`<input ${textAttributes(field)} type="text" inputmode="url" autocapitalize="none" spellcheck="false" placeholder="https://" value="${field.state.values[0] ?? ''}">`,
  toValue: ([first = '']) => completeWebAddress(first),
  required: 'link',
  invalid: ({ t }) => t.section.invalid.link,
  read: (_context, _question, answer) => renderWebAddress(displayValue(answer)),
  cell: (answer, shown) => renderWebAddress(displayValue(answer), shown),
};
