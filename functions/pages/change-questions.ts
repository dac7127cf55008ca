/** Moves or copies a question or a section, adds a section: `do` says what, and to which one. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { editDraft, openDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import { lockedText, questionsHref, questionsPage, sectionHref } from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { deriveNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { placeBelow } from '#core/structure/places.ts';
import { copyQuestion, shiftQuestion } from '#core/structure/questions.ts';
import { asksTooEarly, copySection, shiftSection } from '#core/structure/sections.ts';
import { findNode, findQuestion, type Structure } from '#core/structure/structure.ts';
import { createNode } from '#core/structure/workflow-edits.ts';

export const handler = page(
  authorPages.changeQuestions,
  openDraft,
  async ({ app, gate, draft, stored, caller, posted, context }) => {
    const { list: texts } = getQuestionsTexts(context);
    const { formId } = gate;
    const [action = '', targetId = ''] = (posted.fields.get('do') ?? '').split(':');
    const now = app.now().toISOString();
    const newId = () => idWithin(formId, app.uuid());
    const createdId = idWithin(formId, deriveNewId(posted.fields, caller, app).id);
    const list = questionsHref(formId);
    const refuse = async (structure: Structure, refusal: string) => {
      const head = await loadGateHead(app, gate);
      return {
        html: questionsPage(context, head, { gate, draft, structure, newId: app.uuid(), refusal }),
        status: 409,
      };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return refuse(stored.structure, locked);
    let isFaulty = false;
    const movedSection = (before: Structure, after: Structure): Structure => {
      isFaulty = asksTooEarly(before, after);
      return after;
    };
    const edit = (structure: Structure): Structure => {
      switch (action) {
        case 'up':
        case 'down':
          return shiftQuestion(structure, targetId, action === 'up' ? -1 : 1);
        case 'section-up':
        case 'section-down':
          return movedSection(structure, shiftSection(structure, targetId, action === 'section-up' ? -1 : 1));
        case 'copy': {
          // The second press of a button finds what the first one has made.
          if (findQuestion(structure, createdId)) return structure;
          const sectionId = findQuestion(structure, targetId)?.section.id;
          if (sectionId === undefined) throw problems.notFound();
          return copyQuestion(structure, { sectionId, questionId: targetId }, { copyId: createdId, newId, now });
        }
        case 'section': {
          if (findNode(structure, createdId)) return structure;
          const previous = findNode(structure, targetId);
          const payload = previous ? placeBelow(structure, previous) : {};
          // Its author gives it a title next.
          return createNode(structure, { id: createdId, type: 'SECTION', label: '', payload, now, after: targetId });
        }
        case 'copy-section':
          if (findNode(structure, createdId)) return structure;
          return copySection(structure, targetId, { copyId: createdId, newId, now });
        default:
          throw problems.notFound();
      }
    };
    try {
      await editDraft(app, { gate, draft, caller }, edit);
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error;
      return refuse(stored.structure, texts.tooMany);
    }
    if (action === 'section') return { location: `${withDone(sectionHref(formId, createdId), 'sectionAdded')}#title` };
    if (action === 'section-up' || action === 'section-down') {
      return { location: `${withDone(list, isFaulty ? 'sectionMovedFaulty' : 'sectionMoved')}#s-${targetId}` };
    }
    if (action === 'copy-section') return { location: `${withDone(list, 'sectionCopied')}#s-${createdId}` };
    const isCopy = action === 'copy';
    const changedId = isCopy ? createdId : targetId;
    return { location: `${withDone(list, isCopy ? 'questionCopied' : 'questionMoved')}#q-${changedId}` };
  },
);
