/**
 * Shows all questions of a form by section. Moves or copies a question or a section, adds a section: `do` says what,
 * and to which one.
 */
import { idWithin } from '#core/db/keys.ts';
import { type OpenedEditedForm, openEditedForm, tryEditForm } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { loadUndo, offeredUndo } from '#core/forms/undo.ts';
import { requireFound } from '#core/problems/problems.ts';
import type { LiveAndChanges, QuestionsEdit } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { placeBelow } from '#core/structure/places.ts';
import type { Question } from '#core/structure/question-model.ts';
import { copyQuestion, createQuestion, moveQuestion, shiftQuestion } from '#core/structure/questions.ts';
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
import { definePage, type PageRequest } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { listFaults } from './check-list.ts';
import { builderLayout, buildHref, withDone } from './frame.ts';
import { buildDeclaration } from './presets.ts';
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
  open: openEditedForm,
  show: async ({ app, gate, edited, stored, caller, context }) => {
    const { structure } = stored;
    const [head, kept] = await Promise.all([loadGateHead(app, gate), loadUndo(app.table, gate.formId, app.now())]);
    const offered = mayEditQuestions(gate) ? offeredUndo(structure, kept) : undefined;
    const undo = offered && undoOffer(context, gate.formId, offered, caller);
    return { html: renderQuestionsPage(context, head, { gate, edited, structure, undo, newId: app.uuid() }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    creates: ['copy of a question', 'declaration', 'section', 'copy of a section'],
    open: openEditedForm,
    actions: {
      up: (request) => shift(request, -1),
      down: (request) => shift(request, 1),
      // To a section, behind a question of it, or before all others.
      place: (request) => {
        const [questionId = '', sectionId = '', after = ''] = request.argument.split(':');
        return edit(request, (structure) => {
          const { section } = requireFound(findQuestion(structure, questionId));
          const place = { sectionId, after: after === '' ? null : after };
          return {
            next: moveQuestion(structure, { sectionId: section.id, questionId }, place),
            body: `${withDone(questionsHref(request.gate.formId), 'questionMoved')}#q-${questionId}`,
          };
        });
      },
      'section-up': (request) => shiftWhole(request, -1),
      'section-down': (request) => shiftWhole(request, 1),
      copy: (request) => {
        const { argument: questionId, gate, stored } = request;
        const original = findQuestion(stored.structure, questionId)?.question;
        return create(request, original, (structure, { id, isCreated, ...ids }) => {
          const body = `${withDone(questionsHref(gate.formId), 'questionCopied')}#q-${id}`;
          if (isCreated) return { next: structure, body };
          const { section } = requireFound(findQuestion(structure, questionId));
          return { next: copyQuestion(structure, { sectionId: section.id, questionId }, { copyId: id, ...ids }), body };
        });
      },
      /** Below a question, or at the end of a section. */
      declaration: (request) => {
        const { argument: place, gate, context } = request;
        return create(request, true, (structure, { id, isCreated, ...ids }) => {
          const body = `${withDone(questionsHref(gate.formId), 'declarationAdded')}#q-${id}`;
          if (isCreated) return { next: structure, body };
          const above = findQuestion(structure, place);
          const section = requireFound(above?.section ?? findSection(structure, place));
          const first = (above?.order ?? section.questions.length) + 1;
          const next = buildDeclaration(context).reduce((current, input, index) => {
            const questionId = index === 0 ? id : ids.newId();
            const question = { ...input, order: first + index };
            return createQuestion(current, { sectionId: section.id, questionId, input: question, ...ids });
          }, structure);
          return { next, body };
        });
      },
      section: (request) => {
        const { argument: after, gate, posted } = request;
        return create(request, true, (structure, { id, isCreated, now }) => {
          // Its author gives it a title next: on its page, or in the editor, which stays where it is.
          const body =
            posted.fields.get('stay') === 'on'
              ? `${withDone(questionsHref(gate.formId), 'sectionAdded')}#s-${id}`
              : `${withDone(sectionHref(gate.formId, id), 'sectionAdded')}#title`;
          if (isCreated) return { next: structure, body };
          const previous = findNode(structure, after);
          const payload = previous ? placeBelow(structure, previous) : {};
          return { next: createNode(structure, { id, type: 'SECTION', label: '', payload, now, after }), body };
        });
      },
      'copy-section': (request) => {
        const { argument: sectionId, gate, stored } = request;
        const original = [findSection(stored.structure, sectionId), findNode(stored.structure, sectionId)?.label];
        return create(request, original, (structure, { id, isCreated, ...ids }) => {
          const body = `${withDone(questionsHref(gate.formId), 'sectionCopied')}#s-${id}`;
          return { next: isCreated ? structure : copySection(structure, sectionId, { copyId: id, ...ids }), body };
        });
      },
    },
  },
});

