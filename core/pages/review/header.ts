/** The header of the pages of reviewers: the title of the form and the links between its pages. */

import type { presentShortUser } from '#core/accounts/model.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import type { ReviewText } from '../text/review-en.ts';

type ReviewPage = 'responses' | 'views' | 'export';

/** The notice of what was done before the page is shown, by the key of its text. */
export type DoneNotice = keyof ReviewText['done'];

/** Adds what was just done to an address. */
export const withDone = (href: string, done: DoneNotice): string =>
  `${href}${href.includes('?') ? '&' : '?'}done=${done}`;

/** Renders the title of the form with its pages, and what was just done. */
export function reviewHeader(context: PageContext, { formId, title, status }: Gate, current: ReviewPage): Html {
  const review = getReviewTexts(context);
  const pages = [
    { page: 'build', href: `/build/${formId}`, name: review.build },
    { page: 'responses', href: `/review/${formId}`, name: review.title },
    { page: 'views', href: `/review/${formId}/views`, name: review.views },
    { page: 'export', href: `/review/${formId}/export`, name: review.export },
  ] as const;
  const tone = { DRAFT: '', PUBLISHED: 'good', ARCHIVED: '' }[status];
  return html`<div class="review-header">
<p class="review-form"><a href="/f/${formId}">${title}</a> <span class="tag ${tone}">${review.status[status]}</span></p>
<nav class="review-pages" aria-label="${review.pages}"><ul>${pages.map(
    ({ page, href, name }) =>
      html`<li><a href="${href}"${attribute('aria-current', page === current && 'page')}>${name}</a></li>`,
  )}</ul></nav>
</div>
${status === 'PUBLISHED' && html`<details class="share"><summary>${review.share.title}</summary><p class="hint">${review.share.hint}</p>${shareLink(context, formId)}</details>`}
${doneNotice(context, review.done)}`;
}

// Names of respondents.

type Person = ReturnType<typeof presentShortUser>;

/** Returns the name of a respondent, or else their username or e-mail address. */
export const personName = (view: Pick<PageContext, 'language'>, { name, username, emails }: Person): string =>
  name || username || emails[0] || getReviewTexts(view).table.someone;

// The link to a form that its members share; with scripts it is copied by a button.

/** Renders the link with its button. */
export function shareLink(context: PageContext, formId: string): Html {
  const { share } = getReviewTexts(context);
  const { publicUrl } = context;
  const link = `${publicUrl}/f/${formId}`;
  return html`<p class="share-link"><a class="address" href="${link}">${link}</a>
<button type="button" class="secondary" hidden data-copy="${link}" data-copied="${share.copied}">${share.copy}</button></p>`;
}
