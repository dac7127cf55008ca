/** Moves or copies a question or a section, adds a section: `do` says what, and to which one. */
import { authorPages } from '#core/api/author-pages.ts';
import { idWithin } from '#core/db/keys.ts';
import { openDraft, tryEditDraft } from '#core/forms/draft.ts';
import { withDone } from '#core/pages/builder/frame.ts';
import {
  explainEdit,
  lockedText,
  questionsHref,
  renderQuestionsPage,
  sectionHref,
} from '#core/pages/builder/questions.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { readNewId } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';
import { getQuestionsTexts } from '#core/pages/text/questions.ts';
import { problems } from '#core/problems/problems.ts';
import type { EditDraft } from '#core/structure/changes.ts';
import { placeBelow } from '#core/structure/places.ts';
import { copyQuestion, shiftQuestion } from '#core/structure/questions.ts';
import { asksTooEarly, copySection, shiftSection } from '#core/structure/sections.ts';
import { findNode, findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
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
    const copied = findQuestion(stored.structure, targetId)?.question ?? [
      findSection(stored.structure, targetId),
      findNode(stored.structure, targetId)?.label,
    ];
    const derived = readNewId(posted.fields, caller, app).derive([action, targetId, action === 'section' || copied]);
    const derivedId = idWithin(formId, derived);
    const list = questionsHref(formId);
    const refuse = async (structure: Structure, { refusal, status }: { refusal: string; status: number }) => {
      const head = await loadGateHead(app, gate);
      return {
        html: renderQuestionsPage(context, head, { gate, draft, structure, newId: app.uuid(), refusal }),
        status,
      };
    };
    const locked = lockedText(context, gate);
    if (locked !== undefined) return refuse(stored.structure, { refusal: locked, status: 409 });
    const edit: EditDraft<string> = (structure, _answered, isUsedId) => {
      // The second press of a button finds what the first one has created.
      const isCreated = (findQuestion(structure, derivedId) ?? findNode(structure, derivedId)) !== undefined;
      const createdId = isCreated || !isUsedId(derivedId) ? derivedId : newId();
      switch (action) {
        case 'up':
        case 'down': {
          const next = shiftQuestion(structure, targetId, action === 'up' ? -1 : 1);
          return { next, body: `${withDone(list, 'questionMoved')}#q-${targetId}` };
        }
        case 'section-up':
        case 'section-down': {
          const next = shiftSection(structure, targetId, action === 'section-up' ? -1 : 1);
          const done = asksTooEarly(structure, next) ? 'sectionMovedFaulty' : 'sectionMoved';
          return { next, body: `${withDone(list, done)}#s-${targetId}` };
        }
        case 'copy': {
          const body = `${withDone(list, 'questionCopied')}#q-${createdId}`;
          if (isCreated) return { next: structure, body };
          const sectionId = findQuestion(structure, targetId)?.section.id;
          if (sectionId === undefined) throw problems.notFound();
          const copy = { copyId: createdId, newId, now };
          return { next: copyQuestion(structure, { sectionId, questionId: targetId }, copy), body };
        }
        case 'section': {
          const body = `${withDone(sectionHref(formId, createdId), 'sectionAdded')}#title`;
          if (isCreated) return { next: structure, body };
          const previous = findNode(structure, targetId);
          const payload = previous ? placeBelow(structure, previous) : {};
          // Its author gives it a title next.
          const node = { id: createdId, type: 'SECTION', label: '', payload, now, after: targetId } as const;
          return { next: createNode(structure, node), body };
        }
        case 'copy-section': {
          const body = `${withDone(list, 'sectionCopied')}#s-${createdId}`;
          if (isCreated) return { next: structure, body };
          return { next: copySection(structure, targetId, { copyId: createdId, newId, now }), body };
        }
        default:
          throw problems.notFound();
      }
    };
    const result = await tryEditDraft(app, { gate, draft, caller }, edit);
    if (typeof result === 'string') return { location: result };
    return refuse(stored.structure, explainEdit(context, result, texts.tooMany));
  },
);
