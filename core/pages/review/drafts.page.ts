/** Shows the responses that were started and not submitted yet. */
import { listAllResponses, readListedEntries } from '#core/counts/lists.ts';
import type { Gate } from '#core/forms/gate.ts';
import { openGate } from '#core/forms/open.ts';
import { decodeCursor, encodeCursor } from '#core/http/cursors.ts';
import type { ResponseItem } from '#core/responses/model.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { member } from '../shell/declare-page.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getReviewTexts } from '../text/review.ts';
import { loadReviewHead, personName, reviewLayout } from './header.ts';

export const page = definePage({
  name: 'drafts',
  audience: 'reviewers',
  path: '/review/{formId}/drafts',
  access: member,
  needs: ['table:read', 'table:list'],
  open: openGate,
  show: async ({ app, gate, query, context }) => {
    const list = { drafts: gate.formId };
    const cursor = query.get('cursor') ?? undefined;
    const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const [head, listed] = await Promise.all([
      loadReviewHead(app, gate),
      readListedEntries(app.table, gate.formId, { limit: ROWS, after, progress: 'DRAFT' }),
    ]);
    const { body, next } = await listAllResponses(app, gate.formId, listed);
    const drafts = { gate, responses: body.responses, next: next === null ? null : encodeCursor(list, next) };
    return { html: renderDraftsPage(context, head, { ...drafts, isFirst: cursor === undefined }) };
  },
});

const ROWS = 50;

type DraftsPage = {
  gate: Gate;
  /** Newest first. */
  responses: readonly ResponseItem[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
  isFirst: boolean;
};

/** Renders the list of drafts for reviewers, newest first. */
function renderDraftsPage(context: PageContext, head: FormHead, { gate, responses, next, isFirst }: DraftsPage): Html {
  const { drafts, table } = getReviewTexts(context);
  const path = `/review/${gate.formId}`;
  return reviewLayout(context, head, {
    current: 'drafts',
    isTab: true,
    title: drafts.title,
    main: html`<p class="lead">${drafts.lead}</p>
${
  responses.length === 0
    ? html`<div class="empty"><p>${isFirst ? drafts.none : table.endOfPages}</p></div>`
    : html`<ul class="rows">${responses.map(
        ({ id, respondent, createdAt }) =>
          html`<li><div class="row-text"><h2><a class="row-link" dir="auto" href="${path}/r/${id}">${personName(context, respondent)}</a></h2>
<p class="muted small">${drafts.started} ${renderTime(context, createdAt)}</p></div></li>`,
      )}</ul>`
}
<div class="actions paging">
${!isFirst && html`<a class="button secondary" href="${path}/drafts">${table.first}</a>`}
${next !== null && html`<a class="button secondary" href="${path}/drafts?cursor=${next}">${table.next}</a>`}
</div>`,
  });
}
