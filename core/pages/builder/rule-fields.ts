/** The fields of the page of a section's rules: of stored rules, or of a posted form. Pure. */
import type { SectionGate } from '#core/structure/gates.ts';
import { checkPattern, patternSizeFault } from '#core/structure/pattern.ts';
import { MAX_PATTERN_COST, patternCost } from '#core/structure/pattern-cost.ts';
import type { Question } from '#core/structure/question-model.ts';
import {
  BOUNDS,
  isDateTest,
  isRange,
  isRangeTest,
  listTestKinds,
  longestText,
  MAX_RULE_CHOICES,
  type Test,
  type TestKind,
  testedBy,
  toDateTest,
  toNumberTest,
  toPattern,
  toRangeTest,
} from '#core/structure/rule-tests.ts';
import type { Rule, SectionRules } from '#core/structure/rules.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';

/** A row: `selected` are the ids of choices or numbers, `text` is what other tests compare with, `to` the end of a range. */
export type TypedRule = {
  nodeId: string;
  questionId: string;
  selected: readonly string[];
  test: string;
  text: string;
  to: string;
  target: string;
};

export type TypedRules = { rules: readonly TypedRule[]; otherwise: string };

/** The gate of a section as it is typed: a row for each comparison. */
export type TypedGate = { needs: SectionGate['needs']; rows: readonly TypedComparison[] };
export type TypedComparison = TypedTest & Pick<TypedRule, 'nodeId' | 'questionId'> & { isNot: boolean };

/** The fields of stored rules. */
export const toTypedRules = ({ rules, otherwise }: SectionRules): TypedRules => ({
  rules: rules.map(({ nodeId = '', questionId, test, target = '' }) => ({
    nodeId,
    questionId,
    target,
    ...toTypedTest(test),
  })),
  otherwise: otherwise ?? '',
});

/** A test as it is typed: what it needs, and nothing in the other fields. */
export type TypedTest = Pick<TypedRule, 'selected' | 'test' | 'text' | 'to'>;

/** The fields of a test. The bounds of a range are in `text` and `to`; the only one is in `text`. */
export function toTypedTest(test: Test): TypedTest {
  const typed = { selected: [], test: test.kind, text: '', to: '' };
  if (test.kind === 'choices') return { ...typed, selected: test.ids };
  if (test.kind === 'values') return { ...typed, selected: test.values };
  if (test.kind === 'pattern') return { ...typed, text: test.pattern };
  if (isRange(test)) {
    const { from, to } = test;
    return from === undefined ? { ...typed, text: to ?? '' } : { ...typed, text: from, to: to ?? '' };
  }
  return 'text' in test ? { ...typed, text: test.text } : typed;
}

/** Parses the rows of a posted form: what each compares. The boxes of the first one are numbered with `firstIndex`. */
export function parseRows(
  fields: URLSearchParams,
  firstIndex = 0,
): (TypedTest & Pick<TypedRule, 'nodeId' | 'questionId'>)[] {
  const column = (name: string): string[] => fields.getAll(`rule.${name}`);
  const [questions, tests, texts, ends] = ['question', 'test', 'text', 'to'].map(column);
  return column('id').map((nodeId, index) => ({
    nodeId,
    questionId: questions?.[index] ?? '',
    selected: fields.getAll(`selected.${firstIndex + index}`),
    test: tests?.[index] ?? '',
    text: texts?.[index] ?? '',
    to: ends?.[index] ?? '',
  }));
}

/** Parses the rules of a posted form. */
export function parseTypedRules(fields: URLSearchParams): TypedRules {
  const targets = fields.getAll('rule.target');
  return {
    rules: parseRows(fields).map((row, index) => ({ ...row, target: targets[index] ?? '' })),
    otherwise: fields.get('otherwise') ?? '',
  };
}

/** What a new row tests for: the usual test of its question. */
export const NO_TEST: TypedTest = { selected: [], test: '', text: '', to: '' };

/** Applies a button: adds a rule about a question, moves or removes one. Returns undefined for another button. */
export function changeRules(
  { rules, otherwise }: TypedRules,
  action: string,
  questionId: string,
): TypedRules | undefined {
  const [name, position = ''] = action.split(':');
  const index = Number(position);
  const rule = rules[index];
  switch (name) {
    case 'add-rule': {
      const added = { nodeId: '', questionId, ...NO_TEST, target: '' };
      return { rules: questionId === '' ? rules : [...rules, added], otherwise };
    }
    case 'rule-up':
    case 'rule-down': {
      const to = Math.min(Math.max(index + (name === 'rule-up' ? -1 : 1), 0), rules.length - 1);
      return { rules: rule ? rules.toSpliced(index, 1).toSpliced(to, 0, rule) : rules, otherwise };
    }
    case 'rule-remove':
      return { rules: rule ? rules.toSpliced(index, 1) : rules, otherwise };
    default:
      return undefined;
  }
}

type Checked = { rules: SectionRules } | { errors: Readonly<Record<string, string>> };

/**
 * Returns the function that checks the tests of a form, one after another: it returns the test, or the message for what is not
 * valid. It compiles the patterns of at most what those of a form may cost: saving refuses more.
 */
