/** Operations of the deliveries that follow a submission: mails and spreadsheet rows. */
import { DeliveryStatus } from '#core/responses/delivery-model.ts';
import { declare } from './declare.ts';

export const deliveries = declare('deliveries', {
  retryDelivery: {
    method: 'POST',
    path: '/forms/{formId}/responses/{responseId}/deliveries/{kind}/retry',
    summary: 'Deliver a submission again',
    description:
      'Repeats a mail or a spreadsheet row that failed, or that was sent, for example to an address that has changed since. A mail that was sent is sent again once an hour, and three times in all; one that failed, at any time. The preview of the response shows what becomes of it.',
    access: { credential: 'user', target: 'response', roles: ['member'] },
    needs: ['table:read', 'table:write'],
    success: { status: 202, description: 'The delivery is queued.', body: DeliveryStatus },
    problems: {
      404: 'There is no such response, or it has no delivery of this kind that can be repeated.',
      409: 'The delivery is under way.',
      429: 'The mail was sent again within the last hour, or three times.',
    },
  },
});
