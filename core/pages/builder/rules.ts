/** The page of all rules: what follows each section, in words. */
import type { Gate } from '#core/forms/gate.ts';
import type { Draft } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { findWarnings } from '#core/structure/rule-warnings.ts';
import { type Rule, readRules, type SectionRules } from '#core/structure/rules.ts';
import { findNode, findQuestion, listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsText } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { builderLayout, buildHref } from './frame.ts';
import { lockedText, mayEditQuestions, sectionHref } from './questions.ts';
import { warningList } from './rule-warnings.ts';

/** The address of the page of all rules. */
export const rulesHref = (formId: string): string => `${buildHref(formId)}/rules`;

/** Names the target of a link. */
function targetName(context: PageContext, structure: Structure, target: string | undefined): string {
  const { rules: texts, list } = getQuestionsText(context);
  const node = findNode(structure, target ?? '');
  if (!node) return texts.nowhere;
  return node.type === 'END' ? texts.end : `“${node.label || list.untitled}”`;
}

function describeTest(context: PageContext, structure: Structure, { questionId, test }: Rule): string {
  const { rules: texts } = getQuestionsText(context);
  switch (test.kind) {
    case 'choices': {
      const names = new Map(listChoices(structure, questionId).map((choice) => [choice.id, choiceName(choice)]));
      return texts.oneOf(test.ids.map((id) => `“${names.get(id) ?? id}”`).join(texts.or));
    }
    case 'values':
      return texts.oneOf(test.values.join(texts.or));
    case 'pattern':
      return texts.pattern(test.pattern);
    default:
      return texts[test.kind](test.text);
  }
}

/** Says the rules of a section in words, one sentence a rule. */
export function describeRules(
  context: PageContext,
  structure: Structure,
  { rules, otherwise }: SectionRules,
): string[] {
  const { rules: texts } = getQuestionsText(context);
  const name = (target: string | undefined): string => targetName(context, structure, target);
  const sentences = rules.map((rule) => {
    const title = findQuestion(structure, rule.questionId)?.question.title ?? texts.deletedQuestion;
    return texts.sentence(title, describeTest(context, structure, rule), name(rule.target));
  });
  return [...sentences, rules.length === 0 ? texts.always(name(otherwise)) : texts.otherwise(name(otherwise))];
}

/** Renders the page of all rules. */
export function rulesPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, draft }: { gate: Gate; structure: Structure; draft: Draft },
): Html {
  const { rules: texts, list } = getQuestionsText(context);
  const isEditable = mayEditQuestions(gate);
  const faults = workflowInfo(structure);
  const warnings = findWarnings(structure);
  return builderLayout(context, head, {
    current: 'rules',
    title: texts.title,
    main: html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${isEditable ? changesNotice(context, { gate, draft }) : html`<div class="notice"><p>${lockedText(context, gate)}</p></div>`}
${faults.length > 0 && html`<ul class="faults" lang="en">${faults.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
${structure.sections.length === 0 && html`<p class="muted">${list.empty}</p>`}
${sectionsInOrder(structure).map((section) => {
  const title = sectionTitle(structure, section.id) || list.untitled;
  const rules = readRules(structure, section.id);
  const own = warnings.filter(({ sectionId }) => sectionId === section.id);
  const beside = (nodeId: string | undefined): Html | undefined =>
    warningList(
      context,
      structure,
      own.filter((warning) => warning.nodeId === nodeId),
    );
  return html`<section class="card builder-section section-heading" id="s-${section.id}" tabindex="-1"><h2>${title}</h2>
${rules ? html`<ol class="plain">${describeRules(context, structure, rules).map((sentence, index) => html`<li>${sentence}${rules.rules[index] && beside(rules.rules[index].nodeId)}</li>`)}</ol>` : html`<p class="muted">${texts.drawn}</p>`}
${beside(undefined)}
${rules && isEditable && html`<p class="actions"><a class="button secondary" href="${sectionHref(gate.formId, section.id)}/rules">${texts.edit}<span class="visually-hidden"> ${title}</span></a></p>`}
</section>`;
})}`,
  });
}
