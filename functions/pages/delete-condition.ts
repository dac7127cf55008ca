/** Deletes a condition; what led to it leads where it led otherwise. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { page } from '#core/pages/shell/page.ts';
import { findNode } from '#core/structure/structure.ts';
import { removeNode } from '#core/structure/workflow-edits.ts';

export const handler = page(
  authorPages.deleteCondition,
  openDraft,
  async ({ app, gate, draft, caller, params: { nodeId } }) => {
    const rules = rulesHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: rules };
    const now = app.now().toISOString();
    await editDraft(app, { gate, draft, caller }, (structure, answered) => {
      // The second press of the button finds nothing to delete.
      const isStored = findNode(structure, nodeId)?.type === 'CONDITION';
      return { next: isStored ? removeNode(structure, answered, nodeId, now) : structure, body: undefined };
    });
    return { location: withDone(rules, 'conditionDeleted') };
  },
);
