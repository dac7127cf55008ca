/** The page of a section: its questions in one form that works without scripts. */
import type { Gate } from '#core/forms/gate.ts';
import type { Problem } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { renderHtml } from '#core/rich-text/html.ts';
import type { RichText } from '#core/rich-text/model.ts';
import { controlId, type Field } from '../fields/control.ts';
import { FIELDS } from '../fields/fields.ts';
import { groupRows, renderFields } from '../fields/grid.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { problemText } from '../shell/problem.ts';
import { describeClosed } from './closed.ts';
import { keptNotice, type PageSection } from './navigation.ts';

type SectionPage = {
  gate: Gate;
  response: Response;
  section: PageSection;
  description: RichText | null;
  fields: readonly Field[];
  /** The reader came from the list of all answers and returns there. */
  fromCheck: boolean;
  /** Why nothing could be saved, with the titles of questions in other sections that would have to be answered too. */
  refused?: { problem: Problem; missingInOtherSections: readonly string[] } | undefined;
  /** The texts that were typed into questions that were removed from the section. */
  removedTexts?: readonly string[];
  /** The provider of an account did not confirm who the respondent is. */
  connectionFailed?: boolean;
  /** Whether the values of a prefilled link were answers. */
  prefilled?: 'all' | 'some' | 'none' | undefined;
  /** Whether an edit of the submitted response waits until it is sent. */
  pending?: boolean;
  preview?: Preview | undefined;
};

/** What a page of respondents has when the form is only tried: where it posts to, with which fields, and a banner. */
export type Preview = { action: string; fields: Readonly<Record<string, string>>; banner: Html };

const FORM_ID = 'answers';

/** Renders a section with the controls of its questions, and with errors if the posted answers were refused. */
export function renderSectionPage(context: PageContext, data: SectionPage): Html {
  const { gate, response, section, description, fields, preview } = data;
  const { t } = context;
  const errors = fields.flatMap(({ question, error }) =>
    error === undefined ? [] : [{ target: controlId(question), message: `${question.title} – ${error}` }],
  );
  const title = section.title === '' ? gate.title : section.title;
  const isOneQuestion = gate.layout === 'ONE_QUESTION' && groupRows(fields).length > 1;
  const hasFiles = fields.some(({ question }) => FIELDS[question.type].sendsFiles);
  const oneQuestion = attribute('data-one-question', isOneQuestion && JSON.stringify(t.section.oneQuestion));
  return layout(context, {
    title: pageTitle(context, `${title} · ${gate.title}`, errors.length > 0),
    dressing: gate.dressing,
    kind: FORM_KIND,
    languageForm: FORM_ID,
    isAnswering: !preview,
    isOneQuestion,
    main: html`${preview?.banner}${progressBar(context, data)}
${
  preview
    ? html`<form id="${FORM_ID}" method="post" action="${preview.action}" novalidate data-disposable${oneQuestion}>${hiddenFields(preview.fields)}`
    : html`${keptNotice(context)}
<form id="${FORM_ID}" method="post" action="/r/${response.id}/s/${section.id}"${attribute('enctype', hasFiles && 'multipart/form-data')} data-autosave data-error-prefix="${t.errors.prefix}" data-owner="${response.userId}" data-title="${title} · ${gate.title}" data-texts="${JSON.stringify(t.scripts)}"${oneQuestion}>`
}
${data.fromCheck && html`<input type="hidden" name="from" value="check">`}
${refusalNotice(context, data)}
${errorSummary(context, errors)}
${data.removedTexts?.length ? removedNotice(context, data.removedTexts) : undefined}
${data.prefilled && html`<div class="notice${data.prefilled !== 'all' && ' warning'}" role="status"><p>${t.section.prefilled[data.prefilled]}</p></div>`}
${data.connectionFailed && notice(t.section.connectionFailed.title, html`<p>${t.section.connectionFailed.detail}</p>`)}
${response.progress === 'SUBMITTED' && !preview && editingNotice(context, data)}
<h1 dir="auto">${title}</h1>
${description !== null && html`<div class="prose section-description" dir="auto">${trusted(renderHtml(description))}</div>`}
${isOneQuestion && html`<p class="muted" data-question-step hidden></p>`}
${renderFields(context, fields)}
${fields.length === 0 && html`<p class="muted">${t.section.noQuestions}</p>`}
${actionButtons(context, data, isOneQuestion)}
</form>`,
  });
}

