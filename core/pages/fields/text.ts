/** SHORT_TEXT and LONG_TEXT: one line or several. The service checks lengths, because browsers count other units. */
import { MAX_LONG_TEXT, MAX_SHORT_TEXT, type TextFormat } from '#core/structure/types/formats.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark, type PageQuestion } from './control.ts';
import { completeTimeOfDay } from './time-of-day.ts';
import type { FieldType } from './type.ts';

/** Renders the attributes that all controls of a text have. */
export const textAttributes = (field: Field): Html =>
  html`id="${controlId(field.question)}" name="q.${field.question.id}"${describedBy(field)}${invalidMark(field)}${attribute('aria-required', !field.isOptional && 'true')}`;

/** How browsers help to type each format. Texts stay texts, so that what was typed is never dropped by a browser. */
const TYPING = {
  EMAIL: html` inputmode="email" autocomplete="email" autocapitalize="none" spellcheck="false"`,
  PHONE: html` inputmode="tel" autocomplete="tel"`,
  NUMBER: html` inputmode="decimal" autocomplete="off"`,
  TIME: html` inputmode="decimal" autocomplete="off" size="8" data-time`,
  PATTERN: html` autocomplete="off" spellcheck="false"`,
} satisfies Record<TextFormat, Html>;

/** Says what a text has to be; undefined if it may be anything. */
function textHint({ t }: PageContext, { text }: PageQuestion): string | undefined {
  if (!text) return undefined;
  const { expected } = t.section;
  const { format, hint } = text;
  const [min, max, decimals] = [text.min ?? undefined, text.max ?? undefined, text.decimals ?? undefined];
  const [minLength, maxLength] = [text.minLength ?? undefined, text.maxLength ?? undefined];
  const hints = [
    format === 'NUMBER' && (min !== undefined || max !== undefined || decimals !== undefined)
      ? [expected.number(min, max), ...(decimals === undefined ? [] : [expected.decimals(decimals)])].join(', ')
      : '',
    format === 'TIME' ? expected.time : '',
    format === 'PATTERN' ? (hint ?? '') : '',
    minLength === undefined && maxLength === undefined ? '' : expected.length(minLength, maxLength),
  ].filter((part) => part !== '');
  return hints.length > 0 ? hints.join('; ') : undefined;
}

/** Renders the unit of a number beside its control. */
const renderUnit = ({ text }: PageQuestion): Html | undefined =>
  text?.unit ? html`<span class="unit" dir="auto">${text.unit}</span>` : undefined;

export const shortText: FieldType = {
  render: (_, field) => {
    const { question, state } = field;
    const { format } = question.text ?? {};
    const control = html`<input dir="auto" ${textAttributes(field)} type="text"${format && TYPING[format]} value="${state.values[0] ?? ''}">`;
    const unit = renderUnit(question);
    return unit ? html`<span class="with-unit">${control}${unit}</span>` : control;
  },
  hint: textHint,
  isSingle: () => true,
  // Not in `toValue`: the hash of a draft that has `9:30` stored must differ from that of `09:30`, or it could not be corrected.
  parse: ({ text }, typed) =>
    text?.format === 'TIME' && typed('q').trim() ? [completeTimeOfDay(typed('q'))] : undefined,
  toValue: ([first = '']) => first,
  required: 'text',
  invalid: ({ t }) => t.section.invalid.text(MAX_SHORT_TEXT),
};

export const longText: FieldType = {
  ...shortText,
  // A line break at the start of a textarea is dropped by browsers, so one is added.
  render: (_, field) => html`<textarea dir="auto" ${textAttributes(field)} rows="5">
${field.state.values[0] ?? ''}</textarea>`,
  invalid: ({ t }) => t.section.invalid.text(MAX_LONG_TEXT),
};
