/** The list of all questions by section, in the order of the path. */
import { MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Problem } from '#core/problems/problems.ts';
import { formatFileSize } from '#core/schema/format.ts';
import type { Draft } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findPair } from '#core/structure/sections.ts';
import type { Section, Structure } from '#core/structure/structure.ts';
import { sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { listFaults } from './check-list.ts';
import { builderLayout, buildHref } from './frame.ts';
import { followingItems, listFollowing, openFollowing } from './rule-words.ts';
import type { UndoOffer } from './undo.ts';

type QuestionList = {
  gate: Gate;
  structure: Structure;
  draft: Draft;
  newId: string;
  /** The offer to undo the last deletion or move. */
  undo?: UndoOffer | undefined;
  refusal?: string | undefined;
};

/** Whether the pages may change the questions of a form now. */
export const mayEditQuestions = ({ status }: Pick<Gate, 'status'>): boolean => status !== 'ARCHIVED';

/** Says why the questions of a form cannot be changed now; undefined if they can. */
export const lockedText = (context: PageContext, { status }: Pick<Gate, 'status'>): string | undefined =>
  status === 'ARCHIVED' ? getQuestionsTexts(context).list.archived : undefined;

/** Says on its page why an edit of the questions was refused: the form would become too large, or `refused`. */
export const explainEdit = (
  context: PageContext,
  { code }: Pick<Problem, 'code'>,
  refused: string,
): { refusal: string; status: 409 | 413 } => {
  if (code !== 'content_too_large') return { refusal: refused, status: 409 };
  const max = formatFileSize(context, MAX_ENTITY_BYTES);
  return { refusal: getQuestionsTexts(context).list.tooLarge(max), status: 413 };
};

/** Builds the address of the list of questions. */
export const questionsHref = (formId: string): string => `${buildHref(formId)}/questions`;
/** Builds the address of the page of a section. */
export const sectionHref = (formId: string, sectionId: string): string => `${buildHref(formId)}/s/${sectionId}`;
/** Builds the address of the page of a question. */
export const questionHref = (formId: string, questionId: string): string => `${buildHref(formId)}/q/${questionId}`;

/** Renders the sections with their questions in the order of the path, with buttons that move, copy, add and undo. */
export function renderQuestionsPage(context: PageContext, head: FormHead, page: QuestionList): Html {
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

/** Lists the conditions that ask for a question. */
export const listConditionsOn = (structure: Structure, questionId: string) =>
  structure.nodes.filter(({ conditionRule }) => conditionRule?.question === questionId);

/** Lists the questions that take their choices from a question. */
export const listDependents = (structure: Structure, questionId: string): Question[] =>
  structure.sections.flatMap(({ questions }) => questions).filter(({ sourceId }) => sourceId === questionId);
