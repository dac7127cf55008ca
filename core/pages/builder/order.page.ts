/**
 * Shows the order of all questions for editing. Moves the questions whose place was changed (`do=save`), or shows them
 * in the new order (`do=show`). What somebody else has moved meanwhile stays where it is.
 */

import { editForm, openEditedForm, reloadEdited } from '#core/forms/edited.ts';
import type { Gate } from '#core/forms/gate.ts';
import { Problem } from '#core/problems/problems.ts';
import { MAX_QUESTIONS } from '#core/schema/limits.ts';
import type { LiveAndChanges } from '#core/structure/changes.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import { listPlaces, orderQuestions, type QuestionPlace } from '#core/structure/question-order.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, fieldError, hiddenFields, pageTitle } from '../shell/controls.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { changesNotice } from './changes.ts';
import { builderLayout, withDone } from './frame.ts';
import { explainEdit, lockedText, mayEditQuestions, questionsHref } from './questions.ts';

/** The places of all questions: ids of questions and sections, twice. */
const ORDER_BYTES = 450 * MAX_QUESTIONS;

export const page = definePage({
  name: 'order',
  audience: 'authors',
  path: '/build/{formId}/questions/order',
  access: member,
  needs: LIST,
  open: openEditedForm,
  show: async ({ app, gate, edited, stored, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    return {
      html: renderOrderPage(context, await loadGateHead(app, gate), { gate, edited, structure: stored.structure }),
    };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    maxFormBytes: ORDER_BYTES,
    open: openEditedForm,
    actions: {
      changeOrder: async ({ app, gate, edited, stored, caller, posted, context }) => {
        const typed = parseTypedOrder(posted.fields);
        const render = async (structure: Structure, changes: object, status: number) => ({
          html: renderOrderPage(context, await loadGateHead(app, gate), { gate, edited, structure, ...changes }),
          status,
        });
        const refusal = lockedText(context, gate);
        if (refusal !== undefined) return render(stored.structure, { typed, refusal }, 409);
        if (typed.errors.size > 0) return render(stored.structure, { typed }, 400);
        try {
          if (posted.fields.get('do') !== 'save') {
            // Throws when the section of a place was deleted meanwhile, as saving would.
            orderQuestions(stored.structure, typed.places);
            return await render(stored.structure, { typed }, 200);
          }
          await editForm(app, { gate, edited, caller }, (structure) => ({
            next: orderQuestions(structure, typed.places),
            body: undefined,
          }));
          const [first] = typed.places.keys();
          const anchor = first === undefined ? '' : `#q-${first}`;
          return { location: `${withDone(questionsHref(gate.formId), 'ordered')}${anchor}` };
        } catch (error) {
          if (!(error instanceof Problem) || (error.status !== 400 && error.status !== 413)) throw error;
          const { structure } = await reloadEdited(app, gate.formId);
          // With 400, the section of a place was deleted meanwhile.
          const { refusal, status } = explainEdit(context, error, getQuestionsTexts(context).order.refused);
          return render(structure, { typed, refusal }, status);
        }
      },
    },
  },
});

/** The address of the page. */
const orderHref = (formId: string): string => `${questionsHref(formId)}/order`;

/** What was typed for a question; `sectionId`: the section with the typed number, if there was one. */
type TypedRow = { sectionId: string | undefined; section: string; number: string };

/**
 * What was posted: where questions are to be, where the page showed them at first, what was typed for those that are to be
 * elsewhere, and the controls in which that is no number.
 */
type TypedOrder = {
  places: Map<string, QuestionPlace>;
  shownPlaces: Map<string, QuestionPlace>;
  rows: Map<string, TypedRow>;
  errors: Set<string>;
};

const NUMBER = /^[1-9]\d{0,3}$/;

/**
 * Parses the posted form. Only questions whose place differs from the shown one are to move. Sections are numbered as the page
 * lists them: the field `sections` has their ids, so a number means the same section when somebody has moved sections since.
 */
function parseTypedOrder(fields: URLSearchParams): TypedOrder {
  const ids = (fields.get('sections') ?? '').split(' ');
  const [places, shownPlaces] = [new Map<string, QuestionPlace>(), new Map<string, QuestionPlace>()];
  const [rows, errors] = [new Map<string, TypedRow>(), new Set<string>()];
  for (const [name, value] of fields) {
    if (!name.startsWith('was.')) continue;
    const id = name.slice('was.'.length);
    const [section, number] = ['s', 'n'].map((field) => (fields.get(`${field}.${id}`) ?? '').trim()) as [
      string,
      string,
    ];
    shownPlaces.set(id, readPlace(ids, value));
    if (`${section}:${number}` === value) continue;
    const sectionId = NUMBER.test(section) ? ids[Number(section) - 1] : undefined;
    rows.set(id, { sectionId, section, number });
    if (!sectionId) errors.add(`s-${id}`);
    if (!NUMBER.test(number)) errors.add(`n-${id}`);
    else if (sectionId) places.set(id, { sectionId, number: Number(number) });
  }
  return { places, shownPlaces, rows, errors };
}

function readPlace(ids: readonly string[], text: string): QuestionPlace {
  const [section = '', number = ''] = text.split(':');
  return { sectionId: ids[Number(section) - 1] ?? '', number: Number(number) };
}

/** The controls of a typed order with an error: no number, or that of a section which was deleted since. */
function findErrors({ sections }: Structure, { rows, errors }: TypedOrder): Set<string> {
  const found = new Set<string>();
  // A question that was deleted since is not on the page.
  for (const { id } of sections.flatMap(({ questions }) => questions)) {
    const row = rows.get(id);
    if (row && !sections.some((section) => section.id === row.sectionId)) found.add(`s-${id}`);
    if (errors.has(`n-${id}`)) found.add(`n-${id}`);
  }
  return found;
}

type OrderPage = {
  gate: Gate;
  /** What is stored now, and that with the typed order. */
  structure: Structure;
  edited: LiveAndChanges;
  typed?: TypedOrder;
  refusal?: string;
};

/** Renders the page: the questions in their new order, once one was typed. Enter in a field shows that order, and stores nothing. */
function renderOrderPage(context: PageContext, head: FormHead, page: OrderPage): Html {
  const { order: texts, list } = getQuestionsTexts(context);
  const { gate, structure, edited, typed, refusal } = page;
  const errors = typed ? findErrors(structure, typed) : new Set<string>();
  const messageFor = (control: string): string | undefined =>
    errors.has(control)
      ? control.startsWith('s-')
        ? texts.sectionInvalid(sections.length)
        : texts.invalid
      : undefined;
  const places = typed && errors.size === 0 ? typed.places : new Map<string, QuestionPlace>();
  const ordered = orderQuestions(structure, places);
  const isChanged = ordered !== structure;
  const shownPlaces = typed?.shownPlaces ?? listPlaces(structure);
  const sections = sectionsInOrder(structure).map(({ id }, index) => ({
    id,
    number: index + 1,
    title: sectionTitle(structure, id) || list.untitled,
  }));
  const findNumber = (sectionId: string): number | '' => sections.find(({ id }) => id === sectionId)?.number ?? '';
  const summary = [...errors].map((target) => ({ target, message: messageFor(target) ?? '' }));
  const input = (field: 's' | 'n', id: string, value: number | string, label: string): Html => {
    const control = `${field}-${id}`;
    return html`<input class="short" type="text" inputmode="numeric" name="${field}.${id}" value="${value}" aria-label="${label}"${attribute('id', errors.has(control) && control)}${attribute('aria-describedby', errors.has(control) && `${control}-error`)} autocomplete="off">`;
  };
  const row = (title: string, id: string, place: QuestionPlace): Html => {
    const shown = shownPlaces.get(id);
    const was = shown && findNumber(shown.sectionId) !== '' ? shown : place;
    // With errors nothing is moved yet: what was typed stays, for the sections as they are numbered now.
    const typedRow = errors.size > 0 ? typed?.rows.get(id) : undefined;
    const { sectionId, number } = typedRow ?? (errors.size > 0 ? was : place);
    return html`<li><button type="button" class="quiet handle" data-handle hidden aria-label="${texts.handle(title)}">${icon('handle')}</button><div class="row-text"><h3 dir="auto">${title}</h3>${['s', 'n'].map((field) => fieldError(context, `${field}-${id}`, messageFor(`${field}-${id}`)))}</div><div class="row-side">
${hiddenFields({ [`was.${id}`]: `${findNumber(was.sectionId)}:${was.number}` })}
<span class="muted small" aria-hidden="true">${texts.sectionLabel}</span>${input('s', id, sectionId === undefined ? (typedRow?.section ?? '') : findNumber(sectionId), texts.section(title))}
<span class="muted small" aria-hidden="true">${texts.numberLabel}</span>${input('n', id, number, texts.number(title))}</div></li>`;
  };
  const current = listPlaces(ordered);
  return builderLayout(context, head, {
    current: 'edit',
    title: pageTitle(context, texts.title, summary.length > 0),
    main: html`${errorSummary(context, summary)}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${questionsHref(gate.formId)}">${list.title}</a></p>
<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${changesNotice(context, head, { gate, edited })}
${isChanged && html`<div class="notice info" role="status"><p>${texts.preview}</p></div>`}
<form method="post" action="${orderHref(gate.formId)}" novalidate data-order="${texts.moved}">
<button class="visually-hidden" name="do" value="show" tabindex="-1" aria-hidden="true">${texts.show}</button>${hiddenFields({ sections: sections.map(({ id }) => id).join(' ') })}
${sections.map(({ id, number, title }) => {
  const questions = ordered.sections.find((section) => section.id === id)?.questions ?? [];
  return html`<div class="section-heading" role="group" aria-label="${title}"><h2>${number}. <bdi>${title}</bdi></h2>
${questions.length === 0 && html`<p class="muted">${list.noQuestions}</p>`}
<ol class="rows order dense" data-section="${number}">${questions.map((question) => row(question.title, question.id, current.get(question.id) ?? { sectionId: id, number: 1 }))}</ol></div>`;
})}
<p class="actions"><button name="do" value="save">${texts.save}</button><button class="secondary" name="do" value="show">${texts.show}</button></p>
</form>`,
  });
}
