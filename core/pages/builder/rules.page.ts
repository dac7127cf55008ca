/**
 * Shows what follows each section of a form, in words and drawn; `around`: the node around which a large form is
 * drawn.
 */
import { openEditedForm } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { loadUndo, offeredUndo } from '#core/forms/undo.ts';
import type { LiveAndChanges } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { findWarnings, type Warning } from '#core/structure/rule-warnings.ts';
import { conditionNumbers, readNode, readRules, type SectionRules } from '#core/structure/rules.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { checkList, listFaults } from './check-list.ts';
import { builderLayout } from './frame.ts';
import { lockedText, mayEditQuestions, sectionHref } from './questions.ts';
import { drawRules } from './rule-drawing.ts';
import { warningList } from './rule-warnings.ts';
import { describeGateOf, describeRules } from './rule-words.ts';
import { nodeHref, rulesHref } from './rules.ts';
import { type UndoOffer, undoOffer } from './undo.ts';

export const page = definePage({
  name: 'rules',
  audience: 'authors',
  path: '/build/{formId}/rules',
  access: member,
  needs: LIST,
  open: openEditedForm,
  show: async ({ app, gate, edited, stored, caller, query, context }) => {
    const { structure } = stored;
    const [head, drawing, kept] = await Promise.all([
      loadGateHead(app, gate),
      drawRules(context, structure, query.get('around') ?? undefined),
      loadUndo(app.table, gate.formId, app.now()),
    ]);
    const offered = mayEditQuestions(gate) && kept?.kind === 'RULE' ? offeredUndo(structure, kept) : undefined;
    const undo = offered && undoOffer(context, gate.formId, offered, caller);
    return { html: renderRulesPage(context, head, { gate, edited, structure, drawing, undo }) };
  },
});

type RulesPage = {
  gate: Gate;
  structure: Structure;
  edited: LiveAndChanges;
  drawing?: Html | undefined;
  /** The offer to undo the last deletion of a rule. */
  undo?: UndoOffer | undefined;
};

/** Renders the page of all rules. */
function renderRulesPage(context: PageContext, head: FormHead, page: RulesPage): Html {
  const { rules: texts, list } = getQuestionsTexts(context);
  const { gate, structure, edited, undo } = page;
  const faults = listFaults(context, structure);
  const warnings = findWarnings(structure);
  const conditions = [...conditionNumbers(structure)];
  const start = structure.nodes.find(({ type }) => type === 'START');
  return builderLayout(context, head, {
    current: 'rules',
    isTab: true,
    title: texts.title,
    main: html`<p>${texts.lead}</p>
${structure.sections.length > 0 && html`<p><a class="button secondary" href="${rulesHref(gate.formId)}/try">${texts.tryTitle}</a></p>`}
${mayEditQuestions(gate) ? changesNotice(context, head, { gate, edited }) : html`<div class="notice"><p>${lockedText(context, gate)}</p></div>`}
${undo?.notice}
${checkList(context, { faults, warnings: [] })}
${structure.sections.length === 0 && html`<p class="muted">${list.empty}</p>`}
${page.drawing}
${
  start &&
  structure.sections.length > 0 &&
  whatFollows(context, page, {
    id: `c-${start.id}`,
    title: texts.start,
    href: nodeHref(gate.formId, start.id),
    rules: readNode(structure, start.id),
    warnings: [],
  })
}
${sectionsInOrder(structure).map(({ id }) => {
  const rules = readRules(structure, id);
  return whatFollows(context, page, {
    id: `s-${id}`,
    title: sectionTitle(structure, id) || list.untitled,
    shownIf: describeGateOf(context, structure, id)[0],
    href: rules ? `${sectionHref(gate.formId, id)}/rules` : nodeHref(gate.formId, id),
    rules: rules ?? readNode(structure, id),
    warnings: warnings.filter(({ sectionId }) => sectionId === id),
  });
})}
${
  conditions.length > 0 &&
  html`<h2 class="section-heading">${texts.conditions}</h2><p class="muted">${texts.drawn}</p>
${conditions.map(([id, number]) =>
  whatFollows(context, page, {
    id: `c-${id}`,
    title: texts.conditionTitle(number),
    href: nodeHref(gate.formId, id),
    rules: readNode(structure, id),
    warnings: warnings.filter(({ sectionId, nodeId }) => sectionId === undefined && nodeId === id),
  }),
)}`
}
${undo?.form}`,
  });
}

type Following = {
  id: string;
  title: string;
  /** When the section is shown. */
  shownIf?: string | undefined;
  href: string;
  rules: SectionRules | undefined;
  warnings: readonly Warning[];
};

/** Says what follows a section or a condition, with each warning below the rule that it is about. */
function whatFollows(
  context: PageContext,
  { gate, structure }: RulesPage,
  { id, title, shownIf, href, rules, warnings }: Following,
): Html {
  const { rules: texts } = getQuestionsTexts(context);
  const warningsAt = (nodeId: string | undefined): Html | undefined =>
    warningList(
      context,
      structure,
      warnings.filter((warning) => warning.nodeId === nodeId),
    );
  return html`<section class="card builder-section section-heading" id="${id}" tabindex="-1"><h2 dir="auto">${title}</h2>
${shownIf !== undefined && html`<p>${shownIf}</p>`}
${rules && html`<ol class="plain">${describeRules(context, structure, rules).map((sentence, index) => html`<li>${sentence}${rules.rules[index] && warningsAt(rules.rules[index].nodeId)}</li>`)}</ol>`}
${warningsAt(undefined)}
${mayEditQuestions(gate) && html`<p class="actions"><a class="button secondary" href="${href}">${texts.edit}<span class="visually-hidden"> ${title}</span></a></p>`}
</section>`;
}
