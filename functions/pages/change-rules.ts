/** Stores the rules of a section (`do=save`) from their rows or their table, or changes the rows of the form. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraftSection, reloadEdited } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { mayEditQuestions } from '#core/pages/builder/questions.ts';
import { changeRules, checkRules, parseTypedRules, toTypedRules } from '#core/pages/builder/rule-fields.ts';
import { canSaveTable, checkTable, parseTypedTable } from '#core/pages/builder/rule-table.ts';
import { describeRules } from '#core/pages/builder/rule-words.ts';
import { rulesHref } from '#core/pages/builder/rules.ts';
import { sectionRulesPage } from '#core/pages/builder/section-rules.ts';
import { rulesStamp } from '#core/pages/builder/stamp.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { requireSection } from '#core/structure/questions.ts';
import { writeTable } from '#core/structure/rule-table.ts';
import { readRules, type SectionRules, writeRules } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeRules,
  openDraftSection,
  async ({ app, gate, draft, stored, caller, params: { sectionId }, posted, context }) => {
    const { rules: texts } = getQuestionsTexts(context);
    const action = posted.fields.get('do') ?? 'save';
    const typed = parseTypedRules(posted.fields);
    const table = parseTypedTable(posted.fields);
    const again = async (structure: Structure, changes: object, status = 200) => {
      const section = requireSection(structure, sectionId);
      const rules = readRules(structure, sectionId);
      if (!rules) return { location: rulesHref(gate.formId) };
      // A table that the rules no longer fit is shown as the rows that it would have made.
      const fits = table && canSaveTable(structure, sectionId, { rules, questionId: table.questionId });
      const rows = table && !fits ? toTypedRules(writeTable(structure, table, rules)) : typed;
      const data = {
        gate,
        structure,
        section,
        stored: rules,
        typed: rows,
        table: fits ? table : undefined,
        seen: posted.fields.get('stamp'),
        ...changes,
      };
      return { html: sectionRulesPage(context, await loadGateHead(app, gate), data), status };
    };
    const check = () => {
      if (!table) return checkRules(context, stored.structure, typed);
      const errors = checkTable(context, stored.structure, table);
      return Object.keys(errors).length > 0 ? { errors } : { table };
    };
    if (!mayEditQuestions(gate)) return { location: rulesHref(gate.formId) };
    const changed = changeRules(typed, action, posted.fields.get('newQuestion') ?? '');
    if (changed) return again(stored.structure, { typed: changed });
    const checked = check();
    if ('errors' in checked) return again(stored.structure, { errors: checked.errors }, 400);
    const rulesToWrite = (structure: Structure, before: SectionRules): SectionRules => {
      if ('rules' in checked) return checked.rules;
      const { questionId } = checked.table;
      if (!canSaveTable(structure, sectionId, { rules: before, questionId })) throw problems.stale();
      return writeTable(structure, checked.table, before);
    };
    const newId = () => idWithin(gate.formId, app.uuid());
    const now = app.now().toISOString();
    try {
      await editDraft(app, { gate, draft, caller }, (structure) => {
        const rules = readRules(structure, sectionId);
        if (!rules || posted.fields.get('stamp') !== rulesStamp(rules)) throw problems.stale();
        const next = writeRules(structure, sectionId, rulesToWrite(structure, rules), { now, newId });
        return { next, body: undefined };
      });
      return { location: `${withDone(rulesHref(gate.formId), 'saved')}#s-${sectionId}` };
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 413) throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      const theirs = readRules(structure, sectionId);
      const overwritten =
        theirs && error.code === 'stale_version'
          ? [{ label: texts.title, theirs: describeRules(context, structure, theirs).join('\n') }]
          : [];
      return again(structure, overwritten.length > 0 ? { overwritten } : { refusal: texts.refused }, 409);
    }
  },
);
