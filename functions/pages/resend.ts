/** Delivers a submission again, and shows the response; a delivery that is under way stays as it is. */
import { reviewPages } from '#core/api/pages.ts';
import { page } from '#core/pages/page.ts';
import { listAddressOf, responseHref } from '#core/pages/review/list-address.ts';
import { Problem } from '#core/problems/problems.ts';
import { retryDelivery } from '#core/responses/deliveries.ts';
import { openDelivery } from '#core/responses/open.ts';

export const handler = page(reviewPages.resend, openDelivery, async ({ app, opened, target, query }) => {
  const { response, gate } = opened;
  try {
    await retryDelivery(app, response, target);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'delivery_under_way') throw error;
  }
  return { location: `${responseHref(listAddressOf(gate.formId, query), response.id)}#deliveries` };
});
