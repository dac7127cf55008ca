/** Says where the path leads without a condition, before it is deleted. One of a list of rules is removed on the page of the list. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { renderConditionRemovalPage } from '#core/pages/builder/removal.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { conditionNumbers } from '#core/structure/rules.ts';

export const handler = page(
  authorPages.confirmConditionDeletion,
  openDraftSection,
  async ({ app, gate, stored: { structure }, params: { nodeId }, context }) => {
    if (!mayEditQuestions(gate) || !conditionNumbers(structure).has(nodeId))
      return { location: rulesHref(gate.formId) };
    return { html: renderConditionRemovalPage(context, await loadGateHead(app, gate), { gate, structure, nodeId }) };
  },
);
