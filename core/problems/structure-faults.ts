/**
 * The faults of what is sent as sections, questions, workflow or definition of a form: a code with parameters, of which the
 * texts of the API are made here and those of pages in `core/pages/text`.
 */
import { LINE_FAULT } from '#core/schema/text.ts';

/** The texts of the API, to be read after the name of a member. Types are those of questions or nodes. */
const DETAILS = {
  option_missing: (type: string) => `is required of a ${type} question`,
  other_start: (type: string) => `must be 1 for a ${type} question`,
  type_answered: (type: string) => `must stay ${type}: this question has been answered`,
  type_of_source: (question: string) => `must be one with choices: "${question}" takes its choices from this question`,
  no_or_many_choices: (max: number) => `must be 1 to ${max} choices`,
  name_taken: (question: string) =>
    `is the name of the question "${question}" already; upper and lower case are the same`,
  reversed_range: (upper: string) => `must not be more than ${upper}`,
  more_than_choices: (count: number) => `must not be more than the number of choices (${count})`,
  length_over_max: (max: number) => `must be at most ${max}, the longest answer to this type`,
  needs_member: (member: string, format: string) => `needs ${member} with the format ${format}`,
  pattern_faulty: (fault: string) => fault,
  choice_name_repeated: () => 'is the name of another choice of this question',
  choice_repeated: () => 'is a duplicate of an earlier choice',
  limit_of_ranking: () => 'must be null: whoever ranks selects every choice',
  too_many_limits: (max: number) => `must limit at most ${max} choices of the form`,
  second_other: () => 'must be true for at most one choice',
  choices_and_source: () => 'cannot be combined with choices: send only one of them',
  no_question: () => 'must be a question of this form',
  no_choices: () => 'must be a question with choices',
  source_loop: () => 'must not be this question, nor one that takes its choices from it',
  no_node: () => 'must be the id of a node of this workflow',
  back_to_start: () => 'must not lead back to the START node',
  other_rule_source: (source: string, type: string) => `must be ${source} for a question of type ${type}`,
  other_format: (format: string) => `must be "${format}": this is not a form definition`,
  other_definition_version: (version: number) => `must be ${version}: this definition was made by another version`,
  label_not_line: () => LINE_FAULT,
  label_too_long: (max: number) => `must be at most ${max} characters`,
  pattern_too_big: (fault: string) => fault,
  patterns_too_costly: (max: number) =>
    `makes the patterns of the form cost more than ${max} together, their steps times the longest answer: shorten some of them, or compare texts and ids`,
  new_node: () => 'must be a node of this workflow: use POST to add nodes',
  node_repeated: () => 'is a duplicate of an earlier node in this request',
  node_missing: (id: string, label: string) => `must contain the node ${id} ("${label}")`,
  id_repeated: () => 'is in use elsewhere in this definition',
  other_ends: (type: string) => `must contain exactly one node of type ${type}`,
  section_repeated: () => 'is a duplicate of an earlier section',
  no_section_node: () => 'must be the id of a node of type SECTION',
  no_section: () => 'must be the id of a section',
  too_many_questions: (max: number) => `must have at most ${max} questions`,
  too_many_conditions: (max: number) => `must have at most ${max} conditions`,
  not_highlightable: (types: string) => `must be a question of type ${types}`,
  view_title_repeated: () => 'is in use by an earlier view',
  column_repeated: () => 'is a duplicate of an earlier column',
  no_column_question: () => 'must be a question of this definition',
};

export type StructureDetails = typeof DETAILS;
export type StructureFaultCode = keyof StructureDetails;

type StructureFault = { pointer: string; code: StructureFaultCode; params: readonly unknown[]; detail: string };

/** Builds a fault at a JSON pointer. */
export function structureFault<Code extends StructureFaultCode>(
  pointer: string,
  code: Code,
  ...params: Parameters<StructureDetails[Code]>
): StructureFault {
  const describe = DETAILS[code] as (...parameters: Parameters<StructureDetails[Code]>) => string;
  return { pointer, code, params, detail: describe(...params) };
}
