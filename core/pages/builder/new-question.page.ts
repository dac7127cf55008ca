/**
 * Shows the kinds of questions, or the form of a new question of the chosen kind. Stores a new question (`do=save`, or
 * `another` to continue with the next one), or changes the fields of its form. In place of a section that somebody
 * else has deleted, another one is chosen.
 */
import { idWithin } from '#core/db/keys.ts';
import { editForm, openEditedForm, openEditedSection, reloadEdited } from '#core/forms/edited.ts';
import { Problem, requireFound } from '#core/problems/problems.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { createQuestion, requireSection } from '#core/structure/questions.ts';
import { findQuestion, findSection, type Section, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { QUESTION_TYPES } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { listLabels } from '../shell/typed-fields.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { renderNewRow } from './editor.ts';
import { builderLayout, withDone } from './frame.ts';
import { isOfEditor } from './opened-row.ts';
import { type Create, PRESET_NAMES, PRESETS } from './presets.ts';
import { type NewQuestionPage, renderQuestionFields, renderQuestionPage, renderStoredPart } from './question.ts';
import { changeTyped, withOption } from './question-buttons.ts';
import {
  checkQuestion,
  explainQuestion,
  parseQuestionType,
  QUESTION,
  readQuestion,
  showQuestion,
} from './question-fields.ts';
import { explainEdit, lockedText, mayEditQuestions, questionsHref, sectionHref } from './questions.ts';
import type { SectionPage } from './section.ts';

export const page = definePage({
  name: 'newQuestion',
  audience: 'authors',
  path: '/build/{formId}/s/{sectionId}/new',
  access: member,
  needs: LIST,
  open: openEditedSection,
  show: async ({ app, gate, stored: { structure }, params: { sectionId }, query, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const after = query.get('after') ?? undefined;
    const chosen = parseQuestionType(query.get('type'));
    const preset = PRESET_NAMES.find((name) => name === query.get('preset'));
    const place = { structure, sectionId, isAnswered: false };
    const create: Create = (type) => showQuestion(context, { ...place, type });
    const typed = chosen ? create(chosen) : preset && PRESETS[preset](context, create);
    if (!typed) {
      const section = requireSection(structure, sectionId);
      const head = await loadGateHead(app, gate);
      return { html: renderQuestionKindPage(context, head, { gate, structure, section, after, newId: app.uuid() }) };
    }
    const data = { gate, target: { ...place, type: typed.type }, typed, newId: app.uuid(), after };
    if (isOfEditor(query)) return { html: renderNewRow(data.newId, renderQuestionFields(context, data)) };
    return { html: renderQuestionPage(context, await loadGateHead(app, gate), data) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: QUESTION_BYTES,
    creates: ['question'],
    open: openEditedForm,
    labels: (context) => listLabels(context, QUESTION),
    actions: {
      createQuestion: async ({ app, gate, edited, stored, caller, params, posted, context }) => {
        const { edit: texts, list } = getQuestionsTexts(context);
        const action = posted.fields.get('do') ?? 'save';
        const newId = readNewId(posted.fields, caller, app);
        const after = posted.fields.get('after') ?? undefined;
        const isPart = isOfEditor(posted.fields);
        const place = { structure: stored.structure, sectionId: params.sectionId, isAnswered: false };
        const read = readQuestion(posted.fields, place);
        const { target } = read;
        const typed = isPart && action === 'save' ? withOption(context, target, read.typed) : read.typed;
        /** The section of the path, or in place of a deleted one that which was chosen; undefined if that was deleted, too. */
        const findTarget = (structure: Structure) =>
          findSection(structure, params.sectionId) ?? findSection(structure, posted.fields.get('section') ?? '');
        const render = async (
          { status = 200, ...changes }: Partial<NewQuestionPage> & { status?: number },
          structure = stored.structure,
        ) => {
          const section = findTarget(structure);
          const sectionId = requireFound(section ?? sectionsInOrder(structure)[0]).id;
          const deletedSectionId = sectionId === params.sectionId ? undefined : params.sectionId;
          const refusal = section ? undefined : texts.sectionDeleted;
          const current = { ...target, structure, sectionId };
          const data = {
            gate,
            target: current,
            deletedSectionId,
            typed,
            newId: newId.field,
            after,
            refusal,
            ...changes,
          };
          return isPart
            ? { html: renderNewRow(newId.field, renderQuestionFields(context, data)), status }
            : { html: renderQuestionPage(context, await loadGateHead(app, gate), data), status };
        };
        const locked = lockedText(context, gate);
        if (locked !== undefined) return render({ refusal: locked, status: 409 });
        const changed = changeTyped(context, target, { typed, action });
        if (changed) return render(changed);
        const checked = checkQuestion(context, { target, typed, order: LAST });
        if ('errors' in checked) return render({ errors: checked.errors, status: 400 });
        const section = findTarget(stored.structure);
        if (!section) return render({ status: 409 });
        const derivedId = idWithin(gate.formId, newId.derive([section.id, typed]));
        const randomId = () => idWithin(gate.formId, app.uuid());
        const edit = { sectionId: section.id, now: app.now().toISOString(), newId: randomId };
        let created: { structure: Structure; questionId: string };
        try {
          created = await editForm(app, { gate, edited, caller }, (current, _answered, isUsedId) => {
            // The second press of the button finds what the first one has created.
            if (findQuestion(current, derivedId)) {
              return { next: current, body: { structure: current, questionId: derivedId } };
            }
            const questionId = isUsedId(derivedId) ? randomId() : derivedId;
            const order = findOrderAfter(findSection(current, section.id), after);
            const next = createQuestion(current, { ...edit, questionId, input: { ...checked.input, order } });
            return { next, body: { structure: next, questionId } };
          });
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (error.status === 404) {
            const newest = (await reloadEdited(app, gate.formId)).structure;
            if (!findTarget(newest)) return render({ status: 409 }, newest);
          }
          if (error.code === 'content_too_large') return render(explainEdit(context, error, texts.refused));
          if (error.status !== 400) throw error;
          const explained = explainQuestion(context, typed, error);
          if (explained) return render(explained);
          const refusal = error.code === 'too_many_questions' ? list.tooMany : texts.refused;
          return render({ refusal, status: 400 });
        }
        const { structure, questionId } = created;
        if (isPart) return { html: renderStoredPart(context, { gate, structure, questionId, isAnswered: false }) };
        if (action === 'another')
          return { location: withDone(`${sectionHref(gate.formId, section.id)}/new`, 'questionAdded') };
        return { location: `${withDone(questionsHref(gate.formId), 'questionAdded')}#q-${questionId}` };
      },
    },
  },
});

/** Behind all others. */
const LAST = 1_000;

/** Finds the position behind a question of a section; behind all others if there is none, or it was deleted meanwhile. */
function findOrderAfter(section: Section | undefined, after: string | undefined): number {
  const index = section?.questions.findIndex(({ id }) => id === after) ?? -1;
  return index === -1 ? LAST : index + 2;
}

/** Renders the page on which the kind of a new question is chosen. */
function renderQuestionKindPage(
  context: PageContext,
  head: FormHead,
  {
    gate,
    structure,
    section,
    after,
    newId,
  }: Pick<SectionPage, 'gate' | 'structure'> & { section: Section; after: string | undefined; newId: string },
): Html {
  const { create: texts, types, presets, list } = getQuestionsTexts(context);
  const href = `${sectionHref(gate.formId, section.id)}/new`;
  const place = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  const kind = (query: string, name: string, hint: string | undefined): Html =>
    html`<li><a class="tile" href="${href}?${query}${place}#title"><strong>${name}</strong>${hint !== undefined && html`<span class="muted small">${hint}</span>`}</a></li>`;
  return builderLayout(context, head, {
    current: 'edit',
    title: texts.title,
    main: html`<p><a class="back" dir="auto" href="${questionsHref(gate.formId)}#s-${section.id}">${sectionTitle(structure, section.id) || list.untitled}</a></p>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
<h2>${texts.types}</h2>
<ul class="tiles">${QUESTION_TYPES.map((type) => kind(`type=${type}`, types[type], texts.typeHints[type]))}</ul>
<h2 class="section-heading">${texts.presets}</h2>
<ul class="tiles">${PRESET_NAMES.map((preset) => kind(`preset=${preset}`, presets[preset].name, undefined))}
<li><form method="post" action="${questionsHref(gate.formId)}" data-once data-disposable>${hiddenFields({ id: newId })}<button class="tile" name="do" value="declaration:${after ?? section.id}"><strong>${presets.declaration.name}</strong><span class="muted small">${presets.declaration.hint}</span></button></form></li></ul>`,
  });
}
