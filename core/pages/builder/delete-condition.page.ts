/**
 * Says where the path leads without a condition, before it is deleted. One of a list of rules is removed on the page
 * of the list. Deletes a condition; what led to it leads where it led otherwise.
 */
import { editForm, openEditedForm, openEditedSection } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { listLinkTargets } from '#core/structure/path.ts';
import { conditionNumbers, readNode } from '#core/structure/rules.ts';
import { findNode, type Structure } from '#core/structure/structure.ts';
import { removeNode } from '#core/structure/workflow-edits.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import type { Html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { withDone } from './frame.ts';
import { mayEditQuestions } from './questions.ts';
import { removalPage } from './removal.ts';
import { describeRules, nodeName } from './rule-words.ts';
import { nodeHref, rulesHref } from './rules.ts';

export const page = definePage({
  name: 'deleteCondition',
  audience: 'authors',
  path: '/build/{formId}/c/{nodeId}/delete',
  access: member,
  needs: LIST,
  open: openEditedSection,
  show: async ({ app, gate, stored: { structure }, params: { nodeId }, context }) => {
    if (!mayEditQuestions(gate) || !conditionNumbers(structure).has(nodeId))
      return { location: rulesHref(gate.formId) };
    return { html: renderConditionRemovalPage(context, await loadGateHead(app, gate), { gate, structure, nodeId }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openEditedForm,
    actions: {
      deleteCondition: async ({ app, gate, edited, caller, params: { nodeId } }) => {
        const rules = rulesHref(gate.formId);
        if (!mayEditQuestions(gate)) return { location: rules };
        const now = app.now().toISOString();
        await editForm(app, { gate, edited, caller }, (structure, answered) => {
          // The second press of the button finds nothing to delete.
          const isStored = findNode(structure, nodeId)?.type === 'CONDITION';
          return { next: isStored ? removeNode(structure, answered, nodeId, now) : structure, body: undefined };
        });
        return { location: withDone(rules, 'conditionDeleted') };
      },
    },
  },
});

/** Renders the page on which a condition is deleted that is in no list of rules. */
function renderConditionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, structure, nodeId }: { gate: Gate; structure: Structure; nodeId: string },
): Html {
  const { remove: texts } = getQuestionsTexts(context);
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
