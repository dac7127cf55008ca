/** The hashes by which the forms of questions, rules and sections detect that somebody else has changed them. */
import type { SectionGate } from '#core/structure/gates.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { SectionRules } from '#core/structure/rules.ts';
import type { Section } from '#core/structure/structure.ts';
import { hashContent } from '../shell/typed-form.ts';

/** Hashes the content of a question, without its place, moves and times. */
export const hashQuestion = ({ moves: _moves, createdAt: _created, updatedAt: _updated, ...content }: Question) =>
  hashContent(content);

/** Hashes the rules of a section, or one condition; undefined for those that were deleted. */
export const hashRules = (rules: SectionRules | undefined): string =>
  hashContent(rules ? listRuleContent(rules) : null);

/** Hashes the gate of a section, without the ids of its conditions; undefined for a section that is always shown. */
export const hashGate = (gate: SectionGate | undefined): string => hashContent(gate ? listGateContent(gate) : null);

const listGateContent = ({ needs, comparisons }: SectionGate) => [
  comparisons.length > 1 && needs,
  comparisons.map(({ questionId, test, isNot }) => [questionId, test, isNot]),
];

/** Lists what rules say, without the ids of their conditions, which new ones get when they are stored. */
export const listRuleContent = ({ rules, otherwise }: SectionRules) => [
  rules.map(({ questionId, test, target }) => [questionId, test, target]),
  otherwise,
];

/** Hashes the title and description of a section. */
export const hashSection = ({ title, description }: { title: string } & Pick<Section, 'description'>): string =>
  hashContent([title, description]);
