/**
 * Rules between the members of a body, said in JSON schema. The service checks them by hand (zod refinements,
 * `core/questions/rules.ts`, `core/responses/answers.ts`), which a schema's conversion cannot see; here they are for
 * those who read the document or make requests from it. Kept beside the converted schema of the same name.
 */
import {
  isChoiceType,
  MAX_CHOICES,
  mayHaveSource,
  QUESTION_TYPES,
  type QuestionType,
} from '#core/structure/question-model.ts';
import { richTextContent } from './rich-text.ts';
import type { JsonSchema } from './schemas.ts';

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
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

/** A question carries the option of its type. */
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

/** An answer's value has the form that its question's type asks for. */
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

/** What each named schema gains, given the converted one. */
export const RULES: Readonly<Record<string, (converted: JsonSchema) => JsonSchema>> = {
  RichText: (converted) => ({
    ...converted,
    properties: { ...converted.properties, content: richTextContent() },
  }),
  ChoiceInput: (converted) => ({
    ...converted,
    description: 'Only the other choice may go without a name; at most one choice of a question is the other one.',
    anyOf: [
      { properties: { name: { pattern: '\\S' } } },
      { properties: { isOther: { const: true } }, required: ['isOther'] },
    ],
  }),
  DateOptions: (converted) => ({
    ...converted,
    description: 'At least one part is asked for; minDate is not after maxDate.',
    anyOf: ['hasYear', 'hasMonth', 'hasDay'].map((part) => ({ properties: { [part]: { const: true } } })),
  }),
  QuestionInput: (converted) => ({
    ...converted,
    description:
      'Each type needs its own option; options of other types are dropped. Questions with choices bring them as `choices`, or name the question whose selected choices they are as `sourceId`.',
    anyOf: questionByType,
  }),
  AnswerInput: (converted) => ({
    ...converted,
    description:
      'The `questionType` is that of the question. Files are uploaded and accounts connected; they are not saved by this.',
    anyOf: answerByType,
  }),
};
