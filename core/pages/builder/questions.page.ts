/**
 * Shows all questions of a form by section. Moves or copies a question or a section, adds a section: `do` says what,
 * and to which one.
 */
import { idWithin } from '#core/db/keys.ts';
import { openDraft, tryEditDraft } from '#core/forms/draft.ts';
import type { Gate } from '#core/forms/gate.ts';
import { loadUndo, offeredUndo } from '#core/forms/undo.ts';
import { problems } from '#core/problems/problems.ts';
import type { Draft, EditDraft } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { placeBelow } from '#core/structure/places.ts';
import type { Question } from '#core/structure/question-model.ts';
import { copyQuestion, shiftQuestion } from '#core/structure/questions.ts';
import { asksTooEarly, copySection, findPair, shiftSection } from '#core/structure/sections.ts';
import {
  findNode,
  findQuestion,
  findSection,
  type Section,
  type Structure,
  sectionTitle,
} from '#core/structure/structure.ts';
import { createNode } from '#core/structure/workflow-edits.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { readNewId } from '../shell/new-id.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { listFaults } from './check-list.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import {
  explainEdit,
  listConditionsOn,
  listDependents,
  lockedText,
  mayEditQuestions,
  questionHref,
  questionsHref,
  sectionHref,
} from './questions.ts';
import { followingItems, listFollowing, openFollowing } from './rule-words.ts';
import { type UndoOffer, undoOffer } from './undo.ts';

