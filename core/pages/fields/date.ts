/** DATE: one native control for a full date, a control for each part otherwise. */
import { type DateOptions, dateLimits, isFullDate } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { controlId, describedBy, type Field, invalidMark } from './control.ts';
import type { FieldType } from './type.ts';

const DATE_PARTS = ['y', 'm', 'd'] as const;
type DatePart = (typeof DATE_PARTS)[number];

/** Lists the parts that a date question asks for. */
export const listDateParts = ({ hasYear, hasMonth, hasDay }: DateOptions): DatePart[] =>
  DATE_PARTS.filter((part) => ({ y: hasYear, m: hasMonth, d: hasDay })[part]);

const stripLeadingZeros = (text: string): string => text.replace(/^0+(?=\d)/, '');

export const date: FieldType = {
  render: dateControls,
  isSingle: ({ date: options }) => options === undefined || isFullDate(options),
  hint: (context, { date: options }) =>
    options?.minDate || options?.maxDate ? context.t.section.dateRange(...dateLimits(context, options)) : undefined,
  toTexts: ({ date: options }, { display = '' }) =>
    !options || isFullDate(options) ? [display] : display.split('-').map(stripLeadingZeros),
  parse: ({ date: options }, text) => {
    if (!options || isFullDate(options)) return undefined;
    const texts = listDateParts(options).map((part) => stripLeadingZeros(text(part).trim()));
    return texts.every((part) => part === '') ? [] : texts;
  },
  toValue: (texts, { date: options }) => {
    if (!options || isFullDate(options)) return texts[0] ?? '';
    const parts = listDateParts(options);
    return texts.map((text, index) => text.padStart(parts[index] === 'y' ? 4 : 2, '0')).join('-');
  },
  required: 'date',
  invalid: (context, { date: options }) => context.t.section.invalid.date(...dateLimits(context, options ?? {})),
};

/** Renders the control of a full date, or one for each part. */
function dateControls(context: PageContext, field: Field): Html {
  const { question, state } = field;
  const { date: options } = question;
  if (!options) return html``;
  const id = controlId(question);
  if (!isFullDate(options)) {
    const parts = listDateParts(options);
    return html`<div class="date-parts">${parts.map((part, index) =>
      partControl(context, field, { part, value: state.values[index] ?? '', id: index === 0 ? id : `${id}-${part}` }),
    )}</div>`;
  }
  const [value = ''] = state.values;
  return html`<input class="date" type="date" id="${id}" name="q.${question.id}" value="${value}"${attribute('min', options.minDate?.slice(0, 10))}${attribute('max', options.maxDate?.slice(0, 10) ?? '9999-12-31')}${describedBy(field)}${invalidMark(field)}${attribute('aria-required', question.required && 'true')}>`;
}

type DatePartControl = { part: DatePart; value: string; id: string };

function partControl(context: PageContext, field: Field, { part, value, id }: DatePartControl): Html {
  const label = { y: context.t.section.year, m: context.t.section.month, d: context.t.section.day }[part];
  const name = `${part}.${field.question.id}`;
  const control =
    part === 'm'
      ? html`<select id="${id}" name="${name}"${invalidMark(field)}><option value=""></option>${monthNames(context).map(
          (month, index) =>
            html`<option value="${index + 1}"${attribute('selected', value === String(index + 1))}>${month}</option>`,
        )}</select>`
      : html`<input id="${id}" name="${name}" type="text" inputmode="numeric" class="${part === 'y' ? 'year' : 'day'}" maxlength="${part === 'y' ? 4 : 2}" value="${value}" autocomplete="off"${invalidMark(field)}>`;
  return html`<div><label for="${id}">${label}</label>${control}</div>`;
}

function monthNames({ language }: PageContext): string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(new Date(Date.UTC(2000, month, 1))));
}
