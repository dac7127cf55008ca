/** Stores the rules of a section (`do=save`) from their rows or their table, or changes the rows of the form. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft, reloadEdited } from '#core/forms/draft.ts';
import { hashRules } from '#core/pages/builder/content-hash.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { renderLostRules, tableAsRules } from '#core/pages/builder/lost-rules.ts';
import { explainEdit, lockedText } from '#core/pages/builder/questions.ts';
import { changeRules, checkRules, parseTypedRules, toTypedRules } from '#core/pages/builder/rule-fields.ts';
import { canSaveTable, checkTable, parseTypedTable } from '#core/pages/builder/rule-table.ts';
import { listOverwritten } from '#core/pages/builder/rule-words.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { renderSectionRulesPage, type SectionRulesPage } from '#core/pages/builder/section-rules.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { problems } from '#core/problems/problems.ts';
import { requireSection } from '#core/structure/questions.ts';
import { writeTable } from '#core/structure/rule-table.ts';
import { readRules, type SectionRules, writeRules } from '#core/structure/rules.ts';
import { findSection, type Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeRules,
  openDraft,
  async ({ app, gate, draft, stored, caller, params: { sectionId }, posted, context }) => {
    const { fields } = posted;
    const { rules: texts } = getQuestionsTexts(context);
    const location = rulesHref(gate.formId);
    const typed = parseTypedRules(fields);
    const table = parseTypedTable(fields);
    /** Undefined when the section was deleted, or when its conditions are in no list of rules any more. */
    const readList = (structure: Structure) => findSection(structure, sectionId) && readRules(structure, sectionId);
    const fitsTable = (structure: Structure, rules: SectionRules): boolean =>
      table !== undefined && canSaveTable(structure, sectionId, { rules, questionId: table.questionId });
    const render = async (
      structure: Structure,
      { status = 200, ...changes }: Partial<SectionRulesPage> & { status?: number },
    ) => {
      const rules = readList(structure);
      if (!rules) {
        const lost = { structure, typed: table ? tableAsRules(table) : typed, posted, rulesHref: location };
        return renderLostRules(context, lost);
      }
      // A table that the rules no longer fit is shown as the rows that it would have made.
      const data = !table
        ? { typed }
        : fitsTable(structure, rules)
          ? { typed, table }
          : { typed: toTypedRules(writeTable(structure, table, rules)) };
      const section = requireSection(structure, sectionId);
      const page = { gate, structure, section, stored: rules, ...data, seen: fields.get('hash'), ...changes };
      return { html: renderSectionRulesPage(context, await loadGateHead(app, gate), page), status };
    };
    if (!readList(stored.structure)) return render(stored.structure, {});
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render(stored.structure, { refusal: locked, status: 409 });
    const changed = changeRules(typed, fields.get('do') ?? 'save', fields.get('newQuestion') ?? '');
    if (changed) return render(stored.structure, { typed: changed });
    const checked = table ? checkTable(context, stored.structure, table) : checkRules(context, stored.structure, typed);
    if ('errors' in checked) return render(stored.structure, { errors: checked.errors, status: 400 });
    const toRules = (structure: Structure, before: SectionRules): SectionRules =>
      'table' in checked ? writeTable(structure, checked.table, before) : checked.rules;
    return saveTyped({
      fields,
      contentHash: (structure: Structure) => hashRules(readList(structure)),
      listOverwritten: (structure: Structure) => {
        const before = readList(structure);
        return before ? listOverwritten(context, structure, { stored: before, typed: toRules(structure, before) }) : [];
      },
      reload: async () => (await reloadEdited(app, gate.formId)).structure,
      render,
      explain: (problem) => explainEdit(context, problem, texts.refused),
      save: (requireSeen) =>
        editDraft(app, { gate, draft, caller }, (structure) => {
          const before = readList(structure);
          if (!before) throw problems.notFound();
          if ('table' in checked && !fitsTable(structure, before)) throw problems.stale();
          const ids = { now: app.now().toISOString(), newId: () => idWithin(gate.formId, app.uuid()) };
          const next = writeRules(structure, sectionId, toRules(structure, before), ids);
          requireSeen(structure, next);
          return { next, body: `${withDone(location, 'saved')}#s-${sectionId}` };
        }),
    });
  },
);
