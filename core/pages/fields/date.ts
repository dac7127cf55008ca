/** DATE: one native control for a full date, a control for each part otherwise. */
import { monthNames } from '#core/schema/format.ts';
import { type DateOptions, dateLimits, isFullDate, parseDate } from '#core/structure/types/date.ts';
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
    const texts = listDateParts(options).map((part) => {
      const typed = text(part).trim();
      return part === 'y' ? typed : stripLeadingZeros(typed);
    });
    return texts.every((part) => part === '') ? [] : texts;
  },
  toValue: (texts, { date: options }) => {
    if (!options) return texts[0] ?? '';
    const toPart = (text: string, part: DatePart): string =>
      part === 'y' ? toYear(text, options) : text.padStart(2, '0');
    if (!isFullDate(options)) {
      const parts = listDateParts(options);
      return texts.map((text, index) => toPart(text, parts[index] ?? 'd')).join('-');
    }
    const [year = '', ...rest] = (texts[0] ?? '').split('-');
    return [toYear(year, options), ...rest].join('-');
  },
  required: 'date',
  invalid: (context, { date: options = FULL_DATE }, texts) =>
    partFault(context, options, texts) ?? context.t.section.invalid.date(...dateLimits(context, options)),
};

const FULL_DATE: DateOptions = { hasYear: true, hasMonth: true, hasDay: true };

/** The first year that people type, unless a question asks for earlier ones: a year of two digits is a slip. */
const FIRST_YEAR = 1_000;
const asksForEarlyYears = ({ minDate }: DateOptions): boolean =>
  minDate != null && Number(minDate.slice(0, 4)) < FIRST_YEAR;

/** The year as it was typed, so that one without four digits is refused, not repaired. */
const toYear = (text: string, options: DateOptions): string =>
  asksForEarlyYears(options) ? text.padStart(4, '0') : stripLeadingZeros(text);

/** Says which part of a full date, as its control sends it, is missing or wrong; undefined for a text of other parts, too. */
export const explainDate = (context: PageContext, text: string): string | undefined =>
  partFault(context, FULL_DATE, [text]);

/** Says which part of a date is missing or wrong; undefined when the parts only do not fit together or the limits. */
function partFault({ t }: PageContext, options: DateOptions, texts: readonly string[]): string | undefined {
  const messages = t.section.invalid.dateParts;
  const parts = isFullDate(options) ? DATE_PARTS : listDateParts(options);
  const typed = isFullDate(options) ? (texts[0] ?? '').split('-') : texts;
  if (typed.length !== parts.length) return undefined;
  const at = (part: DatePart): string => typed[parts.indexOf(part)] ?? '';
  const missing = parts.filter((part) => at(part) === '');
  if (missing.length > 0) return messages.missing(missing.map((part) => messages.names[part]));
  if (parts.includes('y') && !/^\d{4}$/.test(toYear(at('y'), options))) return messages.year;
  const isFrom1To = (part: DatePart, max: number): boolean =>
    !parts.includes(part) || (/^\d{1,2}$/.test(at(part)) && Number(at(part)) >= 1 && Number(at(part)) <= max);
  if (!isFrom1To('m', 12)) return messages.month;
  if (!isFrom1To('d', 31)) return messages.day;
  return parseDate(typed.join('-'), { ...options, minDate: null, maxDate: null }).kind === 'fault'
    ? messages.noSuchDay
    : undefined;
}

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
  return html`<input class="date" type="date" id="${id}" name="q.${question.id}" value="${value}"${attribute('min', options.minDate?.slice(0, 10) ?? '1000-01-01')}${attribute('max', options.maxDate?.slice(0, 10) ?? '9999-12-31')}${describedBy(field)}${invalidMark(field)}${attribute('aria-required', question.required && 'true')}>`;
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
