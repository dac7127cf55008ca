/** Shows a response to the members of the form's organization. */

import type { Caller, Role } from '#core/access/access.ts';
import { presentShortUser, type ShortUser } from '#core/accounts/model.ts';
import type { Ports } from '#core/db/ports.ts';
import { findPath } from '#core/responses/answers.ts';
import { type OpenedResponse, openResponse } from '#core/responses/change.ts';
import type { DeliveryStatus, DeliveryStatuses, DeliveryTarget } from '#core/responses/delivery-model.ts';
import type { Answer } from '#core/responses/model.ts';
import { listSectionsFor, loadResponseContext, type ResponseSection } from '#core/responses/preview.ts';
import { formatReference } from '#core/responses/reference.ts';
import { sectionTitle } from '#core/structure/structure.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import { findNeighbours, type Neighbour, type Neighbours } from '#core/table/neighbours.ts';
import { renderAnswer } from '../fields/answer-text.ts';
import { isPicture, pictureLink } from '../fields/reading.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { copyButton } from '../shell/controls.ts';
import { memberOfResponse } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { loadReviewHead, personName, reasonText, reviewLayout } from './header.ts';
import {
  buildListQuery,
  continuedHref,
  type ListAddress,
  listHref,
  parseListAddress,
  responseHref,
  toTableQuery,
} from './list-address.ts';

export const page = definePage({
  name: 'response',
  audience: 'reviewers',
  path: '/review/{formId}/r/{responseId}',
  access: memberOfResponse,
  needs: ['table:read', 'table:list'],
  open: openResponse,
  show: async ({ app, opened, caller, roles, query, context }) => {
    const address = parseListAddress(opened.gate.formId, query, context.timeZone);
    const [head, data] = await Promise.all([
      loadReviewHead(app, opened.gate),
      loadResponsePage(app, { opened, address, caller, roles }),
    ]);
    return { html: renderResponsePage(context, head, data) };
  },
});

/** Renders a response for reviewers, with its deliveries. */
function renderResponsePage(context: PageContext, head: FormHead, data: ResponsePage): Html {
  const { response } = getReviewTexts(context);
  const { opened, address, respondent, mayDelete } = data;
  const { gate } = opened;
  const name = personName(context, respondent);
  const sections = listSectionsFor(opened);
  const sectionsOnPath = sections.filter(({ progress }) => progress !== 'SKIPPED');
  const skipped = sections.filter(
    ({ progress, questions }) => progress === 'SKIPPED' && questions.some(({ answer }) => answer),
  );
  return reviewLayout(context, head, {
    current: 'table',
    title: response.title(name),
    width: 'wide',
    main: html`<div class="review-title"><h1>${response.title(name)}</h1>${neighbourLinks(context, data)}</div>
<p class="muted">${submission(context, data)}</p>
<div class="beside">
<div class="answers">${sectionsOnPath.map((section) => answeredSection(context, data, section))}
${
  skipped.length > 0 &&
  html`<details class="skipped"><summary>${response.skipped}</summary><p class="hint">${response.skippedHint}</p>${skipped.map((section) => answeredSection(context, data, section))}</details>`
}</div>
<aside class="review-aside" aria-label="${response.facts}">
${facts(context, data)}
${deliveries(context, data)}
${mayDelete && html`<p><a class="button danger" href="/review/${gate.formId}/r/${opened.response.id}/delete${buildListQuery(address)}">${response.delete}</a></p>`}
</aside></div>`,
  });
}

function submission(context: PageContext, { opened }: ResponsePage): Html {
  const { progress, submittedAt, updatedAt, structureVersion: version } = opened.response;
  const { formId } = opened.gate;
  const texts = getReviewTexts(context).response;
  // The form may have been changed since.
  const isEarlier = version !== undefined && version < opened.structure.version;
  const tone = progress === 'SUBMITTED' ? 'good' : 'active';
  return html`<span class="tag ${tone}">${texts.progress[progress]}</span> ${renderTime(context, submittedAt ?? updatedAt)}${
    isEarlier && html` · <a href="/build/${formId}/versions/${String(version)}">${texts.version}</a>`
  }`;
}

function neighbourLinks(context: PageContext, { opened, address, neighbours: { previous, next } }: ResponsePage): Html {
  const { response, back } = getReviewTexts(context);
  const link = (neighbour: Neighbour, rel: 'prev' | 'next'): Html | undefined => {
    if (!neighbour) return undefined;
    if ('id' in neighbour)
      return html`<a class="button quiet" rel="${rel}" href="${responseHref(address, neighbour.id)}">${rel === 'prev' ? response.previous : response.next}</a>`;
    return html`<a class="button quiet" href="${continuedHref(address, neighbour.continueAt, rel)}">${response.searchOn[rel]}</a>`;
  };
  return html`<nav class="neighbours" aria-label="${response.neighbours}"><a class="button quiet" href="${listHref(address)}">${back}</a>
${link(previous, 'prev')}${link(next, 'next')}
${copyButton(context, { text: `${context.publicUrl}/review/${opened.gate.formId}/r/${opened.response.id}`, label: response.copyLink, tone: 'quiet' })}
<button type="button" class="quiet" hidden data-print>${response.print}</button></nav>`;
}

