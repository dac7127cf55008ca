/**
 * Changes the title and description of a section (`do=save`), or moves it. What somebody else has stored meanwhile is shown
 * before it is replaced.
 */
import { authorPages } from '#core/api/author-pages.ts';
import { editDraft, openDraftSection, reloadEdited, tryEditDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { loadMarkdown } from '#core/pages/builder/load-markdown.ts';
import { mayEditQuestions, questionsHref } from '#core/pages/builder/questions.ts';
import { readTyped, replacementFor } from '#core/pages/builder/rich-text-field.ts';
import { listOverwritten, sectionPage, type TypedSection, toTypedSection } from '#core/pages/builder/section.ts';
import { sectionStamp } from '#core/pages/builder/stamp.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { requireSection, updateSection } from '#core/structure/questions.ts';
import { SectionPatch } from '#core/structure/section-model.ts';
import { asksTooEarly, moveSection } from '#core/structure/sections.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';

export const handler = page(
  authorPages.changeSection,
  openDraftSection,
  async ({ app, gate, draft, stored, caller, params: { sectionId }, posted, context }) => {
    const { section: texts } = getQuestionsTexts(context);
    const now = app.now().toISOString();
    const text = (name: string): string => posted.fields.get(name) ?? '';
    const read = (structure: Structure) => {
      const section = requireSection(structure, sectionId);
      const title = sectionTitle(structure, sectionId);
      const shown = toTypedSection(title, section);
      const typed: TypedSection = {
        title: text('title').trim(),
        description: readTyped(posted.fields, 'description'),
      };
      return { section, title, shown, typed };
    };
    const again = async (structure: Structure, refused: object, status: number) => {
      const { section, typed } = read(structure);
      return {
        html: sectionPage(context, await loadGateHead(app, gate), {
          gate,
          structure,
          section,
          typed,
          seen: posted.fields.get('stamp'),
          ...refused,
        }),
        status,
      };
    };
    const list = questionsHref(gate.formId);
    if (!mayEditQuestions(gate)) return { location: list };
    if (posted.fields.get('do') === 'move') {
      const after = text('place');
      const move = (structure: Structure) => {
        const next = after === '' ? structure : moveSection(structure, sectionId, after);
        const done = asksTooEarly(structure, next) ? 'sectionMovedFaulty' : 'sectionMoved';
        return { next, body: { location: `${withDone(list, done)}#s-${sectionId}` } };
      };
      const result = await tryEditDraft(app, { gate, draft, caller }, move);
      if (result) return result;
      // The section that was chosen was deleted meanwhile.
      const { structure } = await reloadEdited(app, gate.formId);
      return again(structure, { typed: read(structure).shown, errors: { place: texts.placeGone } }, 409);
    }
    if (posted.fields.get('do') === 'preview') return again(stored.structure, {}, 200);
    const { section, typed, shown } = read(stored.structure);
    if (posted.fields.get('do') === 'replace') {
      const description = replacementFor(section.description);
      return again(stored.structure, { typed: { ...typed, description } }, 200);
    }
    const isSame = typed.description === undefined || typed.description === shown.description;
    const description = isSame ? undefined : loadMarkdown().parseMarkdown(typed.description ?? '');
    const parsed = SectionPatch().safeParse({ title: typed.title, description });
    if (!parsed.success) {
      const members = new Set(parsed.error.issues.map(({ path: [member] }) => member));
      const errors = {
        title: members.has('title') ? texts.nameInvalid : undefined,
        description: members.has('description') ? texts.descriptionInvalid : undefined,
      };
      return again(stored.structure, { errors }, 400);
    }
    try {
      await editDraft(app, { gate, draft, caller }, (current) => {
        const { section, title, shown: theirs } = read(current);
        const isUnseen = posted.fields.get('stamp') !== sectionStamp(title, section);
        if (isUnseen && listOverwritten(context, theirs, typed).length > 0) throw problems.stale();
        return { next: updateSection(current, sectionId, parsed.data, now), body: undefined };
      });
      return { location: `${withDone(list, 'saved')}#s-${sectionId}` };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'stale_version') throw error;
      const { structure } = await reloadEdited(app, gate.formId);
      return again(structure, { overwritten: listOverwritten(context, read(structure).shown, typed) }, 409);
    }
  },
);
