/** A response mail that has failed, as the worker leaves it behind. */
import { keys } from '#core/db/keys.ts';
import { app } from '#core/http/app.ts';
import { newDelivery, queueDelivery, replaceDelivery } from '#core/outbox/delivery.ts';

/** Stores a mail of a submission that bounced. */
export async function storeBouncedMail(responseId: string, submittedAt: string | null): Promise<void> {
  const { table, now } = app();
  const at = now();
  const delivery = { key: keys.delivery(responseId, 'email'), kind: 'response-mail' as const, data: { submittedAt } };
  const queued = newDelivery(delivery, at);
  await table.write([queueDelivery(delivery, at)]);
  await table.write([replaceDelivery({ ...queued, state: 'FAILED', reason: 'bounced', attempts: 1 }, queued)]);
}
