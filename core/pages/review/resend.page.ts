/**
 * Delivers a submission again, and shows the response. A delivery that is under way is not changed; the page says why
 * a delivery is not repeated: its submission was withdrawn or replaced, or it was sent too often.
 */
import { Problem, problems } from '#core/problems/problems.ts';
import { openDelivery } from '#core/responses/change.ts';
import { retryDelivery } from '#core/responses/deliveries.ts';
import { memberOfResponse } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { withDone } from './header.ts';
import { parseListAddress, responseHref } from './list-address.ts';

export const page = definePage({
  name: 'resend',
  audience: 'reviewers',
  path: '/review/{formId}/r/{responseId}/deliveries/{kind}',
  segmentsBelowPage: 2,
  post: {
    access: memberOfResponse,
    needs: ['table:read', 'table:write'],
    open: openDelivery,
    actions: {
      resend: async ({ app, opened, target, query, context }) => {
        if (target === undefined) throw problems.notFound();
        const { response, gate } = opened;
        const responsePath = responseHref(parseListAddress(gate.formId, query, context.timeZone), response.id);
        try {
          await retryDelivery(app, response, target);
        } catch (error) {
          const code = error instanceof Problem ? error.code : undefined;
          if (code === 'not_found') return { location: withDone(responsePath, 'notSent') };
          if (code === 'too_many_requests') return { location: withDone(responsePath, 'sentOften') };
          if (code !== 'delivery_under_way') throw error;
        }
        return { location: `${responsePath}#deliveries` };
      },
    },
  },
});
