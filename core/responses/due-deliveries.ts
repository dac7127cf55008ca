/**
 * Attempts reminders, jobs of the version before with the key `RESPONSE#r / DUE`: it stored in the attribute `due` of a response
 * what the last change made due, and began it later. What was not begun is queued. A reminder is attempted a minute after
 * its change, so this file and the kind `due-deliveries` are needed by one release only.
 */
import { keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import { parseGate } from '#core/forms/gate.ts';
import { attemptEach, DONE } from '#core/jobs/attempt.ts';
import { type Job, newJob, parseJob, replaceJob } from '#core/jobs/job.ts';
import { newMail, queueRowUpdate } from './deliveries.ts';
import type { ResponseMail } from './delivery-model.ts';
import { parseResponse } from './store.ts';

export const dueDeliveries = attemptEach({
  claimSeconds: 30,
  parallel: 10,
  minMs: 5_000,
  attempt: async ({ table, now }: Ports, { key }: Job) => {
    const id = lastPart(key.pk);
    const [item, mailItem, gateItem] = await table.read([
      keys.response(id),
      keys.delivery(id, 'email'),
      keys.formGate(id),
    ]);
    const [response, gate] = [parseResponse(item), parseGate(gateItem)];
    if (!response || !gate) return DONE;
    const { submittedAt } = response;
    // This version has stored the response since if it does not say what is due.
    const due: { email?: ResponseMail } =
      typeof item?.due === 'string' ? JSON.parse(item.due) : submittedAt === null ? {} : { email: { submittedAt } };
    const stored = parseJob<ResponseMail>(mailItem);
    if (due.email && due.email.submittedAt !== stored?.data.submittedAt)
      await wasWritten(table, [replaceJob(newJob(newMail(id, due.email), now()), stored)]);
    await table.write(queueRowUpdate(gate, id, now()));
    return DONE;
  },
});
