/**
 * The members of a question on its page, each declared once: its stored value, its words, its kind with the control and the
 * check, and for which types it is there. What is posted, what is sent to the operation, the messages and what another author
 * has stored meanwhile follow from this table.
 */

import { QuestionInput, type QuestionType } from '#core/structure/question-model.ts';
import { FILE_TYPES } from '#core/structure/types/file-types.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import { ICONS } from '#core/structure/types/scale.ts';
import { getTraits, isChoiceType, type OptionName, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { explainDate } from '../fields/date.ts';
import type { PageContext } from '../shell/context.ts';
import { checkbox, fieldGroup, hiddenFields, type Option, selectField, textField } from '../shell/controls.ts';
import { html } from '../shell/html.ts';
import {
  checkFields,
  type FieldErrors,
  group,
  line,
  number,
  parseWholeNumber,
  readFields,
  select,
  several,
  showFields,
  type Typed,
  type TypedField,
  toggle,
  type Value,
  type WordsOf,
} from '../shell/typed-fields.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { choiceRows } from './choice-rows.ts';
import type { QuestionTarget } from './question-target.ts';
import { richText } from './rich-text-field.ts';

type QuestionField<V extends Value> = TypedField<QuestionTarget, V>;

const wordsOf =
  (pick: (texts: ReturnType<typeof getQuestionsTexts>['edit']) => ReturnType<WordsOf>): WordsOf =>
  (context) =>
    pick(getQuestionsTexts(context).edit);

const yesNo = (context: PageContext): { on: string; off: string } => {
  const { yes, no } = getQuestionsTexts(context).edit;
  return { on: yes, off: no };
};

/** A field that some types do not have. */
export const ofTypes = <V extends Value>(
  hasField: (type: QuestionType) => boolean,
  field: QuestionField<V>,
): QuestionField<V | undefined> => ({
  ...field,
  show: (target, zone) => (hasField(target.type) ? field.show(target, zone) : undefined),
  read: (posted, name, target) => (hasField(target.type) ? field.read(posted, name, target) : undefined),
  parse: (context, typed, target) => (typed === undefined ? { value: null } : field.parse(context, typed, target)),
  isOffered: ({ type }) => hasField(type),
  tell: (context, shown) => (shown === undefined ? '' : field.tell(context, shown)),
  compare: (context, { typed, shown, stored }) => {
    if (typed === undefined || shown === undefined) return [];
    const whole = { label: field.words(context).label, theirs: field.tell(context, shown) };
    return field.compare?.(context, { typed, shown, stored }) ?? [whole];
  },
  explain: (context, path, { name, typed }) =>
    (typed === undefined ? undefined : field.explain?.(context, path, { name, typed })) ?? {
      target: name,
      message: field.words(context).invalid ?? '',
    },
  render: (context, control, { typed, ...page }) =>
    typed === undefined ? undefined : field.render(context, control, { ...page, typed }),
});

/** The option that questions of some types have, and need. */
const option = <V extends Value>(name: OptionName, field: QuestionField<V>): QuestionField<V | undefined> =>
  ofTypes((type) => getTraits(type).option === name, {
    ...field,
    isStored: (target) => field.isStored?.(target) ?? target.question?.[name] !== undefined,
  });

const typeField: QuestionField<QuestionType> = {
  show: ({ question, type }) => question?.type ?? type,
  read: (_posted, _name, { type }) => type,
  parse: (context, type, { stored: { structure, question } }) => {
    const isSource = structure.sections.some(({ questions }) =>
      questions.some(({ sourceId }) => sourceId === question?.id),
    );
    return question && isSource && !isChoiceType(type)
      ? { error: getQuestionsTexts(context).edit.typeInvalid }
      : { value: type };
  },
  words: wordsOf(({ type: label, refused: invalid }) => ({ label, invalid })),
  tell: (context, shown) => getQuestionsTexts(context).types[shown],
  // While nobody has answered, it can be changed; the fields of the new type follow.
  render: (context, control, { typed, stored, action }) => {
    const { edit: texts, types } = getQuestionsTexts(context);
    if (stored.isAnswered) {
      return html`<p class="field"><strong>${texts.type}: ${types[typed]}</strong><br><span class="hint">${texts.typeAnswered}</span></p>
${hiddenFields({ type: typed })}`;
    }
    const options = QUESTION_TYPES.map((value) => ({ value, label: types[value] }));
    return html`<div class="with-button">${selectField(context, { ...control, value: typed, options })}
<button class="secondary" name="do" value="type" formaction="${action}#type">${texts.changeType}</button></div>`;
  },
};

const numbers = (from: number, to: number): Option[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: String(from + index), label: String(from + index) }));

const lowest = select<QuestionTarget>(
  ({ question }) => String(question?.scale?.minVal ?? 1),
  wordsOf(({ min: label, scaleInvalid: invalid }) => ({ label, invalid })),
  () => numbers(0, 1),
  parseWholeNumber,
);

