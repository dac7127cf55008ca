/** Highlights another choice question, or none, and shows the table. */
import { reviewPages } from '#core/api/review-pages.ts';
import { openStructure } from '#core/forms/open.ts';
import { withDone } from '#core/pages/review/header.ts';
import { listHref, parseListAddress } from '#core/pages/review/list-address.ts';
import { page } from '#core/pages/shell/page.ts';
import { chooseHighlight, editHighlight, withHighlight } from '#core/table/highlight.ts';

export const handler = page(
  reviewPages.chooseHighlight,
  withHighlight(openStructure),
  async ({ app, structure, highlight, params: { formId }, posted, query }) => {
    const questionId = posted.fields.get('question') ?? '';
    await editHighlight(app, { structure, highlight }, (current) => {
      // The title of a highlight that stays is kept.
      if (questionId === current.highlight?.questionId) return current.highlight;
      return questionId === '' ? undefined : chooseHighlight(current, { questionId, displayTitle: null });
    });
    return { location: withDone(listHref(parseListAddress(formId, query)), 'highlighted') };
  },
);
