/** Changes the title and description of a section (`do=save`), or moves it. */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraftSection, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { hashSection } from '#core/pages/builder/content-hash.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { explainEdit, lockedText, questionsHref } from '#core/pages/builder/questions.ts';
import { replacementFor } from '#core/pages/builder/rich-text-field.ts';
import { renderSectionEditorPage, requireTitled, SECTION, type SectionPage } from '#core/pages/builder/section.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { checkFields, listOverwrittenFields, readFields, showFields } from '#core/pages/shell/typed-fields.ts';
import { saveTyped } from '#core/pages/shell/typed-form.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem } from '#core/problems/problems.ts';
import { updateSection } from '#core/structure/questions.ts';
import { SectionPatch } from '#core/structure/section-model.ts';
import { asksTooEarly, moveSection } from '#core/structure/sections.ts';
import type { Structure } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeSection,
  openDraftSection,
  async ({ app, gate, draft, stored: { structure }, caller, params: { sectionId }, posted: { fields }, context }) => {
    const { edit, section: texts } = getQuestionsTexts(context);
    const list = questionsHref(gate.formId);
    const readSection = (current: Structure) => requireTitled(current, sectionId);
    const section = readSection(structure);
    const typed = readFields(SECTION, fields, section);
    const render = async (
      current: Structure,
      { status = 200, ...changes }: Partial<SectionPage> & { status?: number },
    ) => {
      const data = { gate, structure: current, section: readSection(current), typed };
      const head = await loadGateHead(app, gate);
      return {
        html: renderSectionEditorPage(context, head, { ...data, seen: fields.get('hash'), ...changes }),
        status,
      };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return render(structure, { refusal: locked, status: 409 });
    switch (fields.get('do')) {
      case 'move': {
        const after = fields.get('place') ?? '';
        const move = (current: Structure) => {
          const next = after === '' ? current : moveSection(current, sectionId, after);
          const done = asksTooEarly(current, next) ? 'sectionMovedFaulty' : 'sectionMoved';
          return { next, body: { location: `${withDone(list, done)}#s-${sectionId}` } };
        };
        const result = await tryEditDraft(app, { gate, draft, caller }, move);
        if (!(result instanceof Problem)) return result;
        const newest = (await reloadEdited(app, gate.formId)).structure;
        // With 400, the section that was chosen was deleted meanwhile.
        const refused =
          result.status === 400
            ? { errors: { place: texts.placeGone }, status: 409 }
            : explainEdit(context, result, edit.refused);
        return render(newest, { typed: showFields(SECTION, readSection(newest), context), ...refused });
      }
      case 'preview':
        return render(structure, {});
      case 'replace': {
        const description = replacementFor(section.description);
        return render(structure, { typed: { ...typed, description } });
      }
    }
    const checked = checkFields(context, SECTION, SectionPatch(), { typed, stored: section });
    if ('errors' in checked) return render(structure, { errors: checked.errors, status: 400 });
    return saveTyped({
      fields,
      contentHash: (current: Structure) => hashSection(readSection(current)),
      listOverwritten: (current: Structure) =>
        listOverwrittenFields(context, SECTION, { typed, stored: readSection(current) }),
      reload: async () => (await reloadEdited(app, gate.formId)).structure,
      render,
      explain: (problem) => explainEdit(context, problem, edit.refused),
      save: (requireSeen) =>
        editDraft(app, { gate, draft, caller }, (current) => {
          const next = updateSection(current, sectionId, checked.patch, app.now().toISOString());
          requireSeen(current, next);
          return { next, body: withDone(list, 'saved') };
        }),
    });
  },
);
