/**
 * What is odd about the rules of a form although it may be published: hints for its authors, apart from the faults of
 * `workflow-check.ts`. Pure.
 */
import { completeRule } from './condition-rule.ts';
import { readOutline } from './gates.ts';
import { byId, listLinkTargets, reachableInOrder } from './path.ts';
import type { Range } from './range-pattern.ts';
import { isDateTest, isNumberRange, isRange, type RangeTest, type Test, testedBy } from './rule-tests.ts';
import { type Rule, readRules, type SectionRules } from './rules.ts';
import { findQuestion, listChoices, type Section, type Structure, sourceEnd } from './structure.ts';
import { getTraits } from './types/traits.ts';
import { listWorkflowFaults } from './workflow-check.ts';

/**
 * `brokenGate`: conditions that are marked as the gate of a section are none: somebody has changed them elsewhere.
 * `never`: a rule cannot apply, because earlier rules of its section apply to all answers to which it does.
 * `same`: a rule leads where its answers lead without it.
 * `noWay`: some choices of the only question of a list of rules lead nowhere.
 * `unreachable`: nothing leads to a section, and no fault says so.
 * `sourceLoop`: a question takes its choices from one that takes its own from the first.
 */
export type Warning = {
  kind: 'brokenGate' | 'never' | 'same' | 'noWay' | 'unreachable' | 'sourceLoop';
  /** The section after which the rules come. */
  sectionId: string;
  /** The condition of a rule. */
  nodeId?: string | undefined;
  questionId?: string;
  choiceIds?: readonly string[];
};

/** Finds what is odd about the rules of a form, in the order of its sections. */
export function findWarnings(structure: Structure): Warning[] {
  const reached = new Set(reachableInOrder(structure.nodes));
  const reported = new Set(
    listWorkflowFaults(structure).flatMap(({ type, node }) => (type === 'graph_validation_failed' ? [node?.id] : [])),
  );
  const linked = new Set(structure.nodes.flatMap(listLinkTargets));
  const { broken } = readOutline(structure);
  return structure.sections.flatMap((section): Warning[] => {
    const sectionId = section.id;
    const isLost = !reached.has(sectionId) && !linked.has(sectionId) && !reported.has(sectionId);
    const rules = readRules(structure, sectionId);
    return [
      ...(broken.includes(sectionId) ? [{ kind: 'brokenGate' as const, sectionId }] : []),
      ...(isLost ? [{ kind: 'unreachable' as const, sectionId }] : []),
      ...findSourceLoops(structure, section),
      ...(rules ? findOddRules(structure, section, rules) : []),
    ];
  });
}

/** Edits refuse such loops; a form that was merged or restored may have one. */
const findSourceLoops = (structure: Structure, { id: sectionId, questions }: Section): Warning[] =>
  questions
    .filter(({ id }) => {
      const last = sourceEnd(structure, id);
      return last?.sourceId !== undefined && findQuestion(structure, last.sourceId) !== undefined;
    })
    .map(({ id: questionId }) => ({ kind: 'sourceLoop', sectionId, questionId }));

function findOddRules(structure: Structure, section: Section, { rules, otherwise }: SectionRules): Warning[] {
  const at = { sectionId: section.id };
  const nodes = byId(structure.nodes);
  const ofRules = rules.flatMap((rule, index): Warning[] => {
    const place = { ...at, ...(rule.nodeId !== undefined && { nodeId: rule.nodeId }), questionId: rule.questionId };
    const node = nodes.get(rule.nodeId ?? '');
    if (!node || !completeRule(node)) return [];
    const earlier = rules.slice(0, index);
    const isNever = coverEverything(structure, section, earlier) || isCovered(rule, earlier);
    const isSame =
      rule.target !== undefined &&
      rule.target === otherwise &&
      rules.slice(index + 1).every((later) => later.target === otherwise || excludes(structure, rule, later));
    return isNever ? [{ kind: 'never', ...place }] : isSame ? [{ kind: 'same', ...place }] : [];
  });
  return [...ofRules, ...findChoicesWithoutWay(structure, { rules, otherwise }).map((found) => ({ ...at, ...found }))];
}

const named = (test: Test): readonly string[] =>
  test.kind === 'choices' ? test.ids : test.kind === 'values' ? test.values : [];

const namedBy = (rules: readonly Rule[], questionId: string): ReadonlySet<string> =>
  new Set(rules.filter((rule) => rule.questionId === questionId).flatMap(({ test }) => named(test)));

/**
 * Whether earlier rules on a question of this very section apply to every answer, so that no later one is reached. One that may
 * be left empty always lets some respondents pass.
 */
function coverEverything(structure: Structure, { questions }: Section, earlier: readonly Rule[]): boolean {
  return questions.some((question) => {
    const { id: questionId, scale, sourceId, required } = question;
    const tests = earlier.flatMap((rule) => (rule.questionId === questionId ? [rule.test] : []));
    const passes = (kind: 'answered' | 'empty'): boolean => tests.some((test) => test.kind === kind);
    if (sourceId !== undefined || !(required || passes('empty'))) return false;
    if (passes('answered')) return true;
    const all = scale
      ? Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => String(scale.minVal + index))
      : listChoices(structure, questionId).map(({ id }) => id);
    return all.length > 0 && all.every((value) => tests.some((test) => passesValue(value, test)));
  });
}

