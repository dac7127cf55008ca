/** The pages that say what is lost before a question, a section or a condition is deleted. */
import type { Gate } from '#core/forms/gate.ts';
import { listLinkTargets } from '#core/structure/path.ts';
import { conditionNumbers, readNode } from '#core/structure/rules.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { type PlacedQuestion, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsText } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { listDependents, listRulesOf, questionHref, sectionHref } from './questions.ts';
import { describeRules, nodeName } from './rule-words.ts';
import { nodeHref } from './rules.ts';

type Removal = {
  current?: 'questions' | 'rules';
  title: string;
  losses: readonly string[];
  href: string;
  submit: string;
};

const removalPage = (
  context: PageContext,
  head: FormHead,
  { current = 'questions', title, losses, href, submit }: Removal,
): Html =>
  builderLayout(context, head, {
    current,
    title,
    main: html`<h1>${title}</h1>
${losses.filter((text) => text !== '').map((text) => html`<p>${text}</p>`)}
<form method="post" action="${href}/delete" data-once>
<p class="actions"><button class="danger">${submit}</button><a class="button secondary" href="${href}">${context.t.shell.cancel}</a></p>
</form>`,
  });

/** Renders the page on which a question is deleted. */
export function questionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, stored, placed }: { gate: Gate; stored: StoredStructure; placed: PlacedQuestion },
): Html {
  const { remove: texts } = getQuestionsText(context);
  const { structure, answered } = stored;
  const { id, title } = placed.question;
  const dependents = listDependents(structure, id);
  return removalPage(context, head, {
    title: texts.question(title),
    losses: [
      answered.ids.has(id) ? texts.answered : texts.unanswered,
      texts.rules(listRulesOf(structure, id).length),
      dependents.length > 0 ? texts.sources(dependents.map((question) => question.title).join(', ')) : '',
    ],
    href: questionHref(gate.formId, id),
    submit: texts.submitQuestion,
  });
}

/** Renders the page on which a section is deleted. */
export function sectionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, stored, section }: { gate: Gate; stored: StoredStructure; section: Section },
): Html {
  const { remove: texts, list } = getQuestionsText(context);
  const { structure, answered } = stored;
  const rules = section.questions.reduce((sum, { id }) => sum + listRulesOf(structure, id).length, 0);
  return removalPage(context, head, {
    title: texts.section(sectionTitle(structure, section.id) || list.untitled),
    losses: [
      texts.questions(section.questions.length, section.questions.filter(({ id }) => answered.ids.has(id)).length),
      texts.rules(rules),
      texts.path,
    ],
    href: sectionHref(gate.formId, section.id),
    submit: texts.submitSection,
  });
}

/** Renders the page on which a condition is deleted that is in no list of rules. */
export function conditionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, nodeId }: { gate: Gate; structure: Structure; nodeId: string },
): Html {
  const { remove: texts } = getQuestionsText(context);
  const leading = structure.nodes.filter((node) => node.id !== nodeId && listLinkTargets(node).includes(nodeId));
  const rules = readNode(structure, nodeId);
  const names = leading.map(({ id }) => nodeName(context, structure, id)).join(texts.separator);
  return removalPage(context, head, {
    current: 'rules',
    title: texts.condition(conditionNumbers(structure).get(nodeId) ?? 0),
    losses: [
      ...(rules ? describeRules(context, structure, rules) : []),
      leading.length === 0
        ? texts.nothingLeads
        : texts.leads(names, nodeName(context, structure, rules?.otherwise === nodeId ? undefined : rules?.otherwise)),
    ],
    href: nodeHref(gate.formId, nodeId),
    submit: texts.submitCondition,
  });
}
