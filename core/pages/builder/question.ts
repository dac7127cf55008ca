/** The page of a question, new or stored, and the page on which its choices are edited as text. */
import type { Gate } from '#core/forms/gate.ts';
import { requireFound } from '#core/problems/problems.ts';
import { sectionsInOrder } from '#core/structure/path.ts';
import type { Question } from '#core/structure/question-model.ts';
import { listAloneQuestions, listGateQuestions } from '#core/structure/rules.ts';
import { findQuestion, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { isChoiceType } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import {
  conflictNotice,
  copyButton,
  enterSaves,
  errorSummary,
  fieldGroup,
  hiddenFields,
  type Overwritten,
  pageTitle,
  selectField,
} from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { renderEach, renderFields } from '../shell/typed-fields.ts';
import { seenHash } from '../shell/typed-form.ts';
import { getEditorTexts } from '../text/editor.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { sourceField } from './choice-rows.ts';
import { hashQuestion } from './content-hash.ts';
import { listEarlierNames } from './earlier-names.ts';
import { renderQuestionParts } from './editor.ts';
import { builderLayout } from './frame.ts';
import { CONFIRMED_FORM, type Losses, lossNotice } from './losses.ts';
import { openedRow, rowTool } from './opened-row.ts';
import { QUESTION, type QuestionErrors, showQuestion, type TypedQuestion } from './question-fields.ts';
import type { QuestionTarget } from './question-target.ts';
import { questionHref, questionsHref, sectionHref } from './questions.ts';

type QuestionPage = {
  gate: Gate;
  target: QuestionTarget;
  typed: TypedQuestion;
  errors?: QuestionErrors;
  /** The index of the choice that takes the focus. */
  focus?: number | undefined;
  /** What saving would lose, and what confirms that. */
  losses?: Losses;
  confirmed?: string;
  /** The hash of the posted form that is shown again. */
  seen?: string | null;
  overwritten?: readonly Overwritten[];
  refusal?: string | undefined;
};

/** The page of a stored question. */
export type StoredQuestionPage = QuestionPage & { question: Question };
/**
 * `deletedSectionId`: the section for which it was made, if it was deleted; another one is chosen. `after`: the question behind
 * which it is stored, if that is not the last one.
 */
export type NewQuestionPage = QuestionPage & {
  newId: string;
  deletedSectionId?: string | undefined;
  after?: string | undefined;
};

const listErrors = (errors: QuestionErrors) => Object.entries(errors).map(([target, message]) => ({ target, message }));

/** Renders the page of a question: a stored one, or a new one that is stored when it is saved. */
export function renderQuestionPage(
  context: PageContext,
  head: FormHead,
  page: StoredQuestionPage | NewQuestionPage,
): Html {
  const { edit: texts, types, list, create } = getQuestionsTexts(context);
  const { gate, target, typed, errors = {}, overwritten = [], refusal, focus, losses } = page;
  const { sectionId, type } = target;
  const stored: QuestionTarget = { ...target, focus };
  const isStored = 'question' in page;
  const deletedSectionId = isStored ? undefined : page.deletedSectionId;
  const { href, hidden } = describeForm(page);
  const title = isStored ? texts.title(types[type]) : `${create.title}: ${types[type]}`;
  // Enter in a field saves: the first button is that one, out of sight.
  const form = html`<form method="post" action="${href}" id="${CONFIRMED_FORM}" class="card" data-once>
${enterSaves(context)}${hiddenFields(hidden)}
${deletedSectionId !== undefined && sectionField(context, target)}
${renderFields(context, MAIN_FIELDS, { typed, stored, errors, action: href })}${optionFields(context, gate.formId, { typed, stored, errors, action: href })}<p class="actions"><button name="do" value="save">${texts.save}</button>${
    isStored
      ? isChoiceType(page.question.type) &&
        page.question.sourceId === undefined &&
        html`<a class="button secondary" href="${href}/choices">${texts.paste}</a>`
      : html`<button class="secondary" name="do" value="another">${texts.another}</button>`
  }</p>
</form>`;
  return builderLayout(context, head, {
    current: 'edit',
    title: pageTitle(context, title, Object.keys(errors).length > 0),
    main: html`${errorSummary(context, listErrors(errors))}
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${losses && lossNotice(context, losses)}
${overwritten.length > 0 && conflictNotice(context, { values: overwritten, reload: href })}
<p><a class="back" href="${questionsHref(gate.formId)}#${isStored ? `q-${page.question.id}` : `s-${sectionId}`}">${list.title}</a></p>
<h1>${title}</h1>
${form}
${isStored && placeForm(context, { href, structure: target.structure, question: page.question })}
${isStored && html`<p class="actions section-heading"><a class="button danger" href="${href}/delete" data-dialog>${texts.remove}</a></p>`}`,
  });
}

/**
 * Renders the fields of a question that is opened in place, in the editor: those of its page. What its type offers stands beside
 * what is typed, where there is room.
 */
export function renderQuestionFields(context: PageContext, page: StoredQuestionPage | NewQuestionPage): Html {
  const { edit } = getQuestionsTexts(context);
  const texts = getEditorTexts(context);
  const { gate, target, typed, errors = {}, overwritten, refusal, losses } = page;
  const { href, hidden } = describeForm(page);
  const fields = renderEach(context, MAIN_FIELDS, { typed, stored: target, errors, action: href });
  const { title, description, required, type, choices, ...ofType } = fields;
  const question = 'question' in page ? page.question : undefined;
  return openedRow(context, {
    ...{ href, hidden, overwritten, refusal },
    losses: losses && lossNotice(context, losses),
    fields: html`<div class="canvas-fields"><div>
${'newId' in page && page.deletedSectionId !== undefined && sectionField(context, target)}
${title}
${choices}
<details class="field"${attribute('open', typed.description !== '' || errors.description !== undefined)}><summary>${texts.description}</summary>${description}</details>
<div class="canvas-row">${required}${type}</div></div>
<div class="canvas-options">${Object.values(ofType)}
${optionFields(context, gate.formId, { typed, stored: target, errors, action: href })}</div></div>`,
    tools: question
      ? html`${rowTool(`copy:${question.id}`, texts.copy)}${rowTool(`up:${question.id}`, texts.up, 'up')}${rowTool(`down:${question.id}`, texts.down, 'down')}
<a class="button quiet" href="${href}/delete" data-dialog>${texts.remove}<span class="visually-hidden"> ${question.title}</span></a>
${isChoiceType(question.type) && question.sourceId === undefined && html`<a class="button quiet" href="${href}/choices">${edit.paste}</a>`}
<a class="button quiet" href="${href}">${texts.page}</a>${copyButton(context, { text: `${context.publicUrl}${href}`, label: texts.copyLink, tone: 'quiet' })}`
      : html`<button type="button" class="quiet" data-discard>${texts.remove}</button>`,
  });
}

/** Renders a stored question as the editor has it: opened in its row, and its line in the outline. */
export function renderQuestionPart(context: PageContext, page: StoredQuestionPage): Html {
  const { gate, target, question } = page;
  const edited = { formId: gate.formId, structure: target.structure, isEditable: true };
  const { section } = requireFound(findQuestion(target.structure, question.id));
  return renderQuestionParts(context, edited, { section, question }, renderQuestionFields(context, page));
}

/** Like `renderQuestionPart`, with the fields as they are stored. Throws 404 for an unknown question. */
export function renderStoredPart(
  context: PageContext,
  {
    gate,
    structure,
    questionId,
    isAnswered,
  }: { gate: Gate; structure: Structure; questionId: string; isAnswered: boolean },
): Html {
  const { section, question } = requireFound(findQuestion(structure, questionId));
  const target = { structure, sectionId: section.id, question, type: question.type, isAnswered };
  return renderQuestionPart(context, { gate, target, typed: showQuestion(context, target), question });
}

/** Where the form of a question is posted, and its hidden fields. */
function describeForm(page: StoredQuestionPage | NewQuestionPage): { href: string; hidden: Record<string, string> } {
  const { gate, target, confirmed } = page;
  if ('question' in page) {
    const hash = seenHash(hashQuestion(page.question), page);
    const hidden = { hash, section: target.sectionId, ...(confirmed !== undefined && { confirmed }) };
    return { href: questionHref(gate.formId, page.question.id), hidden };
  }
  const { newId, after, deletedSectionId = target.sectionId } = page;
  const hidden = { id: newId, ...(after !== undefined && { after }) };
  return { href: `${sectionHref(gate.formId, deletedSectionId)}/new`, hidden };
}

/** What few questions need, and what all have. */
const { text, selection, shuffle, grid, hidden, name, ...MAIN_FIELDS } = QUESTION;
const OPTIONS = { text, selection, shuffle, grid, hidden, name };

/**
 * Renders what few questions need, of what the type of this one has, in groups; folded while nothing of it is set. Scripts unfold
 * it where it is beside the question.
 */
function optionFields(
  context: PageContext,
  formId: string,
  page: { typed: TypedQuestion; stored: QuestionTarget; errors: QuestionErrors; action: string },
): Html {
  const { typed, stored, errors, action } = page;
  const { structure, sectionId } = stored;
  const { edit: texts } = getQuestionsTexts(context);
  const isSet = [...Object.entries(typed), ['source', typed.choices?.sourceId] as const].some(([field, value]) => {
    if (field !== 'source' && !Object.hasOwn(OPTIONS, field)) return false;
    return typeof value === 'object' ? Object.values(value).some(Boolean) : Boolean(value);
  });
  const hasError = Object.keys(errors).some(
    (id) => id === 'sourceId' || Object.hasOwn(OPTIONS, id.split('-')[0] ?? ''),
  );
  const fields = renderEach(context, OPTIONS, page);
  const display = [fields.shuffle, fields.grid, fields.hidden].filter((field) => field !== undefined);
  const source =
    typed.choices && sourceField(context, { typed: typed.choices, target: stored, action, error: errors.sourceId });
  const { question } = stored;
  const rulesHref = `${sectionHref(formId, sectionId)}/rules`;
  const isGateable = listGateQuestions(structure, sectionId).length > 0;
  const isDivisible = question !== undefined && listAloneQuestions(structure, question.id).length > 0;
  const group = (id: string, label: string, content: Html): Html =>
    fieldGroup(context, { name: id, id, label }, content);
  return html`<details class="field options"${attribute('open', isSet || hasError)}><summary>${texts.more.title}</summary>
${fields.text}${fields.selection}
${source}
${display.length > 0 && group('display', texts.more.display, html`${display}`)}
${
  (isGateable || isDivisible) &&
  group(
    'shown',
    texts.more.shown,
    html`${isGateable && html`<p><a class="button secondary" href="${rulesHref}#gate" data-rule="show">${texts.more.showSection}</a></p>`}
${isDivisible && html`<p><a class="button secondary" href="${rulesHref}?own=${question.id}" data-rule="own">${texts.more.ownSection}</a></p><p class="hint">${texts.more.ownSectionHint}</p>`}`,
  )
}
${group('names', texts.more.names, html`${fields.name}${listEarlierNames(context, structure, sectionId)}`)}</details>`;
}

/** Renders the choice of a section in place of one that was deleted. */
function sectionField(context: PageContext, { structure, sectionId }: QuestionTarget): Html {
  const { section, list } = getQuestionsTexts(context);
  const options = sectionsInOrder(structure).map(({ id }) => ({
    value: id,
    label: sectionTitle(structure, id) || list.untitled,
  }));
  return selectField(context, { name: 'section', label: section.title, value: sectionId, options });
}

/** Renders the form that moves a question: behind another one of any section, or first in it. */
function placeForm(
  context: PageContext,
  { href, structure, question }: { href: string; structure: Structure; question: Question },
): Html {
  const { edit: texts, list } = getQuestionsTexts(context);
  const groups = sectionsInOrder(structure).map((section) => {
    const title = sectionTitle(structure, section.id) || list.untitled;
    const otherQuestions = section.questions.filter(({ id }) => id !== question.id);
    const order = section.questions.findIndex(({ id }) => id === question.id);
    const current = order === -1 ? undefined : (section.questions[order - 1]?.id ?? '');
    const places = [
      { after: '', label: texts.first(title) },
      ...otherQuestions.map(({ id, title: name }) => ({ after: id, label: texts.after(name) })),
    ];
    return html`<optgroup label="${title}">${places.map(
      ({ after, label }) =>
        html`<option dir="auto" value="${section.id}:${after}"${attribute('selected', after === current)}>${label}</option>`,
    )}</optgroup>`;
  });
  return html`<form method="post" action="${href}" class="card section-heading" data-once>
<h2>${texts.moveTitle}</h2>
<div class="with-button"><div class="field"><label for="place">${texts.moveTo}</label><select id="place" name="place">${groups}</select></div>
<button class="secondary" name="do" value="move">${texts.move}</button></div>
</form>`;
}
