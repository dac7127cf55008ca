/** Shows the rules of a section for editing. */
import { authorPages } from '#core/api/pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { toTypedRules } from '#core/pages/builder/rule-fields.ts';
import { rulesHref, sectionRulesPage } from '#core/pages/builder/rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';
import { readRules } from '#core/structure/rules.ts';

export const handler = page(
  authorPages.editRules,
  openDraftSection,
  async ({ app, gate, stored: { structure }, params, context }) => {
    const section = requireSection(structure, params.sectionId);
    const stored = readRules(structure, section.id);
    if (!mayEditQuestions(gate) || !stored) return { location: rulesHref(gate.formId) };
    const head = await loadGateHead(app, gate);
    return { html: sectionRulesPage(context, head, { gate, structure, section, stored, typed: toTypedRules(stored) }) };
  },
);
