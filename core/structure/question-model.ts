/**
 * Questions: the 13 types, their options, and the schemas in which they are sent, stored and returned. The rules are in
 * `question-rules.ts`.
 */
import * as z from 'zod';
import { RichText } from '#core/rich-text/model.ts';
import { Id, type Infer, schema, Timestamp, text } from '#core/schema/schema.ts';
import { isVisible, line } from '#core/schema/text.ts';
import { FILE_TYPES } from './types/file-types.ts';

export const QUESTION_TYPES = [
  'SHORT_TEXT',
  'LONG_TEXT',
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'DROPDOWN',
  'DETAILED_MULTIPLE_CHOICE',
  'DATE',
  'UPLOAD_FILE',
  'LINEAR_SCALE',
  'RATING',
  'RANKING',
  'OAUTH_CONNECT',
  'HYPERLINK',
] as const;

export const QuestionType = schema(() => z.enum(QUESTION_TYPES).meta({ id: 'QuestionType' }));
export type QuestionType = Infer<typeof QuestionType>;

const CHOICE_TYPES: ReadonlySet<QuestionType> = new Set([
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'DROPDOWN',
  'DETAILED_MULTIPLE_CHOICE',
  'RANKING',
]);
const HIGHLIGHT_TYPES: ReadonlySet<QuestionType> = new Set([
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'DROPDOWN',
  'DETAILED_MULTIPLE_CHOICE',
]);

/** Whether answers to this type select choices. */
export const isChoiceType = (type: QuestionType): boolean => CHOICE_TYPES.has(type);
/** Whether choices of this type may be generated from another question (`sourceId`). */
export const mayHaveSource = (type: QuestionType): boolean => isChoiceType(type) && type !== 'DETAILED_MULTIPLE_CHOICE';
/** Whether a form may highlight a question of this type. */
export const mayBeHighlighted = (type: QuestionType): boolean => HIGHLIGHT_TYPES.has(type);

export const MAX_CHOICES = 200;

/** A choice; `id` is stable across renames. */
export const Choice = schema(() =>
  z
    .object({
      id: Id(),
      name: z.string(),
      description: z.string().optional(),
      isOther: z.boolean().optional(),
    })
    .meta({ id: 'Choice' }),
);
export type Choice = Infer<typeof Choice>;

/** The name of a choice as it is displayed; only the other choice may have none. */
export const choiceName = ({ name }: Pick<Choice, 'name'>): string => name || 'Other';

/** A choice as it is sent; only the other choice may have no name. */
export const ChoiceInput = schema(() =>
  z
    .object({
      id: Id().optional().describe('On update, identifies an existing choice.'),
      name: z.string().trim().pipe(line(0, 200)).meta({ maxLength: 200, description: 'One line. Trimmed.' }),
      description: text(0, 500).nullish(),
      isOther: z.boolean().nullish(),
    })
    .refine(({ name, isOther }) => isVisible(name) || (isOther && name === ''), {
      path: ['name'],
      message: 'must be 1 to 200 characters, at least one of them visible; only the other choice may have no name',
    })
    .meta({ id: 'ChoiceInput' }),
);
export type ChoiceInput = Infer<typeof ChoiceInput>;

/** The icons of scales and ratings. */
export const ICONS = [
  'star',
  'heart',
  'thumbs-up',
  'smile',
  'flame',
  'trophy',
  'lightbulb',
  'check',
  'flag',
  'gift',
  'leaf',
  'sun',
] as const;

export const Scale = schema(() =>
  z
    .object({
      minVal: z.int().min(0).max(1),
      maxVal: z.int().min(2).max(10),
      minValueLabel: line(0, 200).nullish(),
      maxValueLabel: line(0, 200).nullish(),
      icon: z.enum(ICONS).nullish(),
    })
    .meta({ id: 'Scale' }),
);
export type Scale = Infer<typeof Scale>;

