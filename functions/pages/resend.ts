/**
 * Delivers a submission again, and shows the response. A delivery that is under way is not changed; the page says why a
 * delivery is not repeated: its submission was withdrawn or replaced, or it was sent too often.
 */
import { reviewPages } from '#core/api/review-pages.ts';
import { withDone } from '#core/pages/review/header.ts';
import { parseListAddress, responseHref } from '#core/pages/review/list-address.ts';
import { page } from '#core/pages/shell/page.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { openDelivery } from '#core/responses/change.ts';
import { retryDelivery } from '#core/responses/deliveries.ts';

export const handler = page(reviewPages.resend, openDelivery, async ({ app, opened, target, query }) => {
  if (target === undefined) throw problems.notFound();
  const { response, gate } = opened;
  const responsePath = responseHref(parseListAddress(gate.formId, query), response.id);
  try {
    await retryDelivery(app, response, target);
  } catch (error) {
    const code = error instanceof Problem ? error.code : undefined;
    if (code === 'not_found') return { location: withDone(responsePath, 'notSent') };
    if (code === 'too_many_requests') return { location: withDone(responsePath, 'sentOften') };
    if (code !== 'delivery_under_way') throw error;
  }
  return { location: `${responsePath}#deliveries` };
});
