/** Shows all answers before they are submitted. */
import type { Ports } from '#core/db/ports.ts';
import { isOpen } from '#core/forms/gate.ts';
import { loadForm } from '#core/forms/store.ts';
import { answerLookup, findMissing, findPath, followPath, type Missing } from '#core/responses/answers.ts';
import type { OpenedResponse } from '#core/responses/change.ts';
import { loadPlacesLeft } from '#core/responses/places-left.ts';
import { listAnsweredSections } from '#core/responses/preview.ts';
import { openResponseToShow } from '#core/responses/show.ts';
import { isIds } from '#core/structure/types/content.ts';
import { judgedText } from '../fields/judged.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, type FieldError, pageTitle } from '../shell/controls.ts';
import { owner } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { answerList, type CheckPage } from './check.ts';
import { describeClosed } from './closed.ts';
import { fullMessage } from './landing.ts';
import { keptNotice, questionFragment } from './navigation.ts';

export const page = definePage({
  name: 'check',
  audience: 'respondents',
  path: '/r/{responseId}/check',
  access: owner,
  needs: ['table:read'],
  open: openResponseToShow,
  show: async ({ app, opened, query, context }) => {
    const { gate, response } = opened;
    if (response.progress === 'SUBMITTED') return { location: `/r/${response.id}/done` };
    const sections = listAnsweredSections(opened);
    const isClosed = !isOpen(gate, context.now);
    const missing = isClosed ? [] : findMissing(opened);
    const full = isClosed ? undefined : await findFull(app, opened);
    const wasSubmitted = query.has('missing');
    const wasTooLate = query.has('late');
    const wasWithdrawn = query.get('done') === 'withdrawn';
    const lastSectionId = findPath(opened).at(-1);
    const state = { isClosed, wasSubmitted, wasTooLate, wasWithdrawn, full, wasFull: query.has('full') };
    const back =
      lastSectionId === undefined || isClosed
        ? undefined
        : `/r/${response.id}/s/${lastSectionId}${questionFragment(opened, lastSectionId, 'last')}`;
    const html = renderCheckPage(context, { gate, response, sections, missing, back, ...state });
    // Going back after the submit loads the page again, which leads to the submitted response.
    return { html, headers: { 'cache-control': 'no-store' } };
  },
});

/** Renders all answers of a draft, with what is missing, for its respondent to submit. */
function renderCheckPage(context: PageContext, data: CheckPage): Html {
  const { gate, response, sections, missing, isClosed, wasSubmitted, back } = data;
  const { check, shell } = context.t;
  const errors = missing.map((found) => toError(context, found));
  return layout(context, {
    title: pageTitle(context, `${check.title} · ${gate.title}`, errors.length > 0 && wasSubmitted),
    dressing: gate.dressing,
    kind: FORM_KIND,
    isAnswering: true,
    main: html`<p class="progress-text"><a href="/f/${gate.formId}" dir="auto">${gate.title}</a></p>
${back !== undefined && html`<p><a class="back" href="${back}">${shell.back}</a></p>`}
${data.wasWithdrawn && withdrawnNotice(context)}
${keptNotice(context)}
${wasSubmitted && errorSummary(context, errors)}
<h1>${check.title}</h1>
${isClosed ? closedNotice(context, data) : html`<p class="lead">${check.lead}</p>`}
${!wasSubmitted && missingNotice(context, missing)}
${fullNotice(context, data)}
${answerList(context, { response, sections, missing, mayChange: !isClosed, headingLevel: 2 })}
${!isClosed && html`<p class="hint submit-hint">${gate.allowEditResponse ? check.thenEdit : check.thenFinal}</p><form method="post" action="/r/${response.id}/submit" data-once><input type="hidden" name="timeZone" data-own-zone><div class="actions section-actions"><button class="large">${check.submit}</button></div></form>`}
<p><a class="button quiet" href="/r/${response.id}/delete">${context.t.draftDeletion.link}</a></p>`,
  });
}

/** Says that the response was withdrawn and still has to be submitted again. */
const withdrawnNotice = ({ t }: PageContext): Html =>
  html`<div class="notice" role="status"><h2>${t.withdrawal.done}</h2><p>${t.withdrawal.doneDetail}</p></div>`;

function closedNotice(context: PageContext, { gate, wasTooLate }: CheckPage): Html | undefined {
  const { check, section } = context.t;
  const closed = describeClosed(context, gate);
  if (!closed) return undefined;
  const { title, detail } = closed;
  const kept = html`<p>${check.kept} <a href="/f/${gate.formId}">${section.ownResponses}</a></p>`;
  return wasTooLate
    ? html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><h2>${check.tooLate}</h2><p>${title}. ${detail}</p>${kept}</div>`
    : html`<div class="notice"><h2>${title}</h2><p>${detail}</p>${kept}</div>`;
}

/** Finds what of a draft has no place left: the form, with what its authors say then, or the choices of some questions. */
async function findFull(app: Pick<Ports, 'table'>, opened: OpenedResponse): Promise<CheckPage['full']> {
  const { form: left, choices } = await loadPlacesLeft(app, opened);
  const questions = [...followPath(opened).questions.values()].filter(({ id, choices: own = [] }) => {
    const { value } = answerLookup(opened.response.answers)(id) ?? {};
    return own.some((choice) => choices.get(choice.id) === 0 && isIds(value) && value.includes(choice.id));
  });
  return { form: left === 0 ? await loadForm(app.table, opened.gate.formId) : undefined, questions };
}

/** Says what has no place left, or after a refused submission that there is one again. */
function fullNotice(context: PageContext, { full, wasFull }: CheckPage): Html | undefined {
  const { check, landing } = context.t;
  if (!full) return undefined;
  const { form, questions } = full;
  const mark = wasFull && html` role="alert" tabindex="-1" data-error-summary`;
  if (form) return html`<div class="notice warning"${mark}><h2>${landing.full}</h2>${fullMessage(context, form)}</div>`;
  if (questions.length > 0)
    return html`<div class="notice warning"${mark}><h2>${check.incomplete(questions.length)}</h2><ul>${questions.map(({ id, title }) => html`<li><a href="#a-${id}">${title} – ${check.fullChoice}</a></li>`)}</ul></div>`;
  return wasFull ? html`<div class="notice"${mark}><p>${check.freeAgain}</p></div>` : undefined;
}

const toError = (context: PageContext, found: Missing): FieldError => ({
  target: found.question ? `a-${found.question.id}` : 'main',
  message: missingText(context, found),
});

/** Says before the submit which questions need an answer, and that the form is faulty if none can help that. */
function missingNotice(context: PageContext, missing: readonly Missing[]): Html {
  const { check } = context.t;
  const errors = missing.filter(({ question }) => question).map((found) => toError(context, found));
  return html`${errors.length > 0 && html`<div class="notice"><h2>${check.incomplete(errors.length)}</h2><ul>${errors.map(({ target, message }) => html`<li><a href="#${target}">${message}</a></li>`)}</ul></div>`}
${errors.length < missing.length && html`<div class="notice warning"><h2>${check.faultyTitle}</h2><p>${check.faulty}</p></div>`}`;
}

function missingText(context: PageContext, { question, fault }: Missing): string {
  const { t } = context;
  if (!question) return t.check.faulty;
  if (fault.code === 'other_text_required') return `${question.title} – ${t.section.required.otherText}`;
  const invalid = judgedText(context, fault) ?? t.check.invalid;
  return `${question.title} – ${fault.code === 'required' ? t.check.unanswered : invalid}`;
}
