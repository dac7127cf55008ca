/** The form of the gate of a section, on the page of its rules: its fields, their checks, and how it is shown. */
import { type Comparison, MAX_COMPARISONS, type SectionGate } from '#core/structure/gates.ts';
import { listGateQuestions } from '#core/structure/rules.ts';
import { findQuestion, type Section, type Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { enterSaves, fieldError, hiddenFields, selectField } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import {
  NO_TEST,
  openTestCheck,
  parseRows,
  type TypedComparison,
  type TypedGate,
  toTest,
  toTypedTest,
} from './rule-fields.ts';
import { testFields } from './section-rules.ts';

/** The value of the field `of` by which a posted form is that of a gate. */
export const GATE = 'gate';

/** Controls of the gate are numbered from here, those of the rules on the same page from 0. */
const FIRST_INDEX = 100;

/** The fields of a stored gate; no rows for a section that is always shown. */
export const toTypedGate = (gate: SectionGate | undefined): TypedGate => ({
  needs: gate?.needs ?? 'all',
  rows: (gate?.comparisons ?? []).map(({ nodeId = '', questionId, test, isNot }) => ({
    nodeId,
    questionId,
    isNot,
    ...toTypedTest(test),
  })),
});

/** Parses the posted form. */
export const parseTypedGate = (fields: URLSearchParams): TypedGate => ({
  needs: fields.get('needs') === 'any' ? 'any' : 'all',
  rows: parseRows(fields, FIRST_INDEX).map((row, index) => ({
    ...row,
    isNot: fields.getAll('rule.not')[index] === 'not',
  })),
});

/** Applies a button: adds a comparison about a question, or removes one. Returns undefined for another button. */
export function changeGate({ needs, rows }: TypedGate, action: string, questionId: string): TypedGate | undefined {
  const [name, position = ''] = action.split(':');
  if (name === 'gate-remove') return { needs, rows: rows.filter((_row, index) => index !== Number(position)) };
  if (name !== 'gate-add') return undefined;
  if (questionId === '' || rows.length >= MAX_COMPARISONS) return { needs, rows };
  return { needs, rows: [...rows, { nodeId: '', questionId, isNot: false, ...NO_TEST }] };
}

/** Builds the gate, or the messages for what is not valid, by the id of the control. */
export function checkGate(
  context: PageContext,
  structure: Structure,
  { needs, rows }: TypedGate,
): { gate: SectionGate } | { errors: Readonly<Record<string, string>> } {
  const { rules: texts } = getQuestionsTexts(context);
  const errors: Record<string, string> = {};
  const checkTest = openTestCheck(context, structure);
  const comparisons = rows.flatMap(({ nodeId, questionId, isNot, ...typed }, index): Comparison[] => {
    const at = FIRST_INDEX + index;
    const question = findQuestion(structure, questionId)?.question;
    const checked = question ? checkTest(question, typed) : { error: texts.gate.gone };
    if ('test' in checked) return [{ nodeId: nodeId || undefined, questionId, test: checked.test, isNot }];
    errors[question ? `value-${at}` : `rule-${at}`] = checked.error;
    return [];
  });
  return Object.keys(errors).length > 0 ? { errors } : { gate: { needs, comparisons } };
}

/** Builds the gate of a form to say it in words: what is not valid too. */
export const readTypedGate = (structure: Structure, { needs, rows }: TypedGate): SectionGate => ({
  needs,
  comparisons: rows.map(({ nodeId: _node, questionId, isNot, ...typed }) => {
    const question = findQuestion(structure, questionId)?.question;
    const test = (question && toTest(question, typed)) ?? ({ kind: 'exactly', text: typed.text } as const);
    return { questionId, test, isNot };
  }),
});

type GateForm = {
  structure: Structure;
  section: Section;
  typed: TypedGate;
  errors: Readonly<Record<string, string>>;
  action: string;
  /** The hash of the gate that its reader has seen. */
  hash: string;
};

/** Renders the form; nothing for a section with no gate and no questions before it. Enter in a field saves. */
export function gateForm(context: PageContext, form: GateForm): Html | undefined {
  const { rules: texts } = getQuestionsTexts(context);
  const { structure, section, typed, action, hash } = form;
  const questions = listGateQuestions(structure, section.id);
  if (questions.length === 0 && typed.rows.length === 0) return undefined;
  const needs = (['all', 'any'] as const).map((value) => ({ value, label: texts.gate.needs[value] }));
  const options = questions.map(({ id, title }) => ({ value: id, label: title }));
  const mayAdd = questions.length > 0 && typed.rows.length < MAX_COMPARISONS;
  return html`<form method="post" action="${action}" class="card" id="gate" tabindex="-1" novalidate data-once>
${enterSaves(context)}
${hiddenFields({ of: GATE, hash })}
<h2>${texts.gate.title}</h2>
${typed.rows.length === 0 && html`<p class="muted">${texts.gate.always}</p>`}
${typed.rows.length > 1 ? selectField(context, { name: 'needs', label: texts.gate.if, value: typed.needs, options: needs }) : hiddenFields({ needs: typed.needs })}
${typed.rows.map((row, index) => comparisonFields(context, form, row, index))}
${
  mayAdd &&
  html`<div class="with-button">${selectField(context, { name: 'gateQuestion', label: texts.gate.addFor, value: questions.at(-1)?.id ?? '', options })}
<button class="secondary" name="do" value="gate-add">${texts.gate.add}</button></div>`
}
<p class="actions"><button name="do" value="save">${texts.gate.save}</button></p>
</form>`;
}

function comparisonFields(
  context: PageContext,
  { structure, errors }: GateForm,
  row: TypedComparison,
  index: number,
): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const at = FIRST_INDEX + index;
  const question = findQuestion(structure, row.questionId)?.question;
  const negation = [
    { value: '', label: texts.gate.isSo },
    { value: 'not', label: texts.gate.isNotSo },
  ];
  const remove = texts.gate.remove(index + 1);
  return html`<fieldset class="rule" id="rule-${at}" tabindex="-1"><legend class="visually-hidden">${texts.gate.comparison(index + 1)}</legend>
<div class="choice-row"><h3 class="choice-texts" dir="auto">${question?.title ?? texts.deletedQuestion}</h3>
<div class="choice-buttons"><button class="quiet" name="do" value="gate-remove:${index}" title="${remove}" aria-label="${remove}">${icon('close')}</button></div></div>
${hiddenFields({ 'rule.id': row.nodeId, 'rule.question': row.questionId })}
${fieldError(context, `rule-${at}`, errors[`rule-${at}`])}
${question ? testFields(context, { structure, errors }, { rule: row, index: at, question }) : hiddenFields({ 'rule.test': row.test, 'rule.text': row.text, 'rule.to': row.to })}
<div class="field"><label for="not-${at}">${texts.gate.counts}</label>
<select id="not-${at}" name="rule.not">${negation.map(({ value, label }) => html`<option value="${value}"${(value === 'not') === row.isNot && html` selected`}>${label}</option>`)}</select></div>
</fieldset>`;
}
