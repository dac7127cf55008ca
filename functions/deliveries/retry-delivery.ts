/** Delivers a submission again. */
import { deliveries } from '#core/api/deliveries.ts';
import { operation } from '#core/http/operation.ts';
import { openDelivery } from '#core/responses/change.ts';
import { retryDelivery } from '#core/responses/deliveries.ts';

export const handler = operation(deliveries.retryDelivery, openDelivery, async ({ opened, target, app }) => ({
  body: await retryDelivery(app, opened.response, target),
}));
