/**
 * The fields of the page of a question: of a stored question, or of a posted form. They become the input of the operation
 * that stores it, or the messages for what is not valid. Pure.
 */

import { type Question, QuestionInput, type QuestionType } from '#core/structure/question-model.ts';
import { isChoiceSource, type Structure } from '#core/structure/structure.ts';
import { type ChoiceInput, MAX_CHOICES } from '#core/structure/types/choices.ts';
import type { ConnectProvider } from '#core/structure/types/oauth-connect.ts';
import { getTraits, isChoiceType, mayHaveSource, QUESTION_TYPES } from '#core/structure/types/traits.ts';
import { explainDate } from '../fields/date.ts';
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { loadMarkdown } from './load-markdown.ts';
import { explainMarkdown, readTyped } from './rich-text-field.ts';

/** A row of the choices; `id` is empty for a new one. */
export type TypedChoice = { id: string; name: string; description: string; isOther: boolean };

/** What was typed, as texts. `description` is undefined for one that stays, because Markdown does not express it. */
export type TypedQuestion = {
  type: QuestionType;
  title: string;
  required: boolean;
  description: string | undefined;
  choices: readonly TypedChoice[];
  sourceId: string;
  scale: { minVal: string; maxVal: string; minValueLabel: string; maxValueLabel: string; icon: string };
  files: { types: readonly string[]; maxAmount: string; maxMegabytes: string };
  date: { parts: readonly DatePart[]; min: string; max: string };
  provider: string;
};

export const DATE_PARTS = ['year', 'month', 'day'] as const;
type DatePart = (typeof DATE_PARTS)[number];

/** The messages by the id of the control. */
export type QuestionErrors = Readonly<Record<string, string>>;

const BYTES_PER_MEGABYTE = 1_048_576;

/** The fields of a new question of a type. */
export const newQuestion = (type: QuestionType): TypedQuestion => ({
  type,
  title: '',
  required: false,
  description: '',
  choices: isChoiceType(type) ? [emptyChoice(), emptyChoice()] : [],
  sourceId: '',
  scale: {
    minVal: '1',
    maxVal: '5',
    minValueLabel: '',
    maxValueLabel: '',
    icon: getTraits(type).hasIcon ? 'star' : '',
  },
  files: { types: ['PDF', 'JPEG', 'PNG'], maxAmount: '1', maxMegabytes: '10' },
  date: { parts: DATE_PARTS, min: '', max: '' },
  provider: 'PROVIDER_ONE',
});

export const emptyChoice = (isOther = false): TypedChoice => ({ id: '', name: '', description: '', isOther });

/** The fields of a stored question. */
export function toTypedQuestion(question: Question): TypedQuestion {
  const { type, title, required, description, choices = [], sourceId = '', scale, uploadFile, date } = question;
  const initial = newQuestion(type);
  return {
    type,
    title,
    required,
    description: loadMarkdown().writeMarkdown(description),
    choices: choices.map(({ description: text = '', isOther = false, ...choice }) => ({
      ...choice,
      description: text,
      isOther,
    })),
    sourceId,
    scale: scale
      ? {
          minVal: String(scale.minVal),
          maxVal: String(scale.maxVal),
          minValueLabel: scale.minValueLabel ?? '',
          maxValueLabel: scale.maxValueLabel ?? '',
          icon: scale.icon ?? '',
        }
      : initial.scale,
    files: uploadFile
      ? {
          types: uploadFile.allowedFileTypes,
          maxAmount: String(uploadFile.maxFileAmount),
          maxMegabytes: String(uploadFile.maxFileSizeLimit / BYTES_PER_MEGABYTE),
        }
      : initial.files,
    date: date
      ? {
          parts: DATE_PARTS.filter((part) => ({ year: date.hasYear, month: date.hasMonth, day: date.hasDay })[part]),
          min: (date.minDate ?? '').slice(0, 10),
          max: (date.maxDate ?? '').slice(0, 10),
        }
      : initial.date,
    provider: question.oauthConnect ?? initial.provider,
  };
}

const isQuestionType = (text: string): text is QuestionType => QUESTION_TYPES.some((type) => type === text);

/** Parses the type of a form or an address; undefined for any other text. */
export const parseQuestionType = (text: string | null): QuestionType | undefined =>
  text !== null && isQuestionType(text) ? text : undefined;

