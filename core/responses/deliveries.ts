/**
 * Deliveries that follow the submission of a response: they are queued in its transaction, and their item beside the
 * response keeps their status for members. `core/delivery` attempts them.
 */
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import { type Delivery, deliveryOf, newDelivery, queueDelivery, replaceDelivery } from '#core/outbox/delivery.ts';
import { queueRow } from '#core/outbox/sheet-row.ts';
import { problems } from '#core/problems/problems.ts';
import type { Language } from '#core/schema/language.ts';
import type { DeliveryStatus, DeliveryStatuses, DeliveryTarget } from './delivery-model.ts';
import type { Response } from './model.ts';

/** The data of a mail with a copy of a submission. */
export type ResponseMail = {
  /** The submission that is copied: the mail is dropped when the response was cancelled since. */
  submittedAt: string;
  /** The language of the request that submitted it, if known. */
  language?: Language;
};

/** The deliveries to queue with a change of a response; `before` is absent for a new response. */
export function deliveriesAfter(
  { now, language }: ChangePorts,
  gate: Pick<Gate, 'sendResponseEmail' | 'spreadsheetId'>,
  next: Response,
  before?: Response,
): Write[] {
  const { submittedAt } = next;
  const wasSubmitted = before?.progress === 'SUBMITTED';
  const writes: Write[] = [];
  if (submittedAt !== null && !wasSubmitted && gate.sendResponseEmail) {
    const data: ResponseMail = { submittedAt, ...(language && { language }) };
    writes.push(queueDelivery({ key: keys.delivery(next.id, 'email'), kind: 'response-mail', data }, now()));
  }
  if (submittedAt !== null || wasSubmitted) writes.push(...rowAfter(gate, next.id, now()));
  return writes;
}

/** The row to queue after a change of a submission: it is written again, or cleared if that is no more. */
export const rowAfter = ({ spreadsheetId }: Pick<Gate, 'spreadsheetId'>, responseId: string, now: Date): Write[] =>
  spreadsheetId === null ? [] : [queueRow(responseId, spreadsheetId, now)];

/** The statuses of the deliveries of a response. */
export async function loadDeliveryStatuses(table: Table, responseId: string): Promise<DeliveryStatuses> {
  const [email, spreadsheet] = await table.read([
    keys.delivery(responseId, 'email'),
    keys.delivery(responseId, 'spreadsheet'),
  ]);
  return {
    ...(email && { email: deliveryStatusOf(email) }),
    ...(spreadsheet && { spreadsheet: deliveryStatusOf(spreadsheet) }),
  };
}

function deliveryStatusOf(item: Item): DeliveryStatus {
  const delivery = deliveryOf(item);
  if (!delivery) throw new Error(`the item ${item.pk} ${item.sk} is no delivery`);
  const { state, reason, updatedAt, attempts } = delivery;
  return { state, ...(reason === undefined ? {} : { reason }), updatedAt, attempts };
}

/**
 * Queues a delivery of a response again, with the same data. Throws 404 without a target or a delivery to it, and when
 * the response is no longer the submission that the mail copies; 409 while the delivery is under way.
 */
export const retryDelivery = (
  { table, now }: Pick<Ports, 'table' | 'now'>,
  response: Response,
  target: DeliveryTarget | undefined,
): Promise<DeliveryStatus> =>
  untilWritten(async () => {
    if (target === undefined) throw problems.notFound();
    const [item] = await table.read([keys.delivery(response.id, target)]);
    const before = deliveryOf(item);
    if (!before || (target === 'email' && !standsFor(before, response))) throw problems.notFound();
    if (before.state === 'QUEUED') throw problems.deliveryUnderWay();
    const { key, kind, data } = before;
    const next = newDelivery({ key, kind, data }, now());
    await table.write([replaceDelivery(next, before)]);
    return { state: next.state, updatedAt: next.updatedAt, attempts: next.attempts };
  });

/** Whether a mail copies the submission that a response is now. */
export const standsFor = ({ data }: Delivery, { progress, submittedAt }: Response): boolean =>
  progress === 'SUBMITTED' && 'submittedAt' in data && data.submittedAt === submittedAt;
