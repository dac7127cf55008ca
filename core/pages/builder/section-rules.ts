/** The page of the rules of one section: as rows, or as a table of the choices of one question. */
import type { Gate } from '#core/forms/gate.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { RuleTable } from '#core/structure/rule-table.ts';
import { isRangeTest, listTestKinds, type TestKind, testedBy } from '#core/structure/rule-tests.ts';
import { conditionNumbers, type SectionRules } from '#core/structure/rules.ts';
import { listChoices, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { DateOptions } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError, hiddenFields, type Option, type Overwritten } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { findTestKind, type TypedGate, type TypedRules, type TypedTest } from './rule-fields.ts';
import { conditionName } from './rule-words.ts';

export type SectionRulesPage = {
  gate: Gate;
  structure: Structure;
  section: Section;
  /** The stored rules. */
  stored: SectionRules;
  typed: TypedRules;
  /** The same as a table, which is shown instead. */
  table?: RuleTable | undefined;
  errors?: Readonly<Record<string, string>>;
  /** The gate of the section as it was typed, and that it is the form that was posted. */
  typedGate?: TypedGate | undefined;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string | undefined;
};

/** Lists where a section can lead: to another section or to the end. */
export function listTargets(context: PageContext, structure: Structure, sectionId: string): Option[] {
  const { rules: texts, list } = getQuestionsTexts(context);
  const end = structure.nodes.find(({ type }) => type === 'END');
  return [
    { value: '', label: texts.choose },
    ...sectionsInOrder(structure)
      .filter(({ id }) => id !== sectionId)
      .map(({ id }) => ({ value: id, label: sectionTitle(structure, id) || list.untitled })),
    ...(end ? [{ value: end.id, label: texts.end }] : []),
  ];
}

/** Lists the conditions that are in no list of rules. Where a section leads otherwise, one can be taken up as a further rule. */
export function listConditions(context: PageContext, structure: Structure): Option[] {
  return [...conditionNumbers(structure).keys()].map((value) => ({
    value,
    label: conditionName(context, structure, value),
  }));
}

type TestFields = { rule: TypedTest; index: number; question: Question };

/**
 * What the answer is tested for, and what it is compared with: choices or numbers to tick, a text, or bounds. Fields that the
 * chosen test does not need are hidden by the style sheet. A pattern of another client stays one.
 */
export function testFields(
  context: PageContext,
  { structure, errors = {} }: Pick<SectionRulesPage, 'structure' | 'errors'>,
  { rule, index, question }: TestFields,
): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const error = errors[`value-${index}`];
  const by = testedBy(question);
  const stored = findTestKind(question, rule);
  const offered = listTestKinds(question);
  // A test of another client stays one.
  const tests = offered.includes(stored) ? offered : [...offered, stored];
  const needsList = by === 'choices' || by === 'values';
  const hasText = tests.some((test) => !COMPARES_NO_TEXT.has(test));
  const hint = by === 'date' && question.date ? texts.dateHint(dateExample(question.date)) : undefined;
  const listError = needsList && (stored === 'choices' || stored === 'values') ? error : undefined;
  const textError = listError === undefined ? error : undefined;
  const list =
    needsList &&
    html`<fieldset class="field test-list${listError !== undefined && ' invalid'}"${attribute('aria-describedby', listError !== undefined && `value-${index}-error`)}><legend class="field-legend">${texts.these}</legend>
${fieldError(context, `value-${index}`, listError)}
<div class="choices">${listValues(structure, question).map(
      ({ value, label }, position) =>
        html`<label class="choice"><input type="checkbox"${attribute('id', position === 0 && textError === undefined && `value-${index}`)} name="selected.${index}" value="${value}"${attribute('checked', rule.selected.includes(value))}><span dir="auto">${label}</span></label>`,
    )}</div></fieldset>`;
  const label = by === 'date' ? texts.dateValue : by === 'values' || by === 'number' ? texts.numberValue : texts.value;
  const textId = list && textError === undefined ? `text-${index}` : `value-${index}`;
  const describedBy = [
    ...(hint ? [`value-${index}-hint`] : []),
    ...(textError !== undefined ? [`value-${index}-error`] : []),
  ];
  const input = (id: string, name: string, value: string): Html =>
    html`<input dir="auto" id="${id}" name="${name}" value="${value}" autocomplete="off"${attribute('aria-describedby', describedBy.length > 0 && describedBy.join(' '))}>`;
  const text = hasText
    ? html`<div class="field test-text${textError !== undefined && ' invalid'}"><label for="${textId}">${label}</label>
${hint && html`<p class="hint" id="value-${index}-hint">${hint}</p>`}
${fieldError(context, `value-${index}`, textError)}
${input(textId, 'rule.text', rule.text)}</div>`
    : hiddenFields({ 'rule.text': rule.text });
  const end = tests.some((test) => isRangeTest(test))
    ? html`<div class="field test-end"><label for="to-${index}">${texts.to}</label>
${input(`to-${index}`, 'rule.to', rule.to)}</div>`
    : hiddenFields({ 'rule.to': '' });
  return html`<div class="test"><div class="field-row"><div class="field"><label for="test-${index}">${texts.test}</label>
<select id="test-${index}" name="rule.test">${tests.map((test) => html`<option value="${test}"${attribute('selected', test === stored)}>${texts.tests[test]}</option>`)}</select></div>
${text}${end}</div>${list}</div>`;
}

/** Tests that compare with no text. */
const COMPARES_NO_TEXT: ReadonlySet<TestKind> = new Set(['choices', 'values', 'answered', 'empty']);

/** A date with the parts for which a question asks, as answers are compared. */
const dateExample = ({ hasYear, hasMonth, hasDay }: DateOptions): string =>
  [...(hasYear ? ['2026'] : []), ...(hasMonth ? ['06'] : []), ...(hasDay ? ['15'] : [])].join('-');

/** Lists the choices or numbers of a question. */
function listValues(structure: Structure, question: Question): Option[] {
  const { scale } = question;
  if (scale) {
    return Array.from({ length: scale.maxVal - scale.minVal + 1 }, (_, index) => {
      const value = String(scale.minVal + index);
      return { value, label: value };
    });
  }
  return listChoices(structure, question.id).map((choice) => ({ value: choice.id, label: choiceName(choice) }));
}
