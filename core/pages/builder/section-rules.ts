/** The page of the rules of one section: as rows, or as a table of the choices of one question. */
import type { Gate } from '#core/forms/gate.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { type RuleTable, readTable } from '#core/structure/rule-table.ts';
import { isRangeTest, listTestKinds, type TestKind, testedBy } from '#core/structure/rule-tests.ts';
import { conditionNumbers, listRuleQuestions, type SectionRules } from '#core/structure/rules.ts';
import { findQuestion, listChoices, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { DateOptions } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  errorSummary,
  fieldError,
  hiddenFields,
  type Option,
  type Overwritten,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashRules } from './content-hash.ts';
import { builderLayout } from './frame.ts';
import { sectionHref } from './questions.ts';
import { findTestKind, type TypedRule, type TypedRules, type TypedTest } from './rule-fields.ts';
import { tableFields } from './rule-table.ts';
import { conditionName } from './rule-words.ts';
import { rulesHref } from './rules.ts';

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
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string | undefined;
};

/** Renders the page of the rules of one section. Enter in a field saves. */
export function renderSectionRulesPage(context: PageContext, head: FormHead, page: SectionRulesPage): Html {
  const { rules: texts, list, edit } = getQuestionsTexts(context);
  const { gate, structure, section, stored, table, errors = {}, overwritten = [], refusal } = page;
  const href = `${sectionHref(gate.formId, section.id)}/rules`;
  const title = texts.editTitle(sectionTitle(structure, section.id) || list.untitled);
  const targets = listTargets(context, structure, section.id);
  const saveButton = html`<p class="actions"><button name="do" value="save">${edit.save}</button></p>`;
  const summary = Object.entries(errors).map(([target, message]) => ({ target, message }));
  return builderLayout(context, head, {
    current: 'rules',
    title: pageTitle(context, title, summary.length > 0),
    main: html`${errorSummary(context, summary)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${rulesHref(gate.formId)}#s-${section.id}">${texts.title}</a></p>
<h1>${title}</h1>
<form method="post" action="${href}" novalidate data-once>
<button class="visually-hidden" name="do" value="save" tabindex="-1" aria-hidden="true">${edit.save}</button>
${hiddenFields({ hash: seenHash(hashRules(stored), page) })}
${table ? html`<div class="card">${tableFields(context, { structure, table, targets, errors })}${saveButton}</div>` : ruleRows(context, page, targets, saveButton)}
</form>
${
  table
    ? html`<p><a class="button quiet" href="${href}?as=rows">${texts.asRows}</a></p>`
    : readTable(structure, section.id, stored) &&
      html`<p><a class="button quiet" href="${href}">${texts.asTable}</a></p>`
}`,
  });
}

/** The rules as rows, and the button that adds one. */
function ruleRows(context: PageContext, page: SectionRulesPage, targets: readonly Option[], saveButton: Html): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const { structure, section, typed, errors = {} } = page;
  const questions = listRuleQuestions(structure, section.id);
  return html`${typed.rules.map((rule, index) => ruleCard(context, page, { rule, index, targets }))}
<div class="card">
${selectField(context, { name: 'otherwise', label: typed.rules.length > 0 ? texts.otherwiseGoTo : texts.alwaysGoTo, value: typed.otherwise, options: [...targets, ...listConditions(context, structure)], error: errors.otherwise })}
${
  questions.length > 0
    ? html`<div class="with-button">${selectField(context, { name: 'newQuestion', label: texts.addFor, value: questions.at(-1)?.id ?? '', options: questions.map(({ id, title: label }) => ({ value: id, label })) })}
<button class="secondary" name="do" value="add-rule">${texts.add}</button></div>`
    : html`<p class="hint">${texts.noQuestions}</p>`
}
${saveButton}
</div>`;
}

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

type RuleRow = { rule: TypedRule; index: number; targets: readonly Option[] };

function ruleCard(context: PageContext, page: SectionRulesPage, { rule, index, targets }: RuleRow): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const { structure, errors = {}, typed } = page;
  const question = findQuestion(structure, rule.questionId)?.question;
  const number = index + 1;
  const button = (action: string, label: string, symbol: IconName): Html =>
    html`<button class="quiet" name="do" value="${action}:${index}" title="${label}" aria-label="${label}">${icon(symbol)}</button>`;
  return html`<fieldset class="card rule" id="rule-${index}" tabindex="-1"><legend class="visually-hidden">${texts.rule(number)}</legend>
<div class="choice-row"><h2 class="choice-texts">${question?.title ?? texts.deletedQuestion}</h2>
<div class="choice-buttons">${index > 0 && button('rule-up', texts.up(number), 'up')}${index < typed.rules.length - 1 && button('rule-down', texts.down(number), 'down')}${button('rule-remove', texts.remove(number), 'close')}</div></div>
${hiddenFields({ 'rule.id': rule.nodeId, 'rule.question': rule.questionId })}
${question ? testFields(context, page, { rule, index, question }) : html`${hiddenFields({ 'rule.test': rule.test, 'rule.text': rule.text, 'rule.to': rule.to })}<p class="error">${texts.gone}</p>`}
${question && !question.required && html`<p class="hint">${texts.optional}</p>`}
<div class="field${errors[`target-${index}`] !== undefined && ' invalid'}"><label for="target-${index}">${texts.goTo}</label>
${fieldError(context, `target-${index}`, errors[`target-${index}`])}
<select id="target-${index}" name="rule.target"${attribute('aria-describedby', errors[`target-${index}`] !== undefined && `target-${index}-error`)}>${targets.map(({ value, label }) => html`<option value="${value}"${attribute('selected', value === rule.target)}>${label}</option>`)}</select></div>
</fieldset>`;
}

export type TestFields = { rule: TypedTest; index: number; question: Question };

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
        html`<label class="choice"><input type="checkbox"${attribute('id', position === 0 && textError === undefined && `value-${index}`)} name="selected.${index}" value="${value}"${attribute('checked', rule.selected.includes(value))}><span>${label}</span></label>`,
    )}</div></fieldset>`;
  const label = by === 'date' ? texts.dateValue : by === 'values' ? texts.numberValue : texts.value;
  const textId = list && textError === undefined ? `text-${index}` : `value-${index}`;
  const describedBy = [
    ...(hint ? [`value-${index}-hint`] : []),
    ...(textError !== undefined ? [`value-${index}-error`] : []),
  ];
  const input = (id: string, name: string, value: string): Html =>
    html`<input id="${id}" name="${name}" value="${value}" autocomplete="off"${attribute('aria-describedby', describedBy.length > 0 && describedBy.join(' '))}>`;
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
