/**
 * The rules of a section as a table: for each choice of one question, where it leads. It is another view of the same list
 * of rules. Pure.
 */
import type { Question } from './question-model.ts';
import type { Rule, SectionRules } from './rules.ts';
import { findSection, listChoices, type Structure } from './structure.ts';
import { getTraits } from './types/traits.ts';

/** The most choices of a question that has a table. */
const MAX_TABLE_CHOICES = 10;

/** The target of each choice and of all other answers: current choices in order, then removed ones that rules still name. */
export type RuleTable = { questionId: string; rows: readonly TableRow[]; otherwise: string | undefined };
export type TableRow = { choiceId: string; target: string | undefined };

/** Whether each answer to a question is one of a few choices of its own. */
const fitsTable = ({ type, choices = [], sourceId }: Question): boolean =>
  getTraits(type).selectsOne === true &&
  sourceId === undefined &&
  choices.length > 0 &&
  choices.length <= MAX_TABLE_CHOICES;

/**
 * Reads the rules of a section as a table about one of its questions: the one that the rules are about, without rules the
 * one `about` which it is meant to be, or else the last one that fits. Returns undefined if there is none, or if the rules
 * say more than a table can.
 */
export function readTable(
  structure: Structure,
  sectionId: string,
  { rules, otherwise }: SectionRules,
  about?: string,
): RuleTable | undefined {
  const fitting = findSection(structure, sectionId)?.questions.filter(fitsTable) ?? [];
  const subjectId = rules[0]?.questionId ?? about;
  const question = fitting.find(({ id }) => id === subjectId) ?? (rules.length > 0 ? undefined : fitting.at(-1));
  if (!question) return undefined;
  const targets = new Map<string, string | undefined>();
  for (const { questionId, test, target } of rules) {
    if (questionId !== question.id || test.kind !== 'choices') return undefined;
    if (test.ids.some((id) => targets.has(id)) || new Set(test.ids).size < test.ids.length) return undefined;
    for (const id of test.ids) targets.set(id, target);
  }
  const ids = new Set([...listChoices(structure, question.id).map(({ id }) => id), ...targets.keys()]);
  const rows = [...ids].map((choiceId) => ({
    choiceId,
    target: targets.has(choiceId) ? targets.get(choiceId) : otherwise,
  }));
  return { questionId: question.id, rows, otherwise };
}

/**
 * Builds the list of rules of a table, as few as possible. `before` are the stored ones: a rule whose choices still lead
 * where it leads keeps its condition and its place, and what the table does not name stays. A choice that the question no
 * longer has is only kept where it was, and goes if its row leads nowhere.
 */
export function writeTable(
  structure: Structure,
  { questionId, rows, otherwise }: RuleTable,
  before: SectionRules,
): SectionRules {
  const byChoice = new Map(rows.map((row) => [row.choiceId, row]));
  const offered = new Set(listChoices(structure, questionId).map(({ id }) => id));
  const listTestIds = ({ test }: Rule): readonly string[] => (test.kind === 'choices' ? test.ids : []);
  const named = new Set(before.rules.flatMap(listTestIds));
  const groups = before.rules.map((rule) => ({
    ...rule,
    ids: listTestIds(rule).filter((id) => !byChoice.has(id) || byChoice.get(id)?.target === rule.target),
  }));
  const placed = new Set(groups.flatMap(({ ids }) => ids));
  for (const { choiceId, target } of rows) {
    const isKnown = offered.has(choiceId) || named.has(choiceId);
    if (target === undefined || target === otherwise || placed.has(choiceId) || !isKnown) continue;
    const group = groups.find((candidate) => candidate.target === target);
    if (group) group.ids = [...group.ids, choiceId];
    else groups.push({ questionId, target, ids: [choiceId], test: { kind: 'choices', ids: [] } });
  }
  const rules = groups
    .filter(({ ids }) => ids.length > 0)
    .map(({ ids, ...rule }): Rule => ({ ...rule, test: { kind: 'choices', ids } }));
  return { rules, otherwise };
}
