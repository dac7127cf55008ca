/** Shows one condition for editing, or what follows a section that leads to conditions in no list of rules. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { renderConditionPage } from '#core/pages/builder/condition.ts';
import { mayEditQuestions, sectionHref } from '#core/pages/builder/questions.ts';
import { toTypedRules } from '#core/pages/builder/rule-fields.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { mapRulesToSections } from '#core/structure/rule-warnings.ts';
import { readNode, readRules } from '#core/structure/rules.ts';

export const handler = page(
  authorPages.editCondition,
  openDraftSection,
  async ({ app, gate, stored: { structure }, params: { nodeId }, context }) => {
    const stored = readNode(structure, nodeId);
    if (!mayEditQuestions(gate) || !stored) return { location: rulesHref(gate.formId) };
    const sectionId = mapRulesToSections(structure).get(nodeId);
    if (sectionId !== undefined && readRules(structure, sectionId)) {
      return { location: `${sectionHref(gate.formId, sectionId)}/rules` };
    }
    const data = { gate, structure, nodeId, stored, typed: toTypedRules(stored) };
    return { html: renderConditionPage(context, await loadGateHead(app, gate), data) };
  },
);
