/**
 * Rules between the members of a body, as descriptions. The service checks them with zod refinements and by hand, which a
 * conversion cannot see. As schemas (`anyOf` beside `properties`) they break clients that are generated from the document:
 * one generator writes code that does not parse and leaves out the operations, another makes a union that accepts anything.
 */

import { ALLOWED_CONTENT, MAX_LIST_START } from '#core/rich-text/model.ts';
import { MAX_CHOICES } from '#core/schema/limits.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import { MAX_LONG_TEXT, MAX_SHORT_TEXT } from '#core/structure/types/formats.ts';
import { MAX_HYPERLINK } from '#core/structure/types/hyperlink.ts';
import {
  getTraits,
  isChoiceType,
  mayHaveSource,
  type OptionName,
  QUESTION_TYPES,
} from '#core/structure/types/traits.ts';

/** A JSON schema of draft 2020-12. */
export type JsonSchema = { [keyword: string]: unknown; $ref?: string; properties?: Record<string, JsonSchema> };

const typesWhere = (holds: (type: QuestionType) => boolean): QuestionType[] => QUESTION_TYPES.filter(holds);

const typesWith = (option: OptionName): QuestionType[] => typesWhere((type) => getTraits(type).option === option);

const hasIcon = (type: QuestionType): boolean => getTraits(type).hasIcon === true;
const selectsOne = (type: QuestionType): boolean => getTraits(type).selectsOne === true;

/** A rule for some question types. */
type TypeRule = readonly [types: readonly QuestionType[], rule: string];

/** A Markdown list of rules, without those for no type. */
const listRules = (rules: readonly TypeRule[]): string =>
  rules.flatMap(([types, rule]) => (types.length > 0 ? [`- ${types.join(', ')}: ${rule}`] : [])).join('\n');

/** The option that each type of question needs. */
const OPTIONS: readonly TypeRule[] = [
  [
    typesWhere(mayHaveSource),
    `\`choices\` (1 to ${MAX_CHOICES}), or \`sourceId\`: the question whose selected choices are offered`,
  ],
  [typesWhere((type) => isChoiceType(type) && !mayHaveSource(type)), `\`choices\` (1 to ${MAX_CHOICES})`],
  [typesWith('scale').filter((type) => !hasIcon(type)), '`scale`'],
  [typesWhere(hasIcon), '`scale` with `icon`, and 1 as `minVal`'],
  [typesWith('uploadFile'), '`uploadFile`'],
  [typesWith('date'), '`date`'],
  [typesWith('oauthConnect'), '`oauthConnect`'],
];

/** The values of answers to types of questions. */
const VALUES: readonly TypeRule[] = [
  [['SHORT_TEXT'], `a string of at most ${MAX_SHORT_TEXT} characters`],
  [['LONG_TEXT'], `a string of at most ${MAX_LONG_TEXT} characters`],
  [['HYPERLINK'], `an http or https address of at most ${MAX_HYPERLINK} characters`],
  [typesWhere(selectsOne), 'an array with the id of one choice'],
  [typesWhere((type) => isChoiceType(type) && !selectsOne(type)), 'an array of ids of choices, each once'],
  [typesWith('scale'), 'a whole number of the scale'],
  [typesWith('date'), 'a string, YYYY-MM-DD or RFC 3339'],
  [typesWith('uploadFile'), 'the files that stay: an array of ids, or `files` with their `fileId`'],
];

/** What may be in the nodes of rich text. Clients generated from a schema that refers to itself do not work. */
const NODES = `Each node has a \`type\`, and may have \`attrs\`, \`content\` (an array of nodes) and, if it is inline, \`marks\`, each once:

${Object.entries(ALLOWED_CONTENT)
  .map(([node, content]) => `- ${node}: ${content.length > 0 ? content.join(', ') : 'no content'}`)
  .join('\n')}

A text has \`text\`, which is not empty. Required \`attrs\`: \`level\` (1 to 6) of a heading, \`name\` of a variable, \`href\` of a link, an absolute http, https or mailto address or #fragment. An ordered_list may have \`order\` or \`start\`, at most ${MAX_LIST_START}.`;

/** The descriptions of schemas, by name; \`converted\` is what the declarations say. */
const DESCRIPTIONS: Readonly<Record<string, (converted: string) => string>> = {
  RichText: (converted) => `${converted}\n\n${NODES}`,
  ChoiceInput: () => 'Only the choice with `isOther` may have no name; a question has at most one of them.',
  DateOptions: () => 'At least one of hasYear, hasMonth and hasDay is true; minDate is not after maxDate.',
  QuestionInput: () => `Types that need an option; options of other types are dropped:\n\n${listRules(OPTIONS)}`,
  AnswerInput: () =>
    '`questionType` is the type of the question. Files are uploaded and accounts connected by operations of their own. ' +
    `The \`value\` depends on the type; null, an empty text or an empty array clears the answer:\n\n${listRules(VALUES)}`,
};

/** Adds the rules to the converted schemas, by name. */
export function withRules(converted: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const schemas = Object.entries(converted).map(([name, schema]) => {
    const describe = DESCRIPTIONS[name];
    return [name, describe ? { ...schema, description: describe(String(schema.description ?? '')) } : schema] as const;
  });
  return Object.fromEntries(schemas);
}