export const UploadFile = schema(() =>
  z
    .object({
      allowedFileTypes: z.array(z.enum(FILE_TYPES)).min(1).max(FILE_TYPES.length),
      maxFileAmount: z.int().min(1).max(10),
      maxFileSizeLimit: z
        .int()
        .min(1)
        .max(10_485_760)
        .describe('The largest size of a file in bytes; files must also be smaller than 10,485,760 bytes.'),
    })
    .meta({ id: 'UploadFile' }),
);
export type UploadFile = Infer<typeof UploadFile>;

/** A bound of a date, stored as it was sent; only its calendar date is used, not its offset. */
const DateLimit = schema(() =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a real date as YYYY-MM-DD, or an RFC 3339 date-time',
    })
    .meta({ id: 'DateLimit' }),
);

/** The requested parts of a DATE question, and its bounds. */
export const DateOptions = schema(() =>
  z
    .object({
      hasYear: z.boolean(),
      hasMonth: z.boolean(),
      hasDay: z.boolean(),
      minDate: DateLimit().nullish(),
      maxDate: DateLimit().nullish(),
    })
    .refine((date) => date.hasYear || date.hasMonth || date.hasDay, 'must request at least one of year, month and day')
    .refine((date) => !date.minDate || !date.maxDate || date.minDate.slice(0, 10) <= date.maxDate.slice(0, 10), {
      path: ['minDate'],
      message: 'must not be after maxDate',
    })
    .meta({ id: 'DateOptions' }),
);
export type DateOptions = Infer<typeof DateOptions>;

export const ConnectProvider = schema(() => z.enum(['PROVIDER_ONE', 'PROVIDER_TWO']).meta({ id: 'ConnectProvider' }));
export type ConnectProvider = Infer<typeof ConnectProvider>;

/** A move of a question: the section that it left, and the first version of the structure in which it is elsewhere. */
export type Move = { from: string; version: number };

/** A question as the structure stores it; its section and order follow from its position. */
export type Question = {
  id: string;
  type: QuestionType;
  required: boolean;
  title: string;
  /** A rich-text document exactly as it was sent, or null. */
  description: RichText | null;
  choices?: Choice[];
  /** The question whose selected choices this question offers. */
  sourceId?: string;
  scale?: Scale;
  uploadFile?: UploadFile;
  date?: DateOptions;
  oauthConnect?: ConnectProvider;
  /** Its moves from other sections since it was first answered, oldest first. Set where a structure is stored. */
  moves?: readonly Move[];
  createdAt: string;
  updatedAt: string;
};

/** A question as it is sent on create and update. */
export const QuestionInput = schema(() =>
  z
    .object({
      required: z.boolean(),
      type: QuestionType(),
      title: line(1, 500),
      description: RichText().nullable().describe('Rich text; `null` is an empty document.'),
      order: z.int().min(1).describe('1-indexed position in the section; clamped to the end.'),
      choices: z.array(ChoiceInput()).nullish(),
      sourceId: Id()
        .nullish()
        .describe(
          'Instead of `choices`: a respondent chooses from what they selected in that question. While that is nothing, no answer is required and a condition on this question is false.',
        ),
      scale: Scale().nullish(),
      uploadFile: UploadFile().nullish(),
      date: DateOptions().nullish(),
      oauthConnect: ConnectProvider().nullish(),
    })
    .meta({ id: 'QuestionInput' }),
);
export type QuestionInput = Infer<typeof QuestionInput>;

/** A question as it is returned. */
export const QuestionDocument = schema(() =>
  z
    .object({
      id: Id(),
      sectionId: Id(),
      required: z.boolean(),
      type: QuestionType(),
      title: z.string(),
      description: RichText().nullable(),
      descriptionHtml: z.string(),
      order: z.int(),
      choices: z.array(Choice()).optional(),
      sourceId: Id().optional(),
      scale: Scale().optional(),
      uploadFile: UploadFile().optional(),
      date: DateOptions().optional(),
      oauthConnect: ConnectProvider().optional(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    })
    .meta({ id: 'Question' }),
);
export type QuestionDocument = Infer<typeof QuestionDocument>;
