/** Deletes a response with everything that belongs to it, and shows the table. */
import { reviewPages } from '#core/api/review-pages.ts';
import { deleteResponse } from '#core/deletion/marks.ts';
import { withDone } from '#core/pages/review/header.ts';
import { listHref, parseListAddress } from '#core/pages/review/list-address.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponseToDelete } from '#core/responses/change.ts';

export const handler = page(
  reviewPages.deleteResponse,
  openResponseToDelete,
  async ({ app, response, gate, roles, query }) => {
    await deleteResponse(app, response, { ...gate, roles });
    return { location: withDone(listHref(parseListAddress(response.formId, query)), 'deleted') };
  },
);