function answeredSection(context: PageContext, { opened }: ResponsePage, { title, questions }: ResponseSection): Html {
  const { response, exports } = getReviewTexts(context);
  const removed = new Map(opened.structure.removed.map((question) => [question.id, question.title]));
  return html`<section><h2 dir="auto">${title || exports.noSection}</h2>
${questions.length === 0 && html`<p class="muted">${response.noQuestions}</p>`}
${
  questions.length > 0 &&
  html`<dl>${questions.map(({ question, answer }) => {
    const removedTitle = removed.get(question.id);
    return html`<div class="answer"><dt dir="auto">${removedTitle ?? question.title}${
      removedTitle !== undefined && html` <span class="tag">${response.removedTag}</span>`
    }</dt>
<dd>${answer ? html`${renderAnswer(context, question, answer)}${pictures(answer)}` : html`<span class="muted">${response.none}</span>`}</dd></div>`;
  })}</dl>`
}
</section>`;
}

function pictures(answer: Answer): Html | undefined {
  const files = attachedFiles(answer).filter(isPicture);
  return files.length === 0
    ? undefined
    : html`<p class="pictures">${files.map((file) => pictureLink(file, { width: 160, height: 120 }))}</p>`;
}

function facts(context: PageContext, { opened, respondent, path }: ResponsePage): Html {
  const { response } = getReviewTexts(context);
  const { id, createdAt, updatedAt, submittedAt } = opened.response;
  const fact = (name: string, value: Html | string): Html => html`<dt>${name}</dt><dd>${value}</dd>`;
  const [email] = respondent.emails;
  return html`<section class="card"><h2>${response.facts}</h2>
<dl class="review-facts">
${fact(response.reference, formatReference(id))}
${fact(response.respondent, personName(context, respondent))}
${respondent.username !== '' && fact(response.username, respondent.username)}
${email !== undefined && fact(response.email, email)}
${fact(response.started, renderTime(context, createdAt))}
${submittedAt !== null && fact(response.submitted, renderTime(context, submittedAt))}
${updatedAt !== submittedAt && fact(response.changed, renderTime(context, updatedAt))}
</dl>
<h3>${response.path}</h3>
<p class="hint">${response.pathHint}</p>
<ol class="path">${path.map((title) => html`<li dir="auto">${title || getReviewTexts(context).exports.noSection}</li>`)}</ol>
</section>`;
}

/** Renders the status of the mail and of the spreadsheet row. A queued delivery cannot be repeated. */
function deliveries(context: PageContext, { opened, deliveries: statuses, address }: ResponsePage): Html | undefined {
  const { response } = getReviewTexts(context);
  const { id, formId, progress } = opened.response;
  const { email, spreadsheet } = statuses ?? {};
  if (progress === 'DRAFT' && !email && !spreadsheet) return undefined;
  const deliveryItem = (kind: DeliveryTarget, status: DeliveryStatus): Html => {
    const tone = { QUEUED: 'active', SENT: 'good', FAILED: 'bad' }[status.state];
    const buttonLabel = kind === 'email' ? response.resend : response.resendRow;
    return html`<div class="delivery"><h3>${response.kind[kind]}</h3>
<p><span class="tag ${tone}">${response.state[status.state]}</span> <span class="muted small">${renderTime(context, status.updatedAt)} · ${response.attempts(status.attempts)}</span></p>
${status.reason !== undefined && html`<p>${reasonText(context, status.reason)}</p>`}
${
  progress === 'SUBMITTED' &&
  status.state !== 'QUEUED' &&
  html`<form method="post" action="/review/${formId}/r/${id}/deliveries/${kind}${buildListQuery(address)}" data-once><button class="secondary">${buttonLabel}</button></form>`
}</div>`;
  };
  return html`<section class="card" id="deliveries"><h2>${response.deliveries}</h2>
${!email && !spreadsheet && html`<p class="muted">${response.noDeliveries}</p>`}
${email && deliveryItem('email', email)}${spreadsheet && deliveryItem('spreadsheet', spreadsheet)}
</section>`;
}

// Reads what the page of one response shows.

type ResponsePage = {
  opened: OpenedResponse;
  address: ListAddress;
  respondent: ShortUser;
  deliveries?: DeliveryStatuses | undefined;
  /** The titles of the sections on the path. */
  path: readonly string[];
  neighbours: Neighbours;
  mayDelete: boolean;
};

type Reader = { opened: OpenedResponse; address: ListAddress; caller: Caller; roles: readonly Role[] };

/** Loads the response with its neighbours in the list of the address. */
async function loadResponsePage(
  app: Pick<Ports, 'table' | 'now'>,
  { opened, address, caller, roles }: Reader,
): Promise<ResponsePage> {
  const [{ respondent, deliveries }, neighbours] = await Promise.all([
    loadResponseContext(app.table, opened, { caller, roles }),
    findNeighbours(app, opened, toTableQuery(address)),
  ]);
  const path = findPath(opened).map((sectionId) => sectionTitle(opened.structure, sectionId));
  const mayDelete = roles.includes('admin') || roles.includes('creator');
  const shortUser = presentShortUser(opened.response.userId, respondent);
  return { opened, address, respondent: shortUser, deliveries, path, neighbours, mayDelete };
}
