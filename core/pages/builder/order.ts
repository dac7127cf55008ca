/** The page on which the order of all questions is changed at once: a number and a section for each. */
import type { Gate } from '#core/forms/gate.ts';
import type { Draft } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { listPlaces, orderQuestions, type QuestionPlace } from '#core/structure/question-order.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, fieldError, hiddenFields, pageTitle } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { getQuestionsText } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { builderLayout } from './frame.ts';
import { questionsHref } from './questions.ts';

/** The address of the page. */
export const orderHref = (formId: string): string => `${questionsHref(formId)}/order`;

/** What was posted: where questions are to be, where the page showed them at first, and the numbers that are none. */
export type TypedOrder = {
  places: Map<string, QuestionPlace>;
  shown: Map<string, QuestionPlace>;
  errors: Map<string, string>;
};

const writePlace = ({ sectionId, number }: QuestionPlace): string => `${sectionId}:${number}`;

function readPlace(text: string): QuestionPlace {
  const [sectionId = '', number = ''] = text.split(':');
  return { sectionId, number: Number(number) };
}

/** Parses the posted form. Only questions whose place differs from the shown one are to move. */
export function parseTypedOrder(fields: URLSearchParams): TypedOrder {
  const [places, shown, errors] = [
    new Map<string, QuestionPlace>(),
    new Map<string, QuestionPlace>(),
    new Map<string, string>(),
  ];
  for (const [name, value] of fields) {
    if (!name.startsWith('was.')) continue;
    const id = name.slice('was.'.length);
    const typed = (fields.get(`n.${id}`) ?? '').trim();
    shown.set(id, readPlace(value));
    if (!/^[1-9]\d{0,3}$/.test(typed)) errors.set(id, typed);
    const place = { sectionId: fields.get(`s.${id}`) ?? '', number: Number(typed) };
    if (!errors.has(id) && writePlace(place) !== value) places.set(id, place);
  }
  return { places, shown, errors };
}

type OrderPage = {
  gate: Gate;
  /** What is stored now, and that with the typed order. */
  structure: Structure;
  draft: Draft;
  typed?: TypedOrder;
  refusal?: string;
};

/** Renders the page: the questions in their new order, once one was typed. Enter in a field shows that order, and stores nothing. */
export function orderPage(context: PageContext, head: FormHead, page: OrderPage): Html {
  const { order: texts, list } = getQuestionsText(context);
  const { gate, structure, draft, typed, refusal } = page;
  const errors = typed?.errors ?? new Map<string, string>();
  const summary = [...errors.keys()].map((id) => ({ target: `n-${id}`, message: texts.invalid }));
  const places = typed && errors.size === 0 ? typed.places : new Map<string, QuestionPlace>();
  const ordered = orderQuestions(structure, places);
  const isChanged = ordered !== structure;
  const shown = typed?.shown ?? listPlaces(structure);
  const sections = sectionsInOrder(structure).map(({ id }) => ({
    id,
    title: sectionTitle(structure, id) || list.untitled,
  }));
  const row = (title: string, id: string, place: QuestionPlace): Html => {
    const message = errors.has(id) ? texts.invalid : undefined;
    return html`<li><button type="button" class="quiet handle" data-handle hidden aria-label="${texts.handle(title)}">${icon('handle')}</button><div class="row-text"><h3>${title}</h3>${fieldError(context, `n-${id}`, message)}</div><div class="row-side">
${hiddenFields({ [`was.${id}`]: writePlace(shown.get(id) ?? place) })}
<input class="short" type="text" inputmode="numeric" id="n-${id}" name="n.${id}" value="${errors.get(id) ?? place.number}" aria-label="${texts.number(title)}"${attribute('aria-describedby', message !== undefined && `n-${id}-error`)} autocomplete="off">
<select name="s.${id}" aria-label="${texts.section(title)}">${sections.map((section) => html`<option value="${section.id}"${attribute('selected', section.id === place.sectionId)}>${section.title}</option>`)}</select></div></li>`;
  };
  const current = listPlaces(ordered);
  return builderLayout(context, head, {
    current: 'questions',
    title: pageTitle(context, texts.title, summary.length > 0),
    main: html`${errorSummary(context, summary)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${questionsHref(gate.formId)}">${list.title}</a></p>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${changesNotice(context, { gate, draft })}
${isChanged && html`<div class="notice info" role="status"><p>${texts.preview}</p></div>`}
<form method="post" action="${orderHref(gate.formId)}" novalidate data-order="${texts.moved}">
<button class="visually-hidden" name="do" value="show" tabindex="-1" aria-hidden="true">${texts.show}</button>
${sections.map(({ id, title }) => {
  const questions = ordered.sections.find((section) => section.id === id)?.questions ?? [];
  return html`<div class="section-heading" role="group" aria-label="${title}"><h2>${title}</h2>
${questions.length === 0 && html`<p class="muted">${list.noQuestions}</p>`}
<ol class="rows order dense" data-section="${id}">${questions.map((question) => row(question.title, question.id, current.get(question.id) ?? { sectionId: id, number: 1 }))}</ol></div>`;
})}
<p class="actions"><button name="do" value="save">${texts.save}</button><button class="secondary" name="do" value="show">${texts.show}</button></p>
</form>`,
  });
}
