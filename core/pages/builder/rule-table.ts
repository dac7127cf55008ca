/** The rules of a section as a table of choices: its rows, what they send, and what is wrong with them. */
import { type RuleTable, readTable } from '#core/structure/rule-table.ts';
import type { SectionRules } from '#core/structure/rules.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError, hiddenFields, type Option, selectField } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';

/** The name of the field that says that a table is posted. */
export const TABLE_QUESTION = 'table.question';

/** The target of a row that leads where every other answer leads. */
const AS_OTHERS = 'otherwise';

/** Parses the table of a posted form; undefined for rows of rules. A row that leads nowhere has no target. */
export function parseTypedTable(fields: URLSearchParams): RuleTable | undefined {
  const questionId = fields.get(TABLE_QUESTION);
  if (questionId === null) return undefined;
  const otherwise = fields.get('otherwise') || undefined;
  const targets = fields
    .getAll('table.target')
    .map((target) => (target === AS_OTHERS ? otherwise : target || undefined));
  const rows = fields.getAll('table.choice').map((choiceId, index) => ({ choiceId, target: targets[index] }));
  return { questionId, rows, otherwise };
}

const nameChoices = (structure: Structure, questionId: string): ReadonlyMap<string, string> =>
  new Map(listChoices(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));

/** Checks a posted table. Returns it, or the messages for what is not valid, by the id of the control. */
export function checkTable(
  context: PageContext,
  structure: Structure,
  table: RuleTable,
): { table: RuleTable } | { errors: Readonly<Record<string, string>> } {
  const { questionId, rows, otherwise } = table;
  const { rules: texts } = getQuestionsTexts(context);
  const names = nameChoices(structure, questionId);
  const missing = rows.flatMap(({ choiceId, target }, index) =>
    target === undefined && otherwise !== undefined && names.has(choiceId) ? [`target-${index}`] : [],
  );
  const targets = [...missing, ...(otherwise === undefined ? ['otherwise'] : [])];
  if (targets.length === 0) return { table };
  return { errors: Object.fromEntries(targets.map((id) => [id, texts.targetMissing])) };
}

/** Whether a table can still be saved: its question fits, and the stored rules are about it only. */
export const canSaveTable = (
  structure: Structure,
  sectionId: string,
  { rules, questionId }: { rules: SectionRules; questionId: string },
): boolean => readTable(structure, sectionId, rules, questionId)?.questionId === questionId;

type TableForm = {
  structure: Structure;
  table: RuleTable;
  targets: readonly Option[];
  errors: Readonly<Record<string, string>>;
};

/** Renders the rows of a table and where every other answer leads. */
export function tableFields(context: PageContext, { structure, table, targets, errors }: TableForm): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const names = nameChoices(structure, table.questionId);
  const question = findQuestion(structure, table.questionId)?.question;
  const title = question?.title ?? texts.deletedQuestion;
  const [choose, ...places] = targets;
  return html`${hiddenFields({ [TABLE_QUESTION]: table.questionId })}
<table class="rule-table"><caption>${texts.tableTitle(title)}</caption>
<thead><tr><th scope="col">${texts.answer}</th><th scope="col">${texts.goTo}</th></tr></thead>
<tbody>${table.rows.map(({ choiceId, target }, index) => {
    const id = `target-${index}`;
    const name = names.get(choiceId);
    const isAsOthers = name !== undefined && target === table.otherwise;
    const options =
      name === undefined
        ? [{ value: '', label: texts.dropChoice }, ...places]
        : [...(target === undefined && choose ? [choose] : []), { value: AS_OTHERS, label: texts.asOthers }, ...places];
    const selected = isAsOthers ? AS_OTHERS : (target ?? '');
    return html`<tr><th scope="row"><label for="${id}" dir="auto">${name ?? texts.deletedChoice}</label></th>
<td>${hiddenFields({ 'table.choice': choiceId })}${fieldError(context, id, errors[id])}<select id="${id}" name="table.target"${attribute('aria-describedby', errors[id] !== undefined && `${id}-error`)}${attribute('aria-invalid', errors[id] !== undefined && 'true')}>${options.map(({ value, label }) => html`<option dir="auto" value="${value}"${attribute('selected', value === selected)}>${label}</option>`)}</select></td></tr>`;
  })}</tbody></table>
${question && !question.required && html`<p class="hint">${texts.optional}</p>`}
${selectField(context, { name: 'otherwise', label: texts.everyOther, hint: texts.everyOtherHint, value: table.otherwise ?? '', options: targets, error: errors.otherwise })}`;
}
