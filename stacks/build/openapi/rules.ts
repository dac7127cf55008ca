/**
 * Rules between the members of a body as JSON schema. The service checks them with zod refinements and by hand, which
 * a conversion cannot see; here they are for readers of the document and for clients generated from it.
 */
import {
  isChoiceType,
  MAX_CHOICES,
  mayHaveSource,
  QUESTION_TYPES,
  type QuestionType,
} from '#core/structure/question-model.ts';
import { type JsonSchema, ref, richTextContent, richTextSchemas } from './rich-text.ts';

const typesWhere = (holds: (type: QuestionType) => boolean): QuestionType[] => QUESTION_TYPES.filter(holds);

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
  only('type', ['SHORT_TEXT', 'LONG_TEXT', 'HYPERLINK'], { properties: {} }),
  only('type', typesWhere(mayHaveSource), {
    required: ['choices'],
    properties: { choices: ownChoices, sourceId: { type: 'null' } },
  }),
  only('type', typesWhere(mayHaveSource), {
    required: ['sourceId'],
    properties: { sourceId: { type: 'string' }, choices: { type: ['array', 'null'], maxItems: 0 } },
  }),
  only('type', ['DETAILED_MULTIPLE_CHOICE'], { required: ['choices'], properties: { choices: ownChoices } }),
  only('type', ['LINEAR_SCALE'], { required: ['scale'], properties: { scale: ref('Scale') } }),
  only('type', ['RATING'], { required: ['scale'], properties: { scale: rating } }),
  only('type', ['UPLOAD_FILE'], { required: ['uploadFile'], properties: { uploadFile: ref('UploadFile') } }),
  only('type', ['DATE'], { required: ['date'], properties: { date: ref('DateOptions') } }),
  only('type', ['OAUTH_CONNECT'], { required: ['oauthConnect'], properties: { oauthConnect: ref('ConnectProvider') } }),
];

const single = (type: QuestionType): boolean => type === 'SINGLE_CHOICE' || type === 'DROPDOWN';
const value = (schema: JsonSchema): Branch => ({ properties: { value: schema } });
const choiceIds: JsonSchema = { type: 'array', minItems: 1, uniqueItems: true, items: ref('Id') };

/** The value of an answer depends on the type of its question. */
const answerByType: JsonSchema[] = [
  only('questionType', ['SHORT_TEXT'], value({ type: 'string', maxLength: 500 })),
  only('questionType', ['LONG_TEXT'], value({ type: 'string', maxLength: 10_000 })),
  only(
    'questionType',
    ['HYPERLINK'],
    value({ type: 'string', maxLength: 2_048, pattern: '^(?:$|[hH][tT][tT][pP][sS]?://[^\\s\\\\]+$)' }),
  ),
  only('questionType', typesWhere(single), value({ ...choiceIds, maxItems: 1 })),
  only(
    'questionType',
    typesWhere((type) => isChoiceType(type) && !single(type)),
    value(choiceIds),
  ),
  only('questionType', ['LINEAR_SCALE', 'RATING'], value({ type: 'integer', minimum: 0, maximum: 10 })),
  only('questionType', ['DATE'], value({ type: 'string' })),
  only('questionType', ['UPLOAD_FILE'], value({ anyOf: [{ type: 'array', items: ref('Id') }, { type: 'object' }] })),
];

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