export const page = definePage({
  name: 'questions',
  audience: 'authors',
  path: '/build/{formId}/questions',
  access: member,
  needs: LIST,
  open: openDraft,
  show: async ({ app, gate, draft, stored, caller, context }) => {
    const { structure } = stored;
    const [head, kept] = await Promise.all([loadGateHead(app, gate), loadUndo(app.table, gate.formId, app.now())]);
    const offered = mayEditQuestions(gate) ? offeredUndo(structure, kept) : undefined;
    const undo = offered && undoOffer(context, gate.formId, offered, caller);
    return { html: renderQuestionsPage(context, head, { gate, draft, structure, undo, newId: app.uuid() }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    creates: ['copy of a question', 'section', 'copy of a section'],
    open: openDraft,
    actions: {
      changeQuestions: async ({ app, gate, draft, stored, caller, posted, context }) => {
        const { list: texts } = getQuestionsTexts(context);
        const { formId } = gate;
        const [action = '', targetId = ''] = (posted.fields.get('do') ?? '').split(':');
        const now = app.now().toISOString();
        const newId = () => idWithin(formId, app.uuid());
        const copied = findQuestion(stored.structure, targetId)?.question ?? [
          findSection(stored.structure, targetId),
          findNode(stored.structure, targetId)?.label,
        ];
        const derived = readNewId(posted.fields, caller, app).derive([
          action,
          targetId,
          action === 'section' || copied,
        ]);
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
    },
  },
});

type QuestionList = {
  gate: Gate;
  structure: Structure;
  draft: Draft;
  newId: string;
  /** The offer to undo the last deletion or move. */
  undo?: UndoOffer | undefined;
  refusal?: string | undefined;
};

/** Renders the sections with their questions in the order of the path, with buttons that move, copy, add and undo. */
function renderQuestionsPage(context: PageContext, head: FormHead, page: QuestionList): Html {
  const { list: texts } = getQuestionsTexts(context);
  const { gate, structure, draft, newId, undo, refusal } = page;
  const isEditable = mayEditQuestions(gate);
  const sections = sectionsInOrder(structure);
  const start = structure.nodes.find(({ type }) => type === 'START');
  const faults = listFaults(context, structure);
  const describeFollowing = openFollowing(context, structure);
  /** The faults of a section, or of the start, and of what follows it; each leads to where it is corrected. */
  const faultsAt = (nodeId: string): Html[] => {
    const following = new Set(listFollowing(structure, nodeId));
    return faults
      .filter((fault) => following.has(fault.nodeId ?? ''))
      .map(
        ({ href, text }) => html`<p class="error small">${isEditable ? html`<a href="${href}">${text}</a>` : text}</p>`,
      );
  };
  const addSection = (after: string | undefined, label: string, title?: string): Html | undefined =>
    isEditable && after !== undefined
      ? html`<p class="insert"><button${sections.length > 0 && html` class="quiet"`} name="do" value="section:${after}">${label}${title !== undefined && html`<span class="visually-hidden"> ${texts.after(title)}</span>`}</button></p>`
      : undefined;
  return builderLayout(context, head, {
    current: 'questions',
    title: texts.title,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<h1>${texts.title}</h1>
<p><a class="button secondary" href="${buildHref(gate.formId)}/preview">${getQuestionsTexts(context).preview.link}</a>${isEditable && structure.sections.some(({ questions }) => questions.length > 0) && html` <a class="button secondary" href="${questionsHref(gate.formId)}/order">${getQuestionsTexts(context).order.link}</a>`}</p>
${isEditable ? changesNotice(context, { gate, draft }) : html`<div class="notice info"><p>${lockedText(context, gate)}</p></div>`}
${undo?.notice}
${sections.length === 0 ? html`<p class="muted">${texts.empty}</p>` : start && faultsAt(start.id)}
<form method="post" action="${questionsHref(gate.formId)}" data-once>
${hiddenFields({ id: newId })}
${addSection(start?.id, sections.length === 0 ? texts.addFirst : texts.addSection)}
${sections.map(
  (
    section,
  ) => html`${sectionCard(context, page, { section, faults: faultsAt(section.id), following: describeFollowing(section.id) })}
${addSection(section.id, texts.addSection, sectionTitle(structure, section.id))}`,
)}
</form>
${undo?.form}`,
  });
}

/** A section, its faults, and what follows it in words. */
type Card = { section: Section; faults: readonly Html[]; following: readonly string[] };

/** Renders a section. A group and no landmark: sections may have the same title, as a copy has. */
function sectionCard(
  context: PageContext,
  { gate, structure }: QuestionList,
  { section, faults, following }: Card,
): Html {
  const { list: texts, rules } = getQuestionsTexts(context);
  const isEditable = mayEditQuestions(gate);
  const title = sectionTitle(structure, section.id) || texts.untitled;
  const move = (by: 1 | -1): Html =>
    moveButton(
      `section-${by === 1 ? 'down' : 'up'}:${section.id}`,
      by === 1 ? texts.down(title) : texts.up(title),
      findPair(structure, section.id, by) !== undefined,
    );
  return html`<div class="card builder-section" id="s-${section.id}" tabindex="-1" role="group" aria-label="${title}">
<h2>${isEditable ? html`<a href="${sectionHref(gate.formId, section.id)}">${title}</a>` : title}</h2>
${faults}
${section.questions.length === 0 && html`<p class="muted">${texts.noQuestions}</p>`}
${section.questions.length > 0 && html`<ol class="rows dense">${section.questions.map((question, index) => questionRow(context, { gate, structure }, { section, question, index }))}</ol>`}
${
  isEditable &&
  html`<p class="actions"><a class="button secondary" href="${sectionHref(gate.formId, section.id)}/new">${texts.addQuestion}<span class="visually-hidden"> ${texts.to(title)}</span></a>
${move(-1)}${move(1)}
<a class="button quiet" href="${sectionHref(gate.formId, section.id)}#place">${texts.moveSection}<span class="visually-hidden"> ${title}</span></a>
<button class="quiet" name="do" value="copy-section:${section.id}">${texts.copySection}<span class="visually-hidden"> ${title}</span></button></p>`
}
<div class="muted small"><ul class="plain">${followingItems(context, following)}</ul>
<a href="${buildHref(gate.formId)}/rules#s-${section.id}">${rules.title}<span class="visually-hidden"> ${rules.editTitle(title)}</span></a></div>
</div>`;
}

/** A button that moves by one place, up or down as its action begins. */
const moveButton = (action: string, label: string, isPossible: boolean): Html =>
  html`<button class="quiet" name="do" value="${action}" title="${label}" aria-label="${label}"${attribute('disabled', !isPossible)}>${icon(/^(?:section-)?up:/.test(action) ? 'up' : 'down')}</button>`;

type Row = { section: Section; question: Question; index: number };

function questionRow(
  context: PageContext,
  { gate, structure }: Pick<QuestionList, 'gate' | 'structure'>,
  { section, question, index }: Row,
): Html {
  const { list: texts, types } = getQuestionsTexts(context);
  const { id, title, type, required } = question;
  const isEditable = mayEditQuestions(gate);
  const tags = [
    ...(required ? [texts.required] : []),
    ...(listConditionsOn(structure, id).length > 0 ? [texts.inRule] : []),
    ...(listDependents(structure, id).length > 0 ? [texts.isSource] : []),
  ];
  const href = questionHref(gate.formId, id);
  return html`<li id="q-${id}" tabindex="-1"><div class="row-text"><h3><span class="muted">${index + 1}.</span> ${isEditable ? html`<a href="${href}">${title}</a>` : title}</h3>
<p class="muted small">${types[type]}${tags.map((tag) => html` <span class="tag">${tag}</span>`)}</p></div>
${
  isEditable &&
  html`<div class="row-side">${moveButton(`up:${id}`, texts.up(title), index > 0)}${moveButton(`down:${id}`, texts.down(title), index < section.questions.length - 1)}
<button class="quiet" name="do" value="copy:${id}">${texts.copy}<span class="visually-hidden"> ${title}</span></button>
<a class="button quiet" href="${href}/delete" data-dialog>${texts.remove}<span class="visually-hidden"> ${title}</span></a></div>`
}</li>`;
}
