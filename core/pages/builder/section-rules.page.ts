/**
 * Shows the rules of a section for editing: as a table where they fit one, with `as=rows` as rows. Stores the rules of
 * a section (`do=save`) from their rows or their table, or changes the rows of the form. For the editor, `part=menu` is what
 * its menu of rules offers, and a button adds or takes away one rule.
 */
import { idWithin } from '#core/db/keys.ts';
import { editForm, openEditedForm, openEditedSection, reloadEdited } from '#core/forms/edited.ts';
import { problems } from '#core/problems/problems.ts';
import { readOutline, writeGate } from '#core/structure/gates.ts';
import type { Question } from '#core/structure/question-model.ts';
import { requireSection } from '#core/structure/questions.ts';
import { readTable, writeTable } from '#core/structure/rule-table.ts';
import { listRuleQuestions, readRules, type SectionRules, writeRules } from '#core/structure/rules.ts';
import { findQuestion, findSection, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  fieldError,
  hiddenFields,
  type Option,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashGate, hashRules } from './content-hash.ts';
import { builderLayout, withDone } from './frame.ts';
import { changeGate, checkGate, GATE, gateForm, parseTypedGate, readTypedGate, toTypedGate } from './gate-form.ts';
import { renderLostRules, tableAsRules } from './lost-rules.ts';
import { explainEdit, lockedText, mayEditQuestions, questionHref, questionsHref, sectionHref } from './questions.ts';
import { changeRules, checkRules, parseTypedRules, type TypedRule, toTypedRules } from './rule-fields.ts';
import { findRuleStep, renderAloneButtons, renderRuleMenu } from './rule-menu.ts';
import { canSaveTable, checkTable, parseTypedTable, tableFields } from './rule-table.ts';
import { describeGateOf, listOverwritten } from './rule-words.ts';
import { rulesHref } from './rules.ts';
import { listConditions, listTargets, type SectionRulesPage, testFields } from './section-rules.ts';