export function openTestCheck(
  context: PageContext,
  structure: Structure,
): (question: Question, typed: TypedTest) => { test: Test } | { error: string } {
  const { rules: texts } = getQuestionsTexts(context);
  let cost = 0;
  return (question, typed) => {
    const test = toTest(question, typed);
    if (test === undefined) return { error: invalidText(context, question, typed) };
    const pattern = toPattern(test);
    const source = isChoiceType(question.type) ? 'CHOICE' : 'NON_CHOICE';
    if (test.kind === 'pattern') {
      if (pattern === '' || patternSizeFault(pattern, source) !== null) return { error: texts.patternInvalid };
      cost += patternCost(pattern, question.type, listChoices(structure, question.id).length);
      if (cost > MAX_PATTERN_COST) return { error: texts.patternsTooCostly };
      return checkPattern(pattern, source) === null ? { test } : { error: texts.patternInvalid };
    }
    if (isEmptyTest(test)) return { error: texts.valueMissing };
    if (test.kind === 'choices' && test.ids.length > MAX_RULE_CHOICES) {
      return { error: texts.tooMany(MAX_RULE_CHOICES) };
    }
    if (patternSizeFault(pattern, source) === null) return { test };
    return { error: 'text' in test ? texts.textTooLong(longestText(test)) : texts.rangeTooLong };
  };
}

/** Says what a test of a date or a range needs. */
function invalidText(context: PageContext, question: Question, { test }: TypedTest): string {
  const { rules: texts } = getQuestionsTexts(context);
  const isDate = testedBy(question) === 'date';
  if (!isRangeTest(test)) return isDate ? texts.dateInvalid : texts.numberInvalid;
  return isDate ? texts.dateRangeInvalid : texts.numberRangeInvalid;
}

/** Builds the rules of a section, or the messages for what is not valid, by the id of the control. */
export function checkRules(context: PageContext, structure: Structure, { rules, otherwise }: TypedRules): Checked {
  const { rules: texts } = getQuestionsTexts(context);
  const errors: Record<string, string> = {};
  const checkTest = openTestCheck(context, structure);
  const built = rules.map((typed, index): Rule => {
    const question = findQuestion(structure, typed.questionId)?.question;
    const checked = question ? checkTest(question, typed) : { error: texts.gone };
    if ('error' in checked) errors[question ? `value-${index}` : `rule-${index}`] = checked.error;
    if (typed.target === '') errors[`target-${index}`] = texts.targetMissing;
    const { nodeId, questionId, target } = typed;
    const test: Test = 'test' in checked ? checked.test : { kind: 'pattern', pattern: '' };
    return { nodeId: nodeId || undefined, questionId, test, target: target || undefined };
  });
  if (otherwise === '') errors.otherwise = texts.targetMissing;
  return Object.keys(errors).length > 0 ? { errors } : { rules: { rules: built, otherwise } };
}

/** Finds the test of a row: what was chosen; the usual one of its question in place of one that it does not have. */
export function findTestKind(question: Question, { test, selected }: TypedTest): TestKind {
  const kinds = listTestKinds(question);
  // A pattern of another client stays one until something else is chosen.
  if (test === 'pattern' && selected.length === 0) return 'pattern';
  return kinds.find((kind) => kind === test) ?? OTHER_CLIENTS.find((kind) => kind === test) ?? kinds[0] ?? 'is';
}

/** Tests of texts that only other clients write for a date. */
const OTHER_CLIENTS = ['contains', 'begins', 'ends'] as const;

/** Builds the test of a row; undefined for a text that is no date, and for bounds that are no range. */
export function toTest(question: Question, typed: TypedTest): Test | undefined {
  const { selected, text, to } = typed;
  const kind = findTestKind(question, typed);
  if (kind === 'pattern') return { kind, pattern: text };
  if (kind === 'choices') return { kind, ids: selected };
  if (kind === 'values') return { kind, values: selected };
  if (kind === 'answered' || kind === 'empty') return { kind };
  if (isRangeTest(kind)) {
    // The only bound is in the first field.
    const hasFrom = BOUNDS[kind].includes('from');
    return text === '' ? { kind: 'is', text } : toRangeTest(question, kind, { from: text, to: hasFrom ? to : text });
  }
  if (text !== '' && question.date && isDateTest(kind)) return toDateTest(question.date, kind, text);
  if (text !== '' && kind === 'equals') return toNumberTest(text);
  return { kind, text: kind === 'is' ? text.trim() : text };
}

/** Builds the rules of a form to say them in words: those that are not valid or lead nowhere too. */
export const readTypedRules = (structure: Structure, { rules, otherwise }: TypedRules): SectionRules => ({
  rules: rules.map((typed): Rule => {
    const { nodeId, questionId, target, text } = typed;
    const question = findQuestion(structure, questionId)?.question;
    const isOfChoices = !question && typed.selected.length > 0;
    const test: Test = isOfChoices
      ? { kind: 'choices', ids: typed.selected }
      : ((question && toTest(question, typed)) ?? { kind: 'is', text });
    return { nodeId: nodeId || undefined, questionId, test, target: target || undefined };
  }),
  otherwise: otherwise || undefined,
});

const isEmptyTest = (test: Test): boolean =>
  test.kind === 'choices'
    ? test.ids.length === 0
    : test.kind === 'values'
      ? test.values.length === 0
      : 'text' in test && test.text === '';