/** Says when changes of a submitted response count; the scripts show that they wait once they do. */
const editingNotice = ({ t }: PageContext, { response, pending, refused }: SectionPage): Html =>
  html`${!pending && !refused && html`<div class="notice" data-edited><p>${t.section.editing}</p></div>`}
<div class="notice warning" data-pending${attribute('hidden', !pending)}><p>${t.pendingEdit.notice}</p><p><a href="/r/${response.id}/change">${t.pendingEdit.link}</a></p></div>`;

/** Renders the position in the form and the state of saving. */
function progressBar({ t }: PageContext, { gate, section }: SectionPage): Html {
  const { position, count } = section;
  return html`<div class="progress">
<p class="progress-text"><a href="/f/${gate.formId}" dir="auto">${gate.title}</a> <span class="muted">${t.section.step(section)}</span></p>
<p class="save-state" data-save-state></p>
<progress class="progress-bar" max="${count}" value="${position - 1}" aria-hidden="true"></progress>
</div>`;
}

/** Renders the buttons; with `isOneQuestion` also those that lead to other questions, which need scripts. */
function actionButtons(
  { t }: PageContext,
  { response, fromCheck, pending, preview }: SectionPage,
  isOneQuestion: boolean,
): Html {
  const isSubmitted = response.progress === 'SUBMITTED';
  const returns = !pending && (fromCheck || isSubmitted);
  return html`<div class="actions section-actions"${attribute('data-returns', returns)}>
<button class="large" name="do" value="next">${returns ? t.section.saveAndReturn : t.shell.continue}</button>
${isOneQuestion && html`<button type="button" class="large${returns && ' secondary'}" data-next-question hidden>${t.section.nextQuestion}</button><button type="button" class="secondary large" data-previous-question hidden>${t.shell.back}</button>`}
<button class="secondary large" name="do" value="back">${t.shell.back}</button>
${!isSubmitted && !preview && html`<button class="quiet" name="do" value="save">${t.section.saveForLater}</button>`}
</div>
${!preview && response.progress === 'DRAFT' && html`<p class="muted small">${t.section.readers}</p>`}`;
}

/**
 * Renders why the answers were not saved, with a link to where the stored ones can be read and, for a submitted response,
 * how to withdraw it.
 */
function refusalNotice(context: PageContext, { refused, response, gate }: SectionPage): Html | undefined {
  if (!refused) return undefined;
  const { problem, missingInOtherSections } = refused;
  const { done, section } = context.t;
  const closed = problem.code === 'form_not_open' ? describeClosed(context, gate) : undefined;
  if (problem.code === 'content_too_large')
    return notice(section.answersTooLong.title, html`<p>${section.answersTooLong.detail}</p>`);
  const { title, detail } = closed ?? problemText(context, problem);
  const isIncomplete = problem.code === 'response_incomplete';
  return notice(
    title,
    html`<p>${detail}</p>
${missingInOtherSections.length > 0 && html`<p>${section.missingElsewhere}</p><ul class="plain-list">${missingInOtherSections.map((questionTitle) => html`<li dir="auto">${questionTitle}</li>`)}</ul>`}
${
  isIncomplete
    ? html`<p><a href="/r/${response.id}/withdraw">${done.cancel}</a></p>`
    : html`<p>${section.notSaved} <a href="/f/${gate.formId}">${section.ownResponses}</a></p>`
}`,
  );
}

/** Renders texts that were typed into removed questions, to copy; the next press continues without them. */
const removedNotice = ({ t }: PageContext, texts: readonly string[]): Html =>
  html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${t.section.removedQuestion}</p>
${texts.map((text) => html`<blockquote class="pre-line" dir="auto">${text}</blockquote>`)}</div>`;

const notice = (title: string, detail: Html): Html =>
  html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary data-problem><h2>${title}</h2>${detail}</div>`;
