/**
 * The members of a question on its page, each declared once: its stored value, its words, its kind with the control and the
 * check, and for which types it is there. What is posted, what is sent to the operation, the messages and what another author
 * has stored meanwhile follow from this table.
 */

import type { Problem } from '#core/problems/problems.ts';
import { QuestionInput, type QuestionType } from '#core/structure/question-model.ts';

import { FILE_KINDS, FILE_TYPES, type FileType } from '#core/structure/types/file-types.ts';
import { TEXT_FORMATS, toNumber } from '#core/structure/types/formats.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import { ICONS } from '#core/structure/types/scale.ts';
import {
  getTraits,
  isChoiceType,
  type MemberName,
  mayHave,
  type OptionName,
  QUESTION_TYPES,
} from '#core/structure/types/traits.ts';
import { explainDate } from '../fields/date.ts';
import type { PageContext } from '../shell/context.ts';
import {
  type Control,
  checkbox,
  fieldGroup,
  hiddenFields,
  type Option,
  selectField,
  textField,
} from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import {
  checkFields,
  explainFaults,
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
  isChosen: true,
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

/** Arranges members below each other, in a group with its name. */
function inGroup(context: PageContext, control: Control, members: Readonly<Record<string, Html | undefined>>): Html {
  return fieldGroup(context, { ...control, id: control.name }, html`${Object.values(members)}`);
}

/** Reads a number with a point or a comma; NaN for another text. */
const parseDecimal = (typed: string): number => toNumber(typed) ?? Number.NaN;

const BYTES_PER_MEGABYTE = 1_048_576;

/** Reads a size in megabytes, whole or with a decimal point; NaN for another text. */
const parseMegabytes = (text: string): number =>
  /^\d{1,9}(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * BYTES_PER_MEGABYTE) : Number.NaN;

/** What people call files of a type. */
function groupOf(type: FileType): 'pictures' | 'media' | 'archives' | 'documents' {
  const { mediaType } = FILE_KINDS[type];
  if (/^image\/|postscript$/.test(mediaType)) return 'pictures';
  if (/^(?:audio|video)\//.test(mediaType)) return 'media';
  return mediaType === 'application/zip' ? 'archives' : 'documents';
}

const uploadFile = group(
  ({ question }: QuestionTarget) => question?.uploadFile,
  wordsOf(({ fileTypes: label, fileTypesInvalid: invalid }) => ({ label, invalid })),
  {
    allowedFileTypes: several<QuestionTarget>(
      ({ question }) => question?.uploadFile?.allowedFileTypes ?? ['PDF', 'JPEG', 'PNG'],
      wordsOf(({ fileTypes: label, fileTypesInvalid: invalid }) => ({ label, invalid })),
      (context, typed) => {
        const { fileGroups } = getQuestionsTexts(context).edit;
        // Both names mean the same files: one box stands for those that are stored.
        const jpegTypes = typed.filter((type) => type === 'JPG' || type === 'JPEG').join(' ') || 'JPEG';
        return FILE_TYPES.flatMap((value) => {
          if (value === 'JPG') return [];
          const group = fileGroups[groupOf(value)];
          return value === 'JPEG' ? { value: jpegTypes, label: 'JPG, JPEG', group } : { value, label: value, group };
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

/** A member that questions of some types may have; absent, it stays. */
const member = <V extends Value>(name: MemberName, field: QuestionField<V>): QuestionField<V | undefined> =>
  ofTypes((type) => mayHave(type, name), field);

const ofFormats = <V extends Value>(field: QuestionField<V>) => ofTypes((type) => type === 'SHORT_TEXT', field);

/** What a text has to be: a format with its own bounds, and lengths. */
const text = group(
  ({ question }: QuestionTarget) => question?.text,
  wordsOf(({ textRules: label, textInvalid: invalid }) => ({ label, invalid })),
  {
    format: ofFormats(
      select<QuestionTarget>(
        ({ question }) => question?.text?.format ?? '',
        wordsOf(({ format: label, textInvalid: invalid }) => ({ label, invalid })),
        (context) => {
          const { formats, anyText } = getQuestionsTexts(context).edit;
          return [{ value: '', label: anyText }, ...TEXT_FORMATS.map((value) => ({ value, label: formats[value] }))];
        },
      ),
    ),
    minLength: number<QuestionTarget>(
      ({ question }) => question?.text?.minLength,
      wordsOf(({ minLength: label, lengthInvalid: invalid }) => ({ label, invalid })),
      { optional: true },
    ),
    maxLength: number<QuestionTarget>(
      ({ question }) => question?.text?.maxLength,
      wordsOf(({ maxLength: label, lengthInvalid: invalid }) => ({ label, invalid })),
      { optional: true },
    ),
    min: ofFormats(
      number<QuestionTarget>(
        ({ question }) => question?.text?.min,
        wordsOf(({ minNumber: label, ofNumber: hint, numberInvalid: invalid }) => ({ label, hint, invalid })),
        { optional: true, parse: parseDecimal },
      ),
    ),
    max: ofFormats(
      number<QuestionTarget>(
        ({ question }) => question?.text?.max,
        wordsOf(({ maxNumber: label, ofNumber: hint, numberInvalid: invalid }) => ({ label, hint, invalid })),
        { optional: true, parse: parseDecimal },
      ),
    ),
    decimals: ofFormats(
      number<QuestionTarget>(
        ({ question }) => question?.text?.decimals,
        wordsOf(({ decimals: label, ofNumber: hint, decimalsInvalid: invalid }) => ({ label, hint, invalid })),
        { optional: true },
      ),
    ),
    unit: ofFormats(
      line<QuestionTarget>(
        ({ question }) => question?.text?.unit,
        wordsOf(({ unit: label, ofNumber: hint, unitInvalid: invalid }) => ({ label, hint, invalid })),
        { trimmed: true },
      ),
    ),
    pattern: ofFormats(
      line<QuestionTarget>(
        ({ question }) => question?.text?.pattern,
        wordsOf(({ pattern: label, patternHint: hint, patternInvalid: invalid }) => ({ label, hint, invalid })),
        { exact: true },
      ),
    ),
    hint: ofFormats(
      line<QuestionTarget>(
        ({ question }) => question?.text?.hint,
        wordsOf(({ expected: label, expectedHint: hint, expectedInvalid: invalid }) => ({ label, hint, invalid })),
        { trimmed: true },
      ),
    ),
    sendCopy: ofFormats(
      toggle<QuestionTarget>(
        ({ question }) => question?.text?.sendCopy ?? false,
        wordsOf(({ sendCopy: label, ofEmail: hint }) => ({ label, hint })),
        yesNo,
      ),
    ),
  },
  {
    optional: true,
    layout: (context, control, { format, minLength, maxLength, min, max, decimals, unit, pattern, hint, sendCopy }) =>
      fieldGroup(
        context,
        { ...control, id: control.name },
        html`<div class="text-rules">${format}
<div class="of-number">${min}${max}${decimals}${unit}</div>
<div class="of-pattern">${pattern}${hint}</div>
<div class="of-email">${sendCopy}</div>
${minLength}${maxLength}</div>`,
      ),
  },
);

/** How many choices an answer selects. */
const selection = group(
  ({ question }: QuestionTarget) => question?.selection,
  wordsOf(({ selection: label, selectionInvalid: invalid }) => ({ label, invalid })),
  {
    min: number<QuestionTarget>(
      ({ question }) => question?.selection?.min,
      wordsOf(({ minSelected: label, selectionInvalid: invalid }) => ({ label, invalid })),
      { optional: true },
    ),
    max: number<QuestionTarget>(
      ({ question }) => question?.selection?.max,
      wordsOf(({ maxSelected: label, selectionInvalid: invalid }) => ({ label, invalid })),
      { optional: true },
    ),
  },
  { optional: true, layout: inGroup },
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
  text: member('text', text),
  selection: member('selection', selection),
  shuffle: member(
    'shuffle',
    toggle<QuestionTarget>(
      ({ question }) => question?.shuffle ?? false,
      wordsOf(({ shuffle: label, shuffleHint: hint }) => ({ label, hint })),
      yesNo,
    ),
  ),
  grid: member(
    'grid',
    toggle<QuestionTarget>(
      ({ question }) => question?.grid ?? false,
      wordsOf(({ grid: label, gridHint: hint }) => ({ label, hint })),
      yesNo,
    ),
  ),
  hidden: member(
    'hidden',
    toggle<QuestionTarget>(
      ({ question }) => question?.hidden ?? false,
      wordsOf(({ hidden: label, hiddenHint: hint }) => ({ label, hint })),
      yesNo,
    ),
  ),
  name: line<QuestionTarget>(
    ({ question }) => question?.name,
    wordsOf(({ name: label, nameHint: hint, nameInvalid: invalid }) => ({ label, hint, invalid })),
    { trimmed: true, exact: true },
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
  const { option } = getTraits(type);
  const { title = '', required = false, description = null, sourceId } = question ?? {};
  // Members that stay are not sent: what is not sent is never a fault of the request.
  const base = {
    ...{ title, required, description, type, order },
    ...(option && { [option]: question?.[option] }),
    ...(option === 'choices' && { sourceId }),
  };
  const checked = checkFields(context, QUESTION, QuestionInput(), { typed, stored: target, base });
  return 'errors' in checked ? checked : { input: checked.patch };
}

/**
 * Explains what the operation itself refuses, each fault at its control; undefined for a problem without such faults, and for
 * a type that became fixed meanwhile, which has no control any more.
 */
export const explainQuestion = (
  context: PageContext,
  typed: TypedQuestion,
  problem: Problem,
): { errors: QuestionErrors; status: 400 } | undefined => {
  const errors = explainFaults(context, QUESTION, { typed, problem });
  return errors && errors.type === undefined ? { errors, status: 400 } : undefined;
};
