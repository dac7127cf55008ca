/** A submitted response: the closing message, what happens next, the answers, and how they can be changed. */
import type { Gate } from '#core/forms/gate.ts';
import type { Response } from '#core/responses/model.ts';
import type { ResponseSection } from '#core/responses/preview.ts';
import type { Recall } from '#core/responses/recall.ts';
import { formatReference } from '#core/responses/reference.ts';
import { splitAtLinks } from '#core/schema/links.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { answerList } from './check.ts';
import { guestSection } from './guest-link.ts';
import { keptNotice } from './navigation.ts';
import type { Preview } from './section.ts';

type DonePage = {
  gate: Gate;
  response: Response;
  sections: readonly ResponseSection[];
  /** The closing message of the form, empty for none; `recall` puts the answers into it. */
  message: string;
  recall: Recall;
  /** The address to which a copy is sent; undefined when none is. */
  mailTo: string | undefined;
  /** The address to which a guest gets a confirmation. */
  confirmTo?: string | undefined;
  mayEdit: boolean;
  mayCancel: boolean;
  /** The reader comes from a section of the submitted response. */
  wasEdited: boolean;
  /** The reader has just discarded an edit that was not sent. */
  wasDiscarded?: boolean;
  /** An edit of the response waits until it is sent. */
  pending?: boolean;
  /** The path of the link with which a guest finds the answers again. */
  link?: string | undefined;
  /** The address of a guest, if it is known. */
  email?: string | undefined;
  preview?: Preview;
};

/** Renders a submitted response, and what its respondent can still do with it. */
export function renderDonePage(context: PageContext, data: DonePage): Html {
  const { gate, response, sections, message, mayEdit, preview } = data;
  const { done } = context.t;
  const { submittedAt, updatedAt } = response;
  const changedAt = wasChanged(response) ? updatedAt : undefined;
  const title = data.wasEdited && changedAt !== undefined ? done.changedTitle : done.title;
  return layout(context, {
    title: `${title} · ${gate.title}`,
    dressing: gate.dressing,
    kind: FORM_KIND,
    isAnswering: !preview,
    main: html`${preview?.banner}<p class="progress-text"><a href="${preview?.action ?? `/f/${gate.formId}`}" dir="auto">${gate.title}</a></p>
${!preview && keptNotice(context)}
${data.wasDiscarded && html`<div class="notice" role="status"><p>${context.t.pendingEdit.discarded}</p></div>`}
${data.pending && html`<div class="notice warning"><h2>${context.t.pendingEdit.title}</h2><p>${context.t.pendingEdit.notice}</p><p><a href="/r/${response.id}/change">${context.t.pendingEdit.link}</a></p></div>`}
<div class="card done"><span class="done-mark" aria-hidden="true"></span>
<h1>${title}</h1>
${message !== '' && html`<p class="lead pre-line" dir="auto">${splitAtLinks(message).map(({ text, href }) => (href === undefined ? data.recall(text) : html`<a href="${href}" rel="noopener">${text}</a>`))}</p>`}
<p>${done.submitted} ${renderTime(context, submittedAt ?? updatedAt)}${changedAt !== undefined && html`<br>${done.changed} ${renderTime(context, changedAt)}`}</p>
<p>${done.reference} <strong class="reference">${formatReference(response.id)}</strong></p>
</div>
${nextSteps(context, data)}
<h2 class="section-heading">${done.answers}</h2>
${answerList(context, { response, sections, missing: [], mayChange: mayEdit && !preview, headingLevel: 3 })}
${data.link !== undefined && guestSection(context, { formId: gate.formId, link: data.link, email: data.email })}`,
  });
}

function nextSteps(context: PageContext, data: DonePage): Html {
  const { response, mailTo, confirmTo, mayEdit, mayCancel, preview } = data;
  const { done, shell } = context.t;
  const steps = [
    confirmTo !== undefined
      ? done.confirmation(confirmTo)
      : mailTo === undefined
        ? done.noMail
        : wasChanged(response)
          ? done.mailedOnce
          : done.mail(mailTo),
    mayEdit ? done.editHint : mayCancel ? done.cancelHint : done.finalHint,
  ];
  return html`<section class="next-steps"><h2>${done.next}</h2>
<ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>
<div class="actions">${!context.isGuest && html`<a class="button" href="/">${shell.home}</a>`}
<button type="button" class="quiet" hidden data-print>${done.print}</button>
${mayCancel && !preview && html`<a class="button quiet" href="/r/${response.id}/withdraw">${done.cancel}</a>`}</div>
</section>`;
}

/** Whether a response was changed since it was submitted: the copy was of the answers of then. */
const wasChanged = ({ submittedAt, updatedAt }: Response): boolean => submittedAt !== null && updatedAt > submittedAt;