const symbol = select<QuestionTarget>(
  ({ question, type }) => (question?.scale ? (question.scale.icon ?? '') : getTraits(type).hasIcon ? 'star' : ''),
  wordsOf(({ icon: label, scaleInvalid: invalid }) => ({ label, invalid })),
  (context, { type }) => {
    const { icons, noIcon } = getQuestionsTexts(context).edit;
    const options = ICONS.map((value) => ({ value, label: icons[value] }));
    return getTraits(type).hasIcon ? options : [{ value: '', label: noIcon }, ...options];
  },
);

const scale = group(
  ({ question }: QuestionTarget) => question?.scale,
  wordsOf(({ options: label, scaleInvalid: invalid }) => ({ label, invalid })),
  {
    // A rating begins with 1.
    minVal: {
      ...lowest,
      read: (posted, name, target) => (getTraits(target.type).hasIcon ? '1' : lowest.read(posted, name, target)),
      render: (context, control, values) =>
        getTraits(values.stored.type).hasIcon ? undefined : lowest.render(context, control, values),
    } satisfies QuestionField<string>,
    maxVal: select<QuestionTarget>(
      ({ question }) => String(question?.scale?.maxVal ?? 5),
      wordsOf(({ max: label, scaleInvalid: invalid }) => ({ label, invalid })),
      () => numbers(2, 10),
      parseWholeNumber,
    ),
    icon: {
      ...symbol,
      // A scale without a symbol becomes no rating.
      isStored: ({ question, type }) => !getTraits(type).hasIcon || question?.scale?.icon !== undefined,
      parse: (context, typed, field) =>
        getTraits(field.stored.type).hasIcon && typed === ''
          ? { error: getQuestionsTexts(context).edit.scaleInvalid }
          : symbol.parse(context, typed, field),
    } satisfies QuestionField<string>,
    minValueLabel: line<QuestionTarget>(
      ({ question }) => question?.scale?.minValueLabel,
      wordsOf(({ minLabel: label, labelInvalid: invalid }) => ({ label, invalid })),
      { trimmed: true },
    ),
    maxValueLabel: line<QuestionTarget>(
      ({ question }) => question?.scale?.maxValueLabel,
      wordsOf(({ maxLabel: label, labelInvalid: invalid }) => ({ label, invalid })),
      { trimmed: true },
    ),
  },
  {
    layout: (context, control, { minVal, maxVal, icon, minValueLabel, maxValueLabel }) =>
      fieldGroup(
        context,
        { ...control, id: control.name },
        html`<div class="field-row">${minVal}
${maxVal}
${icon}</div>
${minValueLabel}
${maxValueLabel}`,
      ),
  },
);

const BYTES_PER_MEGABYTE = 1_048_576;

/** Reads a size in megabytes, whole or with a decimal point; NaN for another text. */
const parseMegabytes = (text: string): number =>
  /^\d{1,9}(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * BYTES_PER_MEGABYTE) : Number.NaN;

const uploadFile = group(
  ({ question }: QuestionTarget) => question?.uploadFile,
  wordsOf(({ fileTypes: label, fileTypesInvalid: invalid }) => ({ label, invalid })),
  {
    allowedFileTypes: several<QuestionTarget>(
      ({ question }) => question?.uploadFile?.allowedFileTypes ?? ['PDF', 'JPEG', 'PNG'],
      wordsOf(({ fileTypes: label, fileTypesInvalid: invalid }) => ({ label, invalid })),
      (_context, typed) => {
        // Both names mean the same files: one box stands for those that are stored.
        const jpegTypes = typed.filter((type) => type === 'JPG' || type === 'JPEG').join(' ') || 'JPEG';
        return FILE_TYPES.flatMap((value) => {
          if (value === 'JPG') return [];
          return value === 'JPEG' ? { value: jpegTypes, label: 'JPG, JPEG' } : { value, label: value };
        });
      },
    ),
    maxFileAmount: number<QuestionTarget>(
      ({ question }) => question?.uploadFile?.maxFileAmount ?? 1,
      wordsOf(({ maxFiles: label, maxFilesInvalid: invalid }) => ({ label, invalid })),
    ),
    maxFileSizeLimit: number<QuestionTarget>(
      ({ question }) => (question?.uploadFile?.maxFileSizeLimit ?? 10 * BYTES_PER_MEGABYTE) / BYTES_PER_MEGABYTE,
      wordsOf(({ maxSize: label, maxSizeInvalid: invalid }) => ({ label, invalid })),
      { parse: parseMegabytes },
    ),
  },
);

/** A part of a date, as a box. */
const datePart = (part: 'hasYear' | 'hasMonth' | 'hasDay', words: WordsOf): QuestionField<boolean> => ({
  ...toggle<QuestionTarget>(({ question }) => question?.date?.[part] ?? true, words, yesNo),
  render: (_context, { name, label }, { typed }) => checkbox({ name, id: name, value: 'on', label, isOn: typed }),
});

