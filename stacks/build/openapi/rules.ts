/**
 * Rules between the members of a body as JSON schema. The service checks them with zod refinements and by hand, which
 * a conversion cannot see; here they are for readers of the document and for clients generated from it.
 */

import type { QuestionType } from '#core/structure/question-model.ts';
import { MAX_CHOICES } from '#core/structure/types/choices.ts';
import { MAX_HYPERLINK } from '#core/structure/types/hyperlink.ts';
import { MAX_LONG_TEXT, MAX_SHORT_TEXT } from '#core/structure/types/text.ts';
import {
  getTraits,
  isChoiceType,
  isSetByService,
  mayHaveSource,
  type OptionName,
  QUESTION_TYPES,
} from '#core/structure/types/traits.ts';
import { type JsonSchema, ref, richTextContent, richTextSchemas } from './rich-text.ts';

const typesWhere = (holds: (type: QuestionType) => boolean): QuestionType[] => QUESTION_TYPES.filter(holds);

const typesWith = (option: OptionName | undefined): QuestionType[] =>
  typesWhere((type) => getTraits(type).option === option);

type Branch = { required?: string[]; properties: Record<string, JsonSchema> };

const only = (member: string, types: readonly QuestionType[], rest: Branch): JsonSchema => ({
  properties: { [member]: { enum: types }, ...rest.properties },
  ...(rest.required ? { required: rest.required } : {}),
});

const ownChoices: JsonSchema = { type: 'array', minItems: 1, maxItems: MAX_CHOICES, items: ref('ChoiceInput') };
const rating: JsonSchema = {
  allOf: [ref('Scale'), { properties: { minVal: { const: 1 }, icon: { type: 'string' } }, required: ['icon'] }],
};

/** A question needs the option of its type. */
const questionByType: JsonSchema[] = [
  only('type', typesWith(undefined), { properties: {} }),
  only('type', typesWhere(mayHaveSource), {
    required: ['choices'],
    properties: { choices: ownChoices, sourceId: { type: 'null' } },
  }),
  only('type', typesWhere(mayHaveSource), {
    required: ['sourceId'],
    properties: { sourceId: { type: 'string' }, choices: { type: ['array', 'null'], maxItems: 0 } },
  }),
  only(
    'type',
    typesWhere((type) => isChoiceType(type) && !mayHaveSource(type)),
    { required: ['choices'], properties: { choices: ownChoices } },
  ),
  only(
    'type',
    typesWith('scale').filter((type) => !getTraits(type).hasIcon),
    { required: ['scale'], properties: { scale: ref('Scale') } },
  ),
  only(
    'type',
    typesWhere((type) => getTraits(type).hasIcon === true),
    { required: ['scale'], properties: { scale: rating } },
  ),
  only('type', typesWith('uploadFile'), { required: ['uploadFile'], properties: { uploadFile: ref('UploadFile') } }),
  only('type', typesWith('date'), { required: ['date'], properties: { date: ref('DateOptions') } }),
  only('type', typesWith('oauthConnect'), {
    required: ['oauthConnect'],
    properties: { oauthConnect: ref('ConnectProvider') },
  }),
];

const single = (type: QuestionType): boolean => getTraits(type).selectsOne === true;
const choiceIds: JsonSchema = { type: 'array', minItems: 1, uniqueItems: true, items: ref('Id') };

/** The values of answers to types of questions. */
const VALUES: readonly (readonly [types: readonly QuestionType[], value: JsonSchema])[] = [
  [['SHORT_TEXT'], { type: 'string', maxLength: MAX_SHORT_TEXT }],
  [['LONG_TEXT'], { type: 'string', maxLength: MAX_LONG_TEXT }],
  [['HYPERLINK'], { type: 'string', maxLength: MAX_HYPERLINK, pattern: '^(?:$|[hH][tT][tT][pP][sS]?://[^\\s\\\\]+$)' }],
  [typesWhere(single), { ...choiceIds, maxItems: 1 }],
  [typesWhere((type) => isChoiceType(type) && !single(type)), choiceIds],
  [typesWith('scale'), { type: 'integer', minimum: 0, maximum: 10 }],
  [typesWith('date'), { type: 'string' }],
  [typesWith('uploadFile'), { anyOf: [{ type: 'array', items: ref('Id') }, { type: 'object' }] }],
];

/** The value of an answer depends on the type of its question; any of the schema may answer types that are not listed. */
const answerByType: JsonSchema[] = VALUES.map(([types, value]) =>
  only('questionType', types, { properties: { value } }),
);
const others = typesWhere((type) => !isSetByService(type) && !VALUES.some(([types]) => types.includes(type)));
if (others.length > 0) answerByType.push(only('questionType', others, { properties: {} }));

/** What is added to a schema, by its name. */
const RULES: Readonly<Record<string, (converted: JsonSchema) => JsonSchema>> = {
  RichText: (converted) => ({
    ...converted,
    properties: { ...converted.properties, content: richTextContent() },
  }),
  ChoiceInput: (converted) => ({
    ...converted,
    description: 'Only the choice with `isOther` may have no name; a question has at most one of them.',
    anyOf: [
      { properties: { name: { pattern: '\\S' } } },
      { properties: { isOther: { const: true } }, required: ['isOther'] },
    ],
  }),
  DateOptions: (converted) => ({
    ...converted,
    description: 'At least one of hasYear, hasMonth and hasDay is true; minDate is not after maxDate.',
    anyOf: ['hasYear', 'hasMonth', 'hasDay'].map((part) => ({ properties: { [part]: { const: true } } })),
  }),
  QuestionInput: (converted) => ({
    ...converted,
    description:
      'Each type needs its own option; options of other types are dropped. Questions with choices have them in `choices`, or refer with `sourceId` to the question whose selected choices they offer.',
    anyOf: questionByType,
  }),
  AnswerInput: (converted) => ({
    ...converted,
    description:
      '`questionType` is the type of the question. Files are uploaded and accounts connected by operations of their own.',
    anyOf: answerByType,
  }),
};

/** All schemas of the document: the converted ones with their rules, and those of rich text. */
export const withRules = (converted: Record<string, JsonSchema>): Record<string, JsonSchema> => {
  const schemas = Object.entries(converted).map(([name, schema]) => [name, RULES[name]?.(schema) ?? schema] as const);
  return Object.fromEntries([...schemas, ...Object.entries(richTextSchemas())].sort(([a], [b]) => (a < b ? -1 : 1)));
};
