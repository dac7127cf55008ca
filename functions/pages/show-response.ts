/** Shows a response to the members of the form's organization. */
import { reviewPages } from '#core/api/review-pages.ts';
import { parseListAddress } from '#core/pages/review/list-address.ts';
import { loadResponsePage, renderResponsePage } from '#core/pages/review/response.ts';
import { loadGateHead } from '#core/pages/shell/form-frame.ts';
import { page } from '#core/pages/shell/page.ts';
import { openResponse } from '#core/responses/change.ts';

export const handler = page(
  reviewPages.showResponse,
  openResponse,
  async ({ app, opened, caller, roles, query, context }) => {
    const address = parseListAddress(opened.gate.formId, query);
    const [head, data] = await Promise.all([
      loadGateHead(app, opened.gate),
      loadResponsePage(app, { opened, address, caller, roles }),
    ]);
    return { html: renderResponsePage(context, head, data) };
  },
);