/** A bound of a date: a whole day, of which a stored one may also have a time. */
const dateBound = (bound: 'minDate' | 'maxDate', words: WordsOf): QuestionField<string> => ({
  ...line<QuestionTarget>(({ question }) => question?.date?.[bound]?.slice(0, 10), words, { trimmed: true }),
  parse: (context, typed) => {
    if (typed === '') return { value: null };
    const { dateInvalid } = getQuestionsTexts(context).edit;
    const error = explainDate(context, typed) ?? (/^\d{4}-\d{2}-\d{2}$/.test(typed) ? undefined : dateInvalid);
    return error === undefined ? { value: typed } : { error };
  },
  render: (context, control, { typed: value }) => textField(context, { ...control, value, type: 'date' }),
});

const date = group(
  ({ question }: QuestionTarget) => question?.date,
  wordsOf(({ dateParts: label, datePartsInvalid: invalid }) => ({ label, invalid })),
  {
    hasYear: datePart(
      'hasYear',
      wordsOf(({ year: label }) => ({ label })),
    ),
    hasMonth: datePart(
      'hasMonth',
      wordsOf(({ month: label }) => ({ label })),
    ),
    hasDay: datePart(
      'hasDay',
      wordsOf(({ day: label }) => ({ label })),
    ),
    minDate: dateBound(
      'minDate',
      wordsOf(({ minDate: label, dateOrder: invalid }) => ({ label, invalid })),
    ),
    maxDate: dateBound(
      'maxDate',
      wordsOf(({ maxDate: label, dateInvalid: invalid }) => ({ label, invalid })),
    ),
  },
  {
    layout: (context, control, { hasYear, hasMonth, hasDay, minDate, maxDate }) =>
      html`${fieldGroup(context, { ...control, id: control.name }, html`<div class="choices columns">${hasYear}${hasMonth}${hasDay}</div>`)}
${minDate}
${maxDate}`,
  },
);

const PROVIDERS: readonly ConnectProvider[] = ['PROVIDER_ONE', 'PROVIDER_TWO'];

/** Returns the name of a service at which accounts are connected, or says which one is not set up. */
const nameProvider = (context: PageContext, provider: ConnectProvider): string =>
  context.connectTitles[provider] ?? getQuestionsTexts(context).edit.providers[provider];

/** The members, in the order of the page. */
export const QUESTION = {
  title: line<QuestionTarget>(
    ({ question }) => question?.title ?? '',
    wordsOf(({ question: label, questionInvalid: invalid }) => ({ label, invalid })),
    { required: true, trimmed: true },
  ),
  description: richText<QuestionTarget>(
    ({ question }) => question?.description ?? null,
    wordsOf(({ description: label, descriptionHint: hint, descriptionInvalid: invalid }) => ({ label, hint, invalid })),
  ),
  required: toggle<QuestionTarget>(
    ({ question }) => question?.required ?? false,
    wordsOf(({ required: label }) => ({ label })),
    yesNo,
  ),
  type: typeField,
  choices: option('choices', choiceRows),
  scale: option('scale', scale),
  uploadFile: option('uploadFile', uploadFile),
  date: option('date', date),
  oauthConnect: option(
    'oauthConnect',
    select<QuestionTarget>(
      ({ question }) => question?.oauthConnect ?? 'PROVIDER_ONE',
      wordsOf(({ provider: label, refused: invalid }) => ({ label, invalid })),
      (context) => PROVIDERS.map((value) => ({ value, label: nameProvider(context, value) })),
      (typed) => typed,
    ),
  ),
};

/** What was typed. `description` is undefined for one that stays, because Markdown does not express it. */
export type TypedQuestion = Typed<typeof QUESTION>;

/** The messages by the id of the control. */
export type QuestionErrors = FieldErrors<typeof QUESTION>;

/** The fields of a stored question, or of a new one of the chosen type. */
export const showQuestion = (context: PageContext, target: QuestionTarget): TypedQuestion =>
  showFields(QUESTION, target, context);

const isQuestionType = (text: string): text is QuestionType => QUESTION_TYPES.some((type) => type === text);

/** Parses the type of a form or an address; undefined for any other text. */
export const parseQuestionType = (text: string | null): QuestionType | undefined =>
  text !== null && isQuestionType(text) ? text : undefined;

/** Reads a posted form: the type that it chooses, and what was typed. */
export function readQuestion(
  fields: URLSearchParams,
  place: Omit<QuestionTarget, 'type'>,
): { target: QuestionTarget; typed: TypedQuestion } {
  const type = parseQuestionType(fields.get('type')) ?? place.question?.type ?? 'SHORT_TEXT';
  const target = { ...place, type };
  return { target, typed: readFields(QUESTION, fields, target) };
}

/** Builds the input of the operation, or the messages for what is not valid. `order`: the position of the question, from 1. */
export function checkQuestion(
  context: PageContext,
  { target, typed, order }: { target: QuestionTarget; typed: TypedQuestion; order: number },
): { input: QuestionInput } | { errors: QuestionErrors } {
  const { question, type } = target;
  const base = { title: '', required: false, description: null, ...question, type, order };
  const checked = checkFields(context, QUESTION, QuestionInput(), { typed, stored: target, base });
  return 'errors' in checked ? checked : { input: checked.patch };
}
