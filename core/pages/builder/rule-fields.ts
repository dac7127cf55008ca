/** The fields of the page of a section's rules: of stored rules, or of a posted form. Pure. */
import { checkPattern, patternSizeFault } from '#core/structure/pattern.ts';
import { MAX_PATTERN_COST, patternCost } from '#core/structure/pattern-cost.ts';
import type { Question, QuestionType } from '#core/structure/question-model.ts';
import {
  isDateTest,
  MAX_RULE_CHOICES,
  MAX_RULE_TEXT,
  parseTextTest,
  type Rule,
  type SectionRules,
  type Test,
  testKind,
  toDateTest,
  toPattern,
} from '#core/structure/rules.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { MAX_PATTERN_CHARACTERS } from '#core/structure/workflow-model.ts';
import type { PageContext } from '../shell/context.ts';
import { getQuestionsTexts } from '../text/questions.ts';

/** A row: `selected` are the ids of choices or numbers, `test` and `text` are for other questions. */
export type TypedRule = {
  nodeId: string;
  questionId: string;
  selected: readonly string[];
  test: string;
  text: string;
  target: string;
};

export type TypedRules = { rules: readonly TypedRule[]; otherwise: string };

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

function toTypedTest(test: Test): Pick<TypedRule, 'selected' | 'test' | 'text'> {
  switch (test.kind) {
    case 'choices':
      return { selected: test.ids, test: 'is', text: '' };
    case 'values':
      return { selected: test.values, test: 'is', text: '' };
    case 'pattern':
      return { selected: [], test: 'pattern', text: test.pattern };
    default:
      return { selected: [], test: test.kind, text: test.text };
  }
}

/** Parses the rows of a posted form. */
export function parseTypedRules(fields: URLSearchParams): TypedRules {
  const column = (name: string): string[] => fields.getAll(`rule.${name}`);
  const [questions, tests, texts, targets] = ['question', 'test', 'text', 'target'].map(column);
  return {
    rules: column('id').map((nodeId, index) => ({
      nodeId,
      questionId: questions?.[index] ?? '',
      selected: fields.getAll(`selected.${index}`),
      test: tests?.[index] ?? '',
      text: texts?.[index] ?? '',
      target: targets?.[index] ?? '',
    })),
    otherwise: fields.get('otherwise') ?? '',
  };
}

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
      const added = { nodeId: '', questionId, selected: [], test: 'is', text: '', target: '' };
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

/** Builds the rules of a section, or the messages for what is not valid, by the id of the control. */
export function checkRules(context: PageContext, structure: Structure, { rules, otherwise }: TypedRules): Checked {
  const { rules: texts } = getQuestionsTexts(context);
  const errors: Record<string, string> = {};
  let cost = 0;
  /** Compiles the patterns of at most what those of a form may cost: saving refuses more. */
  const isInvalid = (pattern: string, type: QuestionType): boolean => {
    if (pattern === '' || patternSizeFault(pattern) !== null) return true;
    cost += patternCost(pattern, type);
    return cost <= MAX_PATTERN_COST && checkPattern(pattern) !== null;
  };
  const built = rules.map((typed, index): Rule => {
    const question = findQuestion(structure, typed.questionId)?.question;
    const test = toTest(question, typed);
    const pattern = test ? toPattern(test) : '';
    if (!question) errors[`rule-${index}`] = texts.gone;
    else if (typed.test === 'pattern' && typed.selected.length === 0) {
      if (isInvalid(pattern, question.type)) errors[`value-${index}`] = texts.patternInvalid;
      else if (cost > MAX_PATTERN_COST) errors[`value-${index}`] = texts.patternsTooCostly;
    } else if (test === undefined) errors[`value-${index}`] = texts.dateInvalid;
    else if (isEmptyTest(test)) errors[`value-${index}`] = texts.valueMissing;
    else if (pattern.length > MAX_PATTERN_CHARACTERS) {
      errors[`value-${index}`] =
        test.kind === 'choices' ? texts.tooMany(MAX_RULE_CHOICES) : texts.textTooLong(MAX_RULE_TEXT);
    }
    if (typed.target === '') errors[`target-${index}`] = texts.targetMissing;
    const { nodeId, questionId, target } = typed;
    return {
      nodeId: nodeId || undefined,
      questionId,
      test: test ?? { kind: 'pattern', pattern },
      target: target || undefined,
    };
  });
  if (otherwise === '') errors.otherwise = texts.targetMissing;
  return Object.keys(errors).length > 0 ? { errors } : { rules: { rules: built, otherwise } };
}

/** Builds the test of a row; undefined for a text that is none of a date. */
function toTest(question: Question | undefined, { selected, test, text }: TypedRule): Test | undefined {
  const kind = question ? testKind(question) : 'text';
  if (test === 'pattern' && selected.length === 0) return { kind: 'pattern', pattern: text };
  if (kind === 'choices') return { kind, ids: selected };
  if (kind === 'values') return { kind, values: selected };
  const textTest = parseTextTest(test);
  if (text === '' || !question?.date || !isDateTest(textTest)) return { kind: textTest, text };
  return toDateTest(question.date, textTest, text);
}

/** Builds the rules of a form to say them in words: those that are not valid or lead nowhere too. */
export const readTypedRules = (structure: Structure, { rules, otherwise }: TypedRules): SectionRules => ({
  rules: rules.map((typed): Rule => {
    const { nodeId, questionId, target, text } = typed;
    const question = findQuestion(structure, questionId)?.question;
    const isOfChoices = !question && typed.selected.length > 0;
    const test: Test = isOfChoices
      ? { kind: 'choices', ids: typed.selected }
      : (toTest(question, typed) ?? { kind: 'is', text });
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