/** Parses the fields of a posted form. `stored`: the question, if there is one; what it is not asked for stays. */
export function parseTypedQuestion(fields: URLSearchParams, stored?: Question): TypedQuestion {
  const text = (name: string): string => fields.get(name) ?? '';
  const line = (name: string): string => text(name).trim();
  const type = parseQuestionType(fields.get('type')) ?? stored?.type ?? 'SHORT_TEXT';
  const column = (name: string): string[] => fields.getAll(`choice.${name}`);
  const [ids, descriptions, otherFlags] = [column('id'), column('description'), column('other')];
  return {
    type,
    title: line('title'),
    required: fields.has('required'),
    description: readTyped(fields, 'description'),
    choices: column('name').map((name, index) => ({
      id: ids[index] ?? '',
      name: name.trim(),
      description: (descriptions[index] ?? '').trim(),
      isOther: otherFlags[index] === 'yes',
    })),
    sourceId: line('sourceId'),
    scale: {
      minVal: line('minVal'),
      maxVal: line('maxVal'),
      minValueLabel: line('minValueLabel'),
      maxValueLabel: line('maxValueLabel'),
      icon: line('icon'),
    },
    files: {
      types: fields.getAll('fileType').flatMap((types) => types.split(' ')),
      maxAmount: line('maxAmount'),
      maxMegabytes: line('maxMegabytes'),
    },
    date: {
      parts: DATE_PARTS.filter((part) => fields.getAll('datePart').includes(part)),
      min: line('minDate'),
      max: line('maxDate'),
    },
    provider: line('provider'),
  };
}

/** Builds the choices as they are sent: rows without any text are left out. */
const toChoiceInputs = (typed: TypedQuestion): ChoiceInput[] =>
  typed.choices
    .filter(({ name, isOther, description }) => isOther || name !== '' || description !== '')
    .map(({ id, name, description, isOther }) => ({
      ...(id !== '' && { id }),
      name,
      ...(description !== '' && { description }),
      ...(isOther && { isOther }),
    }));

/** Reads a whole number that is typed with digits only, so that nothing else is taken for one; NaN for another text. */
const toInteger = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** Reads a size in megabytes, whole or with a decimal point; NaN for another text. */
const toBytes = (megabytes: string): number =>
  /^\d{1,9}(?:\.\d+)?$/.test(megabytes) ? Math.round(Number(megabytes) * BYTES_PER_MEGABYTE) : Number.NaN;

/** A date bound: the stored one, with its time, unless another day was typed. */
const toBound = (typed: string, stored: string | null | undefined): string | null =>
  typed === '' ? null : stored?.slice(0, 10) === typed ? stored : typed;

/** Returns the typed description, unless the stored document has this text and nothing may be lost that it does not show. */
const changedDescription = (stored: Question | undefined, typed: string | undefined): string | undefined =>
  stored && typed !== undefined && loadMarkdown().writeMarkdown(stored.description) === typed ? undefined : typed;

type Checked = { input: QuestionInput } | { errors: QuestionErrors };

/** The question of a structure that a form replaces; without `stored`, it adds one. `order`: its position, from 1. */
type Target = { structure: Structure; stored?: Question | undefined; order: number };

/** Builds the input of the operation, or the messages for what is not valid. */
export function checkQuestion(
  context: PageContext,
  typed: TypedQuestion,
  { structure, stored, order }: Target,
): Checked {
  const { type } = typed;
  const hasSource = mayHaveSource(type) && typed.sourceId !== '';
  const { option, hasIcon } = getTraits(type);
  const choices = toChoiceInputs(typed);
  const description = changedDescription(stored, typed.description);
  const candidate = {
    type,
    title: typed.title,
    required: typed.required,
    description: description === undefined ? (stored?.description ?? null) : loadMarkdown().parseMarkdown(description),
    order,
    ...(option === 'choices' && (hasSource ? { sourceId: typed.sourceId } : { choices })),
    ...(option === 'scale' && {
      scale: {
        minVal: hasIcon ? 1 : toInteger(typed.scale.minVal),
        maxVal: toInteger(typed.scale.maxVal),
        minValueLabel: typed.scale.minValueLabel || null,
        maxValueLabel: typed.scale.maxValueLabel || null,
        icon: typed.scale.icon || null,
      },
    }),
    ...(option === 'uploadFile' && {
      uploadFile: {
        allowedFileTypes: typed.files.types,
        maxFileAmount: toInteger(typed.files.maxAmount),
        maxFileSizeLimit: toBytes(typed.files.maxMegabytes),
      },
    }),
    ...(option === 'date' && {
      date: {
        hasYear: typed.date.parts.includes('year'),
        hasMonth: typed.date.parts.includes('month'),
        hasDay: typed.date.parts.includes('day'),
        minDate: toBound(typed.date.min, stored?.date?.minDate),
        maxDate: toBound(typed.date.max, stored?.date?.maxDate),
      },
    }),
    ...(option === 'oauthConnect' && { oauthConnect: typed.provider as ConnectProvider }),
  };
  const parsed = QuestionInput().safeParse(candidate);
  const errors: Record<string, string> = findContextErrors(context, typed, { structure, stored });
  const unparsed = explainMarkdown(context, description);
  if (unparsed !== undefined) errors.description = unparsed;
  const rows = typed.choices.flatMap((choice, index) => (isEmptyRow(choice) ? [] : [index]));
  for (const { path, code } of parsed.error?.issues ?? []) {
    const { control, message } = describeIssue(context, { path, isRelation: code === 'custom' }, rows);
    errors[control] ??= message;
  }
  return parsed.success && Object.keys(errors).length === 0 ? { input: parsed.data } : { errors };
}