export const page = definePage({
  name: 'sectionRules',
  audience: 'authors',
  path: '/build/{formId}/s/{sectionId}/rules',
  access: member,
  needs: LIST,
  open: openEditedSection,
  show: async ({ app, gate, stored: { structure }, params, query, context }) => {
    const section = requireSection(structure, params.sectionId);
    const questionId = query.get('own');
    if (query.get('part') === 'menu') {
      return { html: renderRuleMenu(context, structure, { sectionId: section.id, questionId }) };
    }
    const alone = section.questions.find(({ id }) => id === questionId);
    if (alone && mayEditQuestions(gate)) {
      return { html: renderAlonePage(context, await loadGateHead(app, gate), { structure, section, question: alone }) };
    }
    const stored = readRules(structure, section.id);
    if (!mayEditQuestions(gate) || !stored) return { location: rulesHref(gate.formId) };
    const head = await loadGateHead(app, gate);
    const table = query.get('as') === 'rows' ? undefined : readTable(structure, section.id, stored);
    const data = { gate, structure, section, stored, table, typed: toTypedRules(stored) };
    return { html: renderSectionRulesPage(context, head, data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openEditedForm,
    actions: {
      changeRules: async ({ app, gate, edited, stored, caller, params: { sectionId }, posted, context }) => {
        const { fields } = posted;
        const { rules: texts } = getQuestionsTexts(context);
        const location = rulesHref(gate.formId);
        const newIds = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
        const step = findRuleStep(fields.get('do') ?? '', sectionId, newIds);
        if (step && mayEditQuestions(gate)) {
          const changed = step.questionId === undefined ? `s-${sectionId}` : `q-${step.questionId}`;
          return editForm(app, { gate, edited, caller }, (structure) => ({
            next: step.edit(structure),
            body: { location: `${withDone(questionsHref(gate.formId), 'saved')}#${changed}` },
          }));
        }
        const typed = parseTypedRules(fields);
        const table = parseTypedTable(fields);
        /** The posted form is that of the gate. */
        const typedGate = fields.get('of') === GATE ? parseTypedGate(fields) : undefined;
        /** Undefined when the section was deleted, or when its conditions are in no list of rules any more. */
        const readList = (structure: Structure) => findSection(structure, sectionId) && readRules(structure, sectionId);
        const fitsTable = (structure: Structure, rules: SectionRules): boolean =>
          table !== undefined && canSaveTable(structure, sectionId, { rules, questionId: table.questionId });
        const render = async (
          structure: Structure,
          { status = 200, ...changes }: Partial<SectionRulesPage> & { status?: number },
        ) => {
          const rules = readList(structure);
          if (!rules) {
            const lostTyped = typedGate ? readTypedGate(structure, typedGate) : table ? tableAsRules(table) : typed;
            const lost = { structure, typed: lostTyped, posted, rulesHref: location };
            return renderLostRules(context, lost);
          }
          // A table that the rules no longer fit is shown as the rows that it would have made.
          const stays = { typed: toTypedRules(rules), table: readTable(structure, sectionId, rules) };
          const data = typedGate
            ? { ...stays, typedGate }
            : !table
              ? { typed }
              : fitsTable(structure, rules)
                ? { typed, table }
                : { typed: toTypedRules(writeTable(structure, table, rules)) };
          const section = requireSection(structure, sectionId);
          const page = { gate, structure, section, stored: rules, ...data, seen: fields.get('hash'), ...changes };
          return { html: renderSectionRulesPage(context, await loadGateHead(app, gate), page), status };
        };
        if (!readList(stored.structure)) return render(stored.structure, {});
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render(stored.structure, { refusal: locked, status: 409 });
        if (typedGate) {
          const changedGate = changeGate(typedGate, fields.get('do') ?? 'save', fields.get('gateQuestion') ?? '');
          if (changedGate) return render(stored.structure, { typedGate: changedGate });
          const checkedGate = checkGate(context, stored.structure, typedGate);
          if ('errors' in checkedGate) return render(stored.structure, { errors: checkedGate.errors, status: 400 });
          const hash = (structure: Structure) => hashGate(readOutline(structure).gates.get(sectionId));
          return saveTyped({
            fields,
            contentHash: hash,
            listOverwritten: (structure: Structure) => {
              const theirs = describeGateOf(context, structure, sectionId)[0] ?? texts.gate.always;
              return hash(structure) === hashGate(checkedGate.gate) ? [] : [{ label: texts.gate.title, theirs }];
            },
            reload: async () => (await reloadEdited(app, gate.formId)).structure,
            render,
            explain: (problem) => explainEdit(context, problem, texts.refused),
            save: (requireSeen) =>
              editForm(app, { gate, edited, caller }, (structure) => {
                requireSection(structure, sectionId);
                const next = writeGate(structure, sectionId, checkedGate.gate, newIds);
                requireSeen(structure, next);
                return { next, body: `${withDone(location, 'saved')}#s-${sectionId}` };
              }),
          });
        }
        const changed = changeRules(typed, fields.get('do') ?? 'save', fields.get('newQuestion') ?? '');
        if (changed) return render(stored.structure, { typed: changed });
        const checked = table
          ? checkTable(context, stored.structure, table)
          : checkRules(context, stored.structure, typed);
        if ('errors' in checked) return render(stored.structure, { errors: checked.errors, status: 400 });
        const toRules = (structure: Structure, before: SectionRules): SectionRules =>
          'table' in checked ? writeTable(structure, checked.table, before) : checked.rules;
        return saveTyped({
          fields,
          contentHash: (structure: Structure) => hashRules(readList(structure)),
          listOverwritten: (structure: Structure) => {
            const before = readList(structure);
            return before
              ? listOverwritten(context, structure, { stored: before, typed: toRules(structure, before) })
              : [];
          },
          reload: async () => (await reloadEdited(app, gate.formId)).structure,
          render,
          explain: (problem) => explainEdit(context, problem, texts.refused),
          save: (requireSeen) =>
            editForm(app, { gate, edited, caller }, (structure) => {
              const before = readList(structure);
              if (!before) throw problems.notFound();
              if ('table' in checked && !fitsTable(structure, before)) throw problems.stale();
              const next = writeRules(structure, sectionId, toRules(structure, before), newIds);
              requireSeen(structure, next);
              return { next, body: `${withDone(location, 'saved')}#s-${sectionId}` };
            }),
        });
      },
    },
  },
});

/** Renders the answers by which a question is shown in a section of its own, as buttons. */
function renderAlonePage(
  context: PageContext,
  head: FormHead,
  { structure, section, question }: { structure: Structure; section: Section; question: Question },
): Html {
  const { edit: texts } = getQuestionsTexts(context);
  const { formId } = structure;
  return builderLayout(context, head, {
    current: 'edit',
    title: texts.more.ownSection,
    main: html`<p><a class="back" href="${questionHref(formId, question.id)}" dir="auto">${question.title}</a></p>
<h1>${texts.more.ownSection}</h1>
<p>${texts.more.ownSectionHint}</p>
<form method="post" action="${sectionHref(formId, section.id)}/rules" data-once>${renderAloneButtons(context, structure, question.id)}</form>`,
  });
}

/** Renders the page of the rules of one section. Enter in a field saves. */
function renderSectionRulesPage(context: PageContext, head: FormHead, page: SectionRulesPage): Html {
  const { rules: texts, list, edit } = getQuestionsTexts(context);
  const { gate, structure, section, stored, table, typedGate, errors = {}, overwritten = [], refusal } = page;
  const storedGate = readOutline(structure).gates.get(section.id);
  const href = `${sectionHref(gate.formId, section.id)}/rules`;
  const title = texts.editTitle(sectionTitle(structure, section.id) || list.untitled);
  const targets = listTargets(context, structure, section.id);
  const saveButton = html`<p class="actions"><button name="do" value="save">${edit.save}</button></p>`;
  const summary = Object.entries(errors).map(([target, message]) => ({ target, message }));
  const shownIf = gateForm(context, {
    structure,
    section,
    typed: typedGate ?? toTypedGate(storedGate),
    errors,
    action: href,
    hash: seenHash(hashGate(storedGate), typedGate ? page : {}),
  });
  return builderLayout(context, head, {
    current: 'rules',
    title: pageTitle(context, title, summary.length > 0),
    main: html`${errorSummary(context, summary)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${rulesHref(gate.formId)}#s-${section.id}">${texts.title}</a></p>
<h1>${title}</h1>
${shownIf && html`<p><a href="#gate">${texts.gate.title}</a></p>`}
<form method="post" action="${href}" novalidate data-once>
${enterSaves(context)}
${hiddenFields({ hash: seenHash(hashRules(stored), typedGate ? {} : page) })}
${table ? html`<div class="card">${tableFields(context, { structure, table, targets, errors })}${saveButton}</div>` : ruleRows(context, page, targets, saveButton)}
</form>
${
  table
    ? html`<p><a class="button quiet" href="${href}?as=rows">${texts.asRows}</a></p>`
    : readTable(structure, section.id, stored) &&
      html`<p><a class="button quiet" href="${href}">${texts.asTable}</a></p>`
}
${shownIf}`,
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

type RuleRow = { rule: TypedRule; index: number; targets: readonly Option[] };

function ruleCard(context: PageContext, page: SectionRulesPage, { rule, index, targets }: RuleRow): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const { structure, errors = {}, typed } = page;
  const question = findQuestion(structure, rule.questionId)?.question;
  const number = index + 1;
  const button = (action: string, label: string, symbol: IconName): Html =>
    html`<button class="quiet" name="do" value="${action}:${index}" title="${label}" aria-label="${label}">${icon(symbol)}</button>`;
  return html`<fieldset class="card rule" id="rule-${index}" tabindex="-1"><legend class="visually-hidden">${texts.rule(number)}</legend>
<div class="choice-row"><h2 class="choice-texts" dir="auto">${question?.title ?? texts.deletedQuestion}</h2>
<div class="choice-buttons">${index > 0 && button('rule-up', texts.up(number), 'up')}${index < typed.rules.length - 1 && button('rule-down', texts.down(number), 'down')}${button('rule-remove', texts.remove(number), 'close')}</div></div>
${hiddenFields({ 'rule.id': rule.nodeId, 'rule.question': rule.questionId })}
${question ? testFields(context, page, { rule, index, question }) : html`${hiddenFields({ 'rule.test': rule.test, 'rule.text': rule.text, 'rule.to': rule.to })}<p class="error">${texts.gone}</p>`}
${question && !question.required && html`<p class="hint">${texts.optional}</p>`}
<div class="field${errors[`target-${index}`] !== undefined && ' invalid'}"><label for="target-${index}">${texts.goTo}</label>
${fieldError(context, `target-${index}`, errors[`target-${index}`])}
<select id="target-${index}" name="rule.target"${attribute('aria-describedby', errors[`target-${index}`] !== undefined && `target-${index}-error`)}>${targets.map(({ value, label }) => html`<option dir="auto" value="${value}"${attribute('selected', value === rule.target)}>${label}</option>`)}</select></div>
</fieldset>`;
}