/** Whether a choice or a number passes a test that says which ones do. */
const passesValue = (value: string, test: Test): boolean =>
  named(test).includes(value) || (isRange(test) && isNumberWithin(value, test));

const isNumberWithin = (value: string, { from = '-Infinity', to = 'Infinity' }: Range): boolean =>
  Number(value) >= Number(from) && Number(value) <= Number(to);

/** Whether a rule can only apply to answers to which an earlier rule applies. */
function isCovered(rule: Rule, earlier: readonly Rule[]): boolean {
  const tests = earlier.flatMap(({ questionId, test }) => (questionId === rule.questionId ? [test] : []));
  const values = named(rule.test);
  if (values.length > 0 && values.every((value) => tests.some((test) => passesValue(value, test)))) return true;
  return tests.some((test) => implies(rule.test, test));
}

/** Whether every text that passes a test passes another one. */
function implies(test: Test, other: Test): boolean {
  if (test.kind === 'pattern' || other.kind === 'pattern') {
    return test.kind === 'pattern' && other.kind === 'pattern' && test.pattern === other.pattern;
  }
  if (other.kind === 'answered') return test.kind !== 'empty';
  if (other.kind === 'empty') return test.kind === 'empty';
  if (isRange(test) && isRange(other)) return isRangeWithin(test, other);
  if (test.kind === 'equals' && isRange(other)) return isNumberWithin(test.text, other);
  if (!('text' in test && 'text' in other)) return false;
  const { kind, text } = test;
  switch (other.kind) {
    case 'is':
      return (kind === 'is' || kind === 'exactly') && text.trim().toLowerCase() === other.text.toLowerCase();
    case 'exactly':
    case 'equals':
    case 'on':
      return kind === other.kind && text === other.text;
    case 'contains':
      return kind !== 'is' && text.includes(other.text);
    case 'begins':
      return (kind === 'exactly' || kind === 'begins') && text.startsWith(other.text);
    case 'ends':
      return (kind === 'exactly' || kind === 'ends') && text.endsWith(other.text);
    case 'year':
    case 'month':
      return isDateTest(kind) && isWithin(text, other.text);
  }
}

/** Whether all values of a range are in another one: dates are compared as texts, and with those of the same bounds only. */
function isRangeWithin(test: Range & { kind: RangeTest }, other: Range & { kind: RangeTest }): boolean {
  const isNumber = isNumberRange(test.kind);
  if (isNumber !== isNumberRange(other.kind) || (!isNumber && test.kind !== other.kind)) return false;
  const isUpTo = (low: string, high: string): boolean => (isNumber ? Number(low) <= Number(high) : low <= high);
  const isFrom = other.from === undefined || (test.from !== undefined && isUpTo(other.from, test.from));
  return isFrom && (other.to === undefined || (test.to !== undefined && isUpTo(test.to, other.to)));
}

/** Whether a date, month or year lies within a year or month; a month without a year is one of every year. */
const isWithin = (text: string, other: string): boolean =>
  [text, ...(other.length === 2 ? [text.slice(5)] : [])].some((date) => date === other || date.startsWith(`${other}-`));

/** Whether no answer passes both rules: they name different answers to a question that takes one. */
function excludes(structure: Structure, rule: Rule, later: Rule): boolean {
  const question = findQuestion(structure, rule.questionId)?.question;
  if (!question || later.questionId !== rule.questionId) return false;
  const tests = [rule.test, later.test];
  const isOne = (kind: Test['kind']): boolean => tests.some((test) => test.kind === kind);
  if (isOne('empty')) return !isOne('pattern') && tests.some((test) => test.kind !== 'empty');
  const { selectsOne = false, isNumber = false } = getTraits(question.type);
  const values = named(rule.test);
  const laterValues = named(later.test);
  const areNamed = values.length > 0 && laterValues.length > 0;
  return (selectsOne || isNumber) && areNamed && !laterValues.some((value) => values.includes(value));
}

/** Finds the choices of the only question of a list of rules that no rule names, if nothing follows otherwise. */
function findChoicesWithoutWay(structure: Structure, { rules, otherwise }: SectionRules): Omit<Warning, 'sectionId'>[] {
  const [questionId = '', ...more] = new Set(rules.map((rule) => rule.questionId));
  const question = findQuestion(structure, questionId)?.question;
  if (!question || more.length > 0 || otherwise !== undefined || testedBy(question) !== 'choices') return [];
  // What a pattern of another client finds is not known.
  if (rules.some(({ test }) => test.kind !== 'choices')) return [];
  const leading = namedBy(
    rules.filter(({ target }) => target !== undefined),
    questionId,
  );
  const choiceIds = listChoices(structure, questionId).flatMap(({ id }) => (leading.has(id) ? [] : [id]));
  return choiceIds.length > 0 ? [{ kind: 'noWay', questionId, choiceIds }] : [];
}

/** Maps each section to itself, and each condition of its gate and of its list of rules to it. */
export const mapRulesToSections = (structure: Structure): ReadonlyMap<string, string> =>
  new Map(
    structure.sections.flatMap(({ id }) => {
      const conditions = readRules(structure, id)?.rules.flatMap(({ nodeId }) => nodeId ?? []) ?? [];
      const compared =
        readOutline(structure)
          .gates.get(id)
          ?.comparisons.flatMap(({ nodeId }) => nodeId ?? []) ?? [];
      return [id, ...compared, ...conditions].map((nodeId) => [nodeId, id] as const);
    }),
  );