const isEmptyRow = ({ name, isOther, description }: TypedChoice): boolean =>
  !isOther && name === '' && description === '';

/** Finds what is not valid in this form: the number of choices, the source, the type of an answered question, and parts of dates. */
function findContextErrors(
  context: PageContext,
  typed: TypedQuestion,
  { structure, stored }: Pick<Target, 'structure' | 'stored'>,
): Record<string, string> {
  const texts = getQuestionsTexts(context).edit;
  const { type, sourceId } = typed;
  const errors: Record<string, string> = {};
  if (isChoiceType(type) && !(mayHaveSource(type) && sourceId !== '')) {
    const { length } = toChoiceInputs(typed);
    if (length === 0) errors['choice-0'] = texts.choicesMissing;
    if (length > MAX_CHOICES) errors['choice-0'] = texts.choicesMany(MAX_CHOICES);
  } else if (mayHaveSource(type) && sourceId !== stored?.sourceId && !isChoiceSource(structure, sourceId, stored?.id)) {
    errors.sourceId = texts.sourceInvalid;
  }
  const isSource = structure.sections.some(({ questions }) =>
    questions.some((question) => question.sourceId === stored?.id),
  );
  if (stored && isSource && !isChoiceType(type)) errors.type = texts.typeInvalid;
  if (getTraits(type).hasIcon && typed.scale.icon === '') errors.icon = texts.scaleInvalid;
  if (getTraits(type).option === 'date') {
    for (const bound of ['min', 'max'] as const) {
      const text = typed.date[bound];
      const isStored = text === stored?.date?.[`${bound}Date`]?.slice(0, 10);
      const fault = text === '' || isStored ? undefined : explainDate(context, text);
      if (fault !== undefined) errors[`${bound}Date`] = fault;
    }
  }
  return errors;
}

/** Returns the control to which an issue of the schema belongs, and its message. `rows`: the rows of the choices sent. */
function describeIssue(
  context: PageContext,
  { path: [member, second, third], isRelation }: { path: readonly PropertyKey[]; isRelation: boolean },
  rows: readonly number[],
): { control: string; message: string } {
  const texts = getQuestionsTexts(context).edit;
  switch (member) {
    case 'title':
      return { control: 'title', message: texts.questionInvalid };
    case 'description':
      return { control: 'description', message: texts.descriptionInvalid };
    case 'choices': {
      const row = rows[Number(second)] ?? 0;
      return third === 'description'
        ? { control: `choice-description-${row}`, message: texts.choiceDescriptionInvalid }
        : { control: `choice-${row}`, message: texts.choiceInvalid };
    }
    case 'scale':
      return second === 'minValueLabel' || second === 'maxValueLabel'
        ? { control: second, message: texts.labelInvalid }
        : { control: second === 'icon' ? 'icon' : 'maxVal', message: texts.scaleInvalid };
    case 'uploadFile':
      if (second === 'maxFileAmount') return { control: 'maxAmount', message: texts.maxFilesInvalid };
      return second === 'maxFileSizeLimit'
        ? { control: 'maxMegabytes', message: texts.maxSizeInvalid }
        : { control: 'fileType', message: texts.fileTypesInvalid };
    case 'date':
      if (second === 'maxDate') return { control: 'maxDate', message: texts.dateInvalid };
      if (second === 'minDate') {
        return isRelation
          ? { control: 'maxDate', message: texts.dateOrder }
          : { control: 'minDate', message: texts.dateInvalid };
      }
      return { control: 'datePart', message: texts.datePartsInvalid };
    case 'oauthConnect':
      return { control: 'provider', message: texts.refused };
    default:
      return { control: 'type', message: texts.refused };
  }
}