type QuestionsRequest = OpenedEditedForm & Pick<PageRequest<'/'>, 'app' | 'posted' | 'argument' | 'context'>;

/** Moves a question by one place. */
const shift = (request: QuestionsRequest, by: 1 | -1): Promise<PageResult> =>
  edit(request, (structure) => ({
    next: shiftQuestion(structure, request.argument, by),
    body: `${withDone(questionsHref(request.gate.formId), 'questionMoved')}#q-${request.argument}`,
  }));

/** Moves a section by one place. */
const shiftWhole = (request: QuestionsRequest, by: 1 | -1): Promise<PageResult> =>
  edit(request, (structure) => {
    const next = shiftSection(structure, request.argument, by);
    const done = asksTooEarly(structure, next) ? 'sectionMovedFaulty' : 'sectionMoved';
    return { next, body: `${withDone(questionsHref(request.gate.formId), done)}#s-${request.argument}` };
  });

/** `id`: of what is created; `isCreated`: whether the first press of the button has created it. */
type NewIds = { id: string; isCreated: boolean; newId: () => string; now: string };

/** Creates something whose id follows from the page, the button and what it is made from. */
function create(
  request: QuestionsRequest,
  original: unknown,
  change: (structure: Structure, ids: NewIds) => { next: Structure; body: string },
): Promise<PageResult> {
  const { app, gate, caller, posted, argument } = request;
  const newId = () => idWithin(gate.formId, app.uuid());
  const action = posted.fields.get('do')?.split(':')[0];
  const derived = readNewId(posted.fields, caller, app).derive([action, argument, original]);
  const derivedId = idWithin(gate.formId, derived);
  return edit(request, (structure, _answered, isUsedId) => {
    const isCreated = (findQuestion(structure, derivedId) ?? findNode(structure, derivedId)) !== undefined;
    const id = isCreated || !isUsedId(derivedId) ? derivedId : newId();
    return change(structure, { id, isCreated, newId, now: app.now().toISOString() });
  });
}

/** Edits the form and leads to the returned address, or shows why not. */
async function edit(request: QuestionsRequest, change: QuestionsEdit<string>): Promise<PageResult> {
  const { app, gate, edited, stored, caller, context } = request;
  const locked = lockedText(context, gate);
  const result = locked === undefined ? await tryEditForm(app, { gate, edited, caller }, change) : undefined;
  if (typeof result === 'string') return { location: result };
  const { refusal, status } = result
    ? explainEdit(context, result, getQuestionsTexts(context).list.tooMany)
    : { refusal: locked, status: 409 };
  const head = await loadGateHead(app, gate);
  const data = { gate, edited, structure: stored.structure, newId: app.uuid(), refusal };
  return { html: renderQuestionsPage(context, head, data), status };
}

type QuestionList = {
  gate: Gate;
  structure: Structure;
  edited: LiveAndChanges;
  newId: string;
  /** The offer to undo the last deletion or move. */
  undo?: UndoOffer | undefined;
  refusal?: string | undefined;
};

/** Renders the sections with their questions in the order of the path, with buttons that move, copy, add and undo. */
function renderQuestionsPage(context: PageContext, head: FormHead, page: QuestionList): Html {
  const { list: texts } = getQuestionsTexts(context);
  const { gate, structure, edited, newId, undo, refusal } = page;
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
    current: 'edit',
    isTab: true,
    title: texts.title,
    width: 'list',
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="button secondary" href="${buildHref(gate.formId)}/preview">${getQuestionsTexts(context).preview.link}</a>${isEditable && structure.sections.some(({ questions }) => questions.length > 0) && html` <a class="button secondary" href="${questionsHref(gate.formId)}/order">${getQuestionsTexts(context).order.link}</a>`}</p>
${isEditable ? changesNotice(context, head, { gate, edited }) : html`<div class="notice info"><p>${lockedText(context, gate)}</p></div>`}
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
<h2 dir="auto">${isEditable ? html`<a href="${sectionHref(gate.formId, section.id)}" dir="auto">${title}</a>` : title}</h2>
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
  return html`<li id="q-${id}" tabindex="-1"><div class="row-text"><h3><span class="muted">${index + 1}.</span> ${isEditable ? html`<a href="${href}" dir="auto">${title}</a>` : html`<bdi>${title}</bdi>`}</h3>
<p class="muted small">${types[type]}${tags.map((tag) => html` <span class="tag">${tag}</span>`)}</p></div>
${
  isEditable &&
  html`<div class="row-side">${moveButton(`up:${id}`, texts.up(title), index > 0)}${moveButton(`down:${id}`, texts.down(title), index < section.questions.length - 1)}
<button class="quiet" name="do" value="copy:${id}">${texts.copy}<span class="visually-hidden"> ${title}</span></button>
<a class="button quiet" href="${href}/delete" data-dialog>${texts.remove}<span class="visually-hidden"> ${title}</span></a></div>`
}</li>`;
}
