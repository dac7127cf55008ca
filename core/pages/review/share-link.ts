/** The link to a form that its members share; with scripts it is copied by a button. */
import { type Html, html } from '../html.ts';
import { reviewText } from '../text/review.ts';
import type { View } from '../view.ts';

/** The link with its button. */
export function shareLink(view: View, formId: string): Html {
  const { share } = reviewText(view);
  const { publicUrl } = view;
  const link = `${publicUrl}/f/${formId}`;
  return html`<p class="share-link"><a class="address" href="${link}">${link}</a>
<button type="button" class="secondary" hidden data-copy="${link}" data-copied="${share.copied}">${share.copy}</button></p>`;
}
