/** Highlights another choice question, or none, and shows the table. */
import { reviewPages } from '#core/api/review-pages.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { withDone } from '#core/pages/review/header.ts';
import { listHref, parseListAddress } from '#core/pages/review/list-address.ts';
import { page } from '#core/pages/shell/page.ts';
import { editStructure } from '#core/structure/service.ts';
import type { Structure } from '#core/structure/structure.ts';
import { withHighlight, withoutHighlight } from '#core/table/highlight.ts';

export const handler = page(
  reviewPages.chooseHighlight,
  openStructureEdit,
  async ({ app, stored, params: { formId }, posted, query }) => {
    const questionId = posted.fields.get('question') ?? '';
    await editStructure(app, stored, (current) => ({
      next: changeHighlight(current, questionId),
      body: undefined,
    }));
    return { location: withDone(listHref(parseListAddress(formId, query)), 'highlighted') };
  },
);

/** The structure with another highlight; without one for an empty id. The title of a highlight that stays is kept. */
function changeHighlight(structure: Structure, questionId: string): Structure {
  if (questionId === (structure.highlight?.questionId ?? '')) return structure;
  return questionId === '' ? withoutHighlight(structure) : withHighlight(structure, { questionId, displayTitle: null });
}
