/** The rules of a form in words. */
import { isDeepStrictEqual } from 'node:util';
import { type Comparison, readOutline, type SectionGate } from '#core/structure/gates.ts';
import { byId, listLinkTargets } from '#core/structure/path.ts';
import { isRange } from '#core/structure/rule-tests.ts';
import { conditionNumbers, type Rule, readNode, readRules, type SectionRules } from '#core/structure/rules.ts';
import { findNode, findQuestion, findSection, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { dateText } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';
import type { Overwritten } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { listRuleContent } from './content-hash.ts';

/** Names a node that is linked; undefined: nothing. */
export function nodeName(context: PageContext, structure: Structure, nodeId: string | undefined): string {
  const { rules: texts, list } = getQuestionsTexts(context);
  const node = findNode(structure, nodeId ?? '');
  if (!node) return texts.nowhere;
  if (node.type === 'CONDITION') return conditionName(context, structure, node.id);
  if (node.type === 'START') return texts.theStart;
  return node.type === 'END' ? texts.end : list.quote(node.label || list.untitled);
}

/** Names a condition that is in no list of rules: by its number, with what it tests unless that is a pattern. */
export function conditionName(context: PageContext, structure: Structure, nodeId: string, isTitle = false): string {
  const { rules: texts } = getQuestionsTexts(context);
  const number = conditionNumbers(structure).get(nodeId) ?? 0;
  const name = isTitle ? texts.conditionTitle(number) : texts.condition(number);
  const rule = readNode(structure, nodeId)?.rules[0];
  const question = rule && findQuestion(structure, rule.questionId)?.question;
  if (!question || rule.test.kind === 'pattern') return name;
  return texts.tested(name, question.title, describeTest(context, structure, rule));
}

function describeTest(
  context: PageContext,
  structure: Structure,
  { questionId, test }: Pick<Rule, 'questionId' | 'test'>,
): string {
  const { rules: texts, list } = getQuestionsTexts(context);
  switch (test.kind) {
    case 'choices': {
      const names = new Map(listChoices(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));
      return texts.oneOf(test.ids.map((id) => list.quote(names.get(id) ?? texts.deletedChoice)).join(texts.or));
    }
    case 'values':
      return texts.oneOf(test.values.join(texts.or));
    case 'pattern':
      return texts.pattern(test.pattern);
    case 'month':
      return texts.month(
        dateText(context, test.text, { hasYear: test.text.length > 2, hasMonth: true, hasDay: false }),
      );
    case 'answered':
    case 'empty':
      return texts[test.kind];
    default: {
      if (!isRange(test)) return texts[test.kind](test.text);
      const { from = '', to = '' } = test;
      const date = findQuestion(structure, questionId)?.question.date;
      const [low, high] = date ? [dateText(context, from, date), dateText(context, to, date)] : [from, to];
      return texts[test.kind](low || high, high);
    }
  }
}

/** Says the answers for which rules apply, as short as on a line of the drawing: the names of choices, or what is tested. */
export function nameAnswers(context: PageContext, structure: Structure, rules: readonly Rule[]): string {
  const { rules: texts } = getQuestionsTexts(context);
  const names = rules.flatMap(({ questionId, test }) => {
    if (test.kind === 'values') return test.values;
    if (test.kind !== 'choices') return [describeTest(context, structure, { questionId, test })];
    const choices = listChoices(structure, questionId).filter(({ id }) => test.ids.includes(id));
    return choices.map(choiceName);
  });
  return names.join(texts.or);
}

/** Says the rules of a section in words, one sentence a rule. */
export function describeRules(
  context: PageContext,
  structure: Structure,
  { rules, otherwise }: SectionRules,
): string[] {
  const { rules: texts } = getQuestionsTexts(context);
  const name = (target: string | undefined): string => nodeName(context, structure, target);
  const sentences = rules.map((rule) => {
    const title = findQuestion(structure, rule.questionId)?.question.title ?? texts.deletedQuestion;
    return texts.sentence(title, describeTest(context, structure, rule), name(rule.target));
  });
  return [...sentences, rules.length === 0 ? texts.always(name(otherwise)) : texts.otherwise(name(otherwise))];
}

/** Says a gate in words. */
export function describeGate(context: PageContext, structure: Structure, gate: SectionGate): string {
  const { gate: texts, deletedQuestion } = getQuestionsTexts(context).rules;
  const compare = (comparison: Comparison): string => {
    const title = findQuestion(structure, comparison.questionId)?.question.title ?? deletedQuestion;
    return texts.compared(title, describeTest(context, structure, comparison));
  };
  return texts.sentence(joinComparisons(context, gate, compare));
}

/** Says a gate in a few words, as in the drawing: answers are as on its lines, a question is only named where they need it. */
export function nameGate(context: PageContext, structure: Structure, gate: SectionGate): string {
  const { gate: texts, deletedQuestion } = getQuestionsTexts(context).rules;
  const name = ({ questionId, test }: Comparison): string => {
    const answers = nameAnswers(context, structure, [{ questionId, test, target: undefined }]);
    if (test.kind === 'choices' || test.kind === 'values') return answers;
    return texts.compared(findQuestion(structure, questionId)?.question.title ?? deletedQuestion, answers);
  };
  return texts.onlyIf(joinComparisons(context, gate, name));
}

function joinComparisons(
  context: PageContext,
  { needs, comparisons }: SectionGate,
  describe: (comparison: Comparison) => string,
): string {
  const { gate: texts } = getQuestionsTexts(context).rules;
  const words = comparisons.map((each) => (each.isNot ? texts.not(describe(each)) : describe(each)));
  return words.join(comparisons.length > 1 && needs === 'any' ? texts.or : texts.and);
}

/** Says the gate of a section in words; nothing for a section that is always shown. */
export function describeGateOf(context: PageContext, structure: Structure, sectionId: string): string[] {
  const gate = readOutline(structure).gates.get(sectionId);
  return gate ? [describeGate(context, structure, gate)] : [];
}

/** Says the rules and the gates that ask for a question in words, one sentence each. */
export function describeRulesOn(context: PageContext, structure: Structure, questionId: string): string[] {
  const { gate: texts } = getQuestionsTexts(context).rules;
  const { structure: outline, gates } = readOutline(structure);
  const ofGates = [...gates].flatMap(([sectionId, gate]) =>
    gate.comparisons.some((comparison) => comparison.questionId === questionId)
      ? [texts.of(nodeName(context, structure, sectionId), describeGate(context, structure, gate))]
      : [],
  );
  const ofRules = outline.nodes.flatMap(({ id, conditionRule }) => {
    const rules = conditionRule?.question === questionId ? readNode(structure, id) : undefined;
    return rules ? describeRules(context, structure, rules).slice(0, 1) : [];
  });
  return [...ofGates, ...ofRules];
}

/**
 * Returns the function that says what follows a node: the rules of a section, otherwise where it leads and what each condition
 * does to which only conditions lead from there. Empty for an unknown node. Many nodes can lead to the same conditions: each is
 * put into words once.
 */
export function openFollowing(context: PageContext, structure: Structure): (nodeId: string) => string[] {
  const { rules: texts } = getQuestionsTexts(context);
  const known = new Map<string, string>();
  const describeCondition = (id: string, number: number): string => {
    const rules = known.has(id) ? undefined : readNode(structure, id);
    if (rules) known.set(id, texts.ofCondition(number, describeRules(context, structure, rules).join(' ')));
    return known.get(id) ?? '';
  };
  return (nodeId) => {
    const gate = describeGateOf(context, structure, nodeId);
    const list = findSection(structure, nodeId) && readRules(structure, nodeId);
    if (list) return [...gate, ...describeRules(context, structure, list)];
    const following = listFollowing(structure, nodeId).flatMap((id) => {
      const number = conditionNumbers(structure).get(id);
      if (id !== nodeId && number !== undefined) return [describeCondition(id, number)];
      const rules = readNode(structure, id);
      return rules ? describeRules(context, structure, rules) : [];
    });
    return [...gate, ...following];
  };
}

/** The most sentences about what follows a section in a list of all sections: they may all lead to the same conditions. */
const MAX_SENTENCES = 20;

/** Renders what follows a section as items of a list; those beyond the first 20 are counted. */
export function followingItems(context: PageContext, sentences: readonly string[]): Html {
  const rest = sentences.length - MAX_SENTENCES;
  return html`${sentences.slice(0, MAX_SENTENCES).map((sentence) => html`<li>${sentence}</li>`)}${rest > 0 && html`<li>${getQuestionsTexts(context).changes.details.more(rest)}</li>`}`;
}

/** Lists the ids of a node and of the conditions to which only conditions lead from there. */
export function listFollowing(structure: Structure, nodeId: string): string[] {
  const nodes = byId(readOutline(structure).structure.nodes);
  const reached = new Set([nodeId]);
  for (const id of reached) {
    const node = nodes.get(id);
    for (const target of node ? listLinkTargets(node) : []) {
      if (nodes.get(target)?.type === 'CONDITION') reached.add(target); // the loop also visits added ids
    }
  }
  return [...reached];
}

/** Lists the stored rules that other ones would replace; nothing for the same rules, or for rules that were deleted. */
export function listOverwritten(
  context: PageContext,
  structure: Structure,
  { stored, typed }: { stored: SectionRules | undefined; typed: SectionRules },
): Overwritten[] {
  if (!stored || isDeepStrictEqual(listRuleContent(stored), listRuleContent(typed))) return [];
  const theirs = describeRules(context, structure, stored).join('\n');
  return [{ label: getQuestionsTexts(context).rules.title, theirs }];
}
