/** Shows the rules of a section for editing: as a table where they fit one, with `as=rows` as rows. */
import { authorPages } from '#core/api/author-pages.ts';
import { openDraftSection } from '#core/forms/draft.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { toTypedRules } from '#core/pages/builder/rule-fields.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { renderSectionRulesPage } from '#core/pages/builder/section-rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { requireSection } from '#core/structure/questions.ts';
import { readTable } from '#core/structure/rule-table.ts';
import { readRules } from '#core/structure/rules.ts';

export const handler = page(
  authorPages.editRules,
  openDraftSection,
  async ({ app, gate, stored: { structure }, params, query, context }) => {
    const section = requireSection(structure, params.sectionId);
    const stored = readRules(structure, section.id);
    if (!mayEditQuestions(gate) || !stored) return { location: rulesHref(gate.formId) };
    const head = await loadGateHead(app, gate);
    const table = query.get('as') === 'rows' ? undefined : readTable(structure, section.id, stored);
    const data = { gate, structure, section, stored, table, typed: toTypedRules(stored) };
    return { html: renderSectionRulesPage(context, head, data) };
  },
);
