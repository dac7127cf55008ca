/**
 * Shows one condition for editing, or what follows a section that leads to conditions in no list of rules. Stores one
 * condition (`do=save`), or shows it with the test of another question. No other node changes.
 */
import { editForm, openEditedForm, openEditedSection, reloadEdited } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { mapRulesToSections } from '#core/structure/rule-warnings.ts';
import {
  conditionNumbers,
  listRuleQuestions,
  readNode,
  readRules,
  type SectionRules,
  writeNode,
} from '#core/structure/rules.ts';
import { findQuestion, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  enterSaves,
  errorSummary,
  fieldError,
  hiddenFields,
  type Option,
  type Overwritten,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { saveTyped, seenHash } from '../shell/typed-form.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { hashRules } from './content-hash.ts';
import { builderLayout, withDone } from './frame.ts';
import { renderLostRules } from './lost-rules.ts';
import { explainEdit, lockedText, mayEditQuestions, sectionHref } from './questions.ts';
import { checkRules, NO_TEST, parseTypedRules, type TypedRule, type TypedRules, toTypedRules } from './rule-fields.ts';
import { ruleAnchor } from './rule-warnings.ts';
import { listOverwritten } from './rule-words.ts';
import { nodeHref, rulesHref } from './rules.ts';
import { listConditions, listTargets, testFields } from './section-rules.ts';

export const page = definePage({
  name: 'condition',
  audience: 'authors',
  path: '/build/{formId}/c/{nodeId}',
  access: member,
  needs: LIST,
  open: openEditedSection,
  show: async ({ app, gate, stored: { structure }, params: { nodeId }, context }) => {
    const stored = readNode(structure, nodeId);
    if (!mayEditQuestions(gate) || !stored) return { location: rulesHref(gate.formId) };
    const sectionId = mapRulesToSections(structure).get(nodeId);
    if (sectionId !== undefined && readRules(structure, sectionId)) {
      return { location: `${sectionHref(gate.formId, sectionId)}/rules` };
    }
    const data = { gate, structure, nodeId, stored, typed: toTypedRules(stored) };
    return { html: renderConditionPage(context, await loadGateHead(app, gate), data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    open: openEditedForm,
    actions: {
      changeCondition: async ({
        app,
        gate,
        edited,
        stored: { structure },
        caller,
        params: { nodeId },
        posted,
        context,
      }) => {
        const { fields } = posted;
        const { rules: texts } = getQuestionsTexts(context);
        const location = rulesHref(gate.formId);
        const typed = parseTypedCondition(fields);
        const lost = (current: Structure) =>
          renderLostRules(context, { structure: current, typed, posted, rulesHref: location });
        if (readNode(structure, nodeId)?.rules.length !== typed.rules.length) return lost(structure);
        const render = async (
          current: Structure,
          { status = 200, ...changes }: Partial<ConditionPage> & { status?: number },
        ) => {
          const stored = readNode(current, nodeId);
          if (!stored) return lost(current);
          const page = { gate, structure: current, nodeId, stored, typed, seen: fields.get('hash'), ...changes };
          return { html: renderConditionPage(context, await loadGateHead(app, gate), page), status };
        };
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render(structure, { refusal: locked, status: 409 });
        if (fields.get('do') === 'question') return render(structure, {});
        const checked = checkRules(context, structure, typed);
        if ('errors' in checked) return render(structure, { errors: checked.errors, status: 400 });
        const anchor = ruleAnchor({ sectionId: mapRulesToSections(structure).get(nodeId), nodeId });
        return saveTyped({
          fields,
          contentHash: (current: Structure) => hashRules(readNode(current, nodeId)),
          listOverwritten: (current: Structure) =>
            listOverwritten(context, current, { stored: readNode(current, nodeId), typed: checked.rules }),
          reload: async () => (await reloadEdited(app, gate.formId)).structure,
          render,
          explain: (problem) => explainEdit(context, problem, texts.refused),
          save: (requireSeen) =>
            editForm(app, { gate, edited, caller }, (current) => {
              const next = writeNode(current, nodeId, checked.rules, app.now().toISOString());
              requireSeen(current, next);
              return { next, body: `${withDone(location, 'saved')}${anchor}` };
            }),
        });
      },
    },
  },
});

type ConditionPage = {
  gate: Gate;
  structure: Structure;
  nodeId: string;
  /** What is stored: one rule of a condition, none of a section or the start. */
  stored: SectionRules;
  typed: TypedRules;
  errors?: Readonly<Record<string, string>>;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string | undefined;
};

/** Parses the posted form. A test that was chosen for another question is dropped. */
function parseTypedCondition(fields: URLSearchParams): TypedRules {
  const { rules, otherwise } = parseTypedRules(fields);
  const isOfQuestion = (rule: TypedRule): boolean => rule.questionId === fields.get('asked');
  return {
    rules: rules.slice(0, 1).map((rule) => (isOfQuestion(rule) ? rule : { ...rule, ...NO_TEST })),
    otherwise,
  };
}

/** Renders the page. Enter in a field saves. */
function renderConditionPage(context: PageContext, head: FormHead, page: ConditionPage): Html {
  const { rules: texts, list, edit } = getQuestionsTexts(context);
  const { gate, structure, nodeId, stored, typed, errors = {}, overwritten = [], refusal } = page;
  const href = nodeHref(gate.formId, nodeId);
  const number = conditionNumbers(structure).get(nodeId);
  const isStart = structure.nodes.some(({ id, type }) => id === nodeId && type === 'START');
  const name = isStart ? texts.start : sectionTitle(structure, nodeId) || list.untitled;
  const title = number === undefined ? texts.editTitle(name) : texts.conditionTitle(number);
  const summary = Object.entries(errors).map(([target, message]) => ({ target, message }));
  const conditions = listConditions(context, structure).filter(({ value }) => value !== nodeId);
  const targets = [...listTargets(context, structure, nodeId), ...conditions];
  const [rule] = typed.rules;
  return builderLayout(context, head, {
    current: 'rules',
    title: pageTitle(context, title, summary.length > 0),
    main: html`${errorSummary(context, summary)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${rulesHref(gate.formId)}">${texts.title}</a></p>
<h1>${title}</h1>
<form method="post" action="${href}" class="card" novalidate data-once>
${enterSaves(context)}
${hiddenFields({ hash: seenHash(hashRules(stored), page) })}
${rule && conditionFields(context, page, rule, targets)}
${selectField(context, { name: 'otherwise', label: rule ? texts.otherwiseGoTo : texts.alwaysGoTo, value: typed.otherwise, options: targets, error: errors.otherwise })}
<p class="actions"><button name="do" value="save">${edit.save}</button></p>
</form>
${rule && html`<p class="actions section-heading"><a class="button danger" href="${href}/delete" data-dialog>${texts.deleteCondition}</a></p>`}`,
  });
}

function conditionFields(context: PageContext, page: ConditionPage, rule: TypedRule, targets: readonly Option[]): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const { structure, nodeId, errors = {} } = page;
  const question = findQuestion(structure, rule.questionId)?.question;
  const offered = listRuleQuestions(structure, nodeId);
  // A question that comes too late is a fault that the page shows, not one that it repairs by itself.
  const questions = question && !offered.includes(question) ? [...offered, question] : offered;
  const options = [
    ...(question ? [] : [{ value: '', label: texts.choose }]),
    ...questions.map(({ id, title }) => ({ value: id, label: title })),
  ];
  const goError = errors['target-0'];
  return html`${hiddenFields({ 'rule.id': rule.nodeId, asked: rule.questionId })}
<div class="with-button">${select(context, { id: 'rule-0', name: 'rule.question', label: texts.question, value: rule.questionId, options, error: errors['rule-0'] })}
<button class="secondary" name="do" value="question">${texts.useQuestion}</button></div>
${question ? testFields(context, page, { rule, index: 0, question }) : hiddenFields({ 'rule.test': '', 'rule.text': '', 'rule.to': '' })}
${select(context, { id: 'target-0', name: 'rule.target', label: texts.goTo, value: rule.target, options: targets, error: goError })}`;
}

type Select = {
  id: string;
  name: string;
  label: string;
  value: string;
  options: readonly Option[];
  error: string | undefined;
};

const select = (context: PageContext, { id, name, label, value, options, error }: Select): Html =>
  html`<div class="field${error !== undefined && ' invalid'}"><label for="${id}">${label}</label>
${fieldError(context, id, error)}
<select id="${id}" name="${name}"${attribute('aria-describedby', error !== undefined && `${id}-error`)}>${options.map((option) => html`<option dir="auto" value="${option.value}"${attribute('selected', option.value === value)}>${option.label}</option>`)}</select></div>`;
