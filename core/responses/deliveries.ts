/**
 * Deliveries that follow the submission of a response: they are queued in its transaction, and their item, which is
 * stored with the response, keeps their status for members. `core/mail` and `core/sheets` attempt them.
 */

import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import { isPending, type Job, newJob, parseJob, queueJob, replaceJob } from '#core/jobs/job.ts';
import { queueRow } from '#core/jobs/sheet-row.ts';
import { problems } from '#core/problems/problems.ts';
import type { Language } from '#core/schema/format.ts';
import type { DeliveryStatus, DeliveryStatuses, DeliveryTarget } from './delivery-model.ts';
import type { Response } from './model.ts';

/** The data of a mail with a copy of a submission. */
export type ResponseMail = {
  /** The submission that is copied: the mail is dropped when the response was cancelled since. */
  submittedAt: string;
  /** The language of the request that submitted it, if known. */
  language?: Language;
  /** Set when a member has requested it: how often a copy that was sent was sent again, and when last. */
  resent?: { times: number; lastAt: string | null };
};

/** Builds the writes that queue deliveries with a change of a response; `before` is absent for a new response. */
export function queueDeliveries(
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
    writes.push(queueJob({ key: keys.delivery(next.id, 'email'), kind: 'response-mail', data }, now()));
  }
  if (submittedAt !== null || wasSubmitted) writes.push(...queueRowUpdate(gate, next.id, now()));
  return writes;
}

/** Queues the row after a change of a submission: it is written again, or cleared if there is no submission any longer. */
export const queueRowUpdate = (
  { spreadsheetId }: Pick<Gate, 'spreadsheetId'>,
  responseId: string,
  now: Date,
  dueInSeconds = 0,
): Write[] => (spreadsheetId === null ? [] : [queueRow(responseId, spreadsheetId, now, dueInSeconds)]);

/** Reads the statuses of the deliveries of a response. */
export async function loadDeliveryStatuses(table: Table, responseId: string): Promise<DeliveryStatuses> {
  const items = await table.read([keys.delivery(responseId, 'email'), keys.delivery(responseId, 'spreadsheet')]);
  const [email, spreadsheet] = items.map((item) => parseJob(item));
  return {
    ...(email && { email: presentDelivery(email) }),
    ...(spreadsheet && { spreadsheet: presentDelivery(spreadsheet) }),
  };
}

/** The states of deliveries as members see them. */
const STATES = { QUEUED: 'QUEUED', RUNNING: 'QUEUED', DONE: 'SENT', FAILED: 'FAILED' } as const;

const presentDelivery = ({ state, reason, updatedAt, attempts }: Job): DeliveryStatus => ({
  state: STATES[state],
  ...(reason === undefined ? {} : { reason }),
  updatedAt,
  attempts,
});

/** How often a copy that was sent is sent again, and the time in between: nobody may flood a respondent with mails. */
const MAX_RESENT = 3;
const RESENT_SECONDS = 60 * 60;
/** `Retry-After` of a request that will not be accepted for this submission at all. */
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Queues a delivery of a response again, with the same data. Throws 404 without a target or a delivery to it, and when
 * the response is no longer the submission that the mail copies; 409 while the delivery is under way; 429 for a mail that
 * was sent, within an hour after it was sent again, and after three times. One that failed is repeated at any time.
 */
export const retryDelivery = (
  { table, now }: Pick<Ports, 'table' | 'now'>,
  response: Response,
  target: DeliveryTarget | undefined,
): Promise<DeliveryStatus> =>
  change(
    { table },
    {
      reload: async () => {
        if (target === undefined) throw problems.notFound();
        return parseJob<ResponseMail>((await table.read([keys.delivery(response.id, target)]))[0]);
      },
      decide: (before) => {
        if (!before || (target === 'email' && !copiesCurrentSubmission(before, response))) throw problems.notFound();
        if (isPending(before)) throw problems.deliveryUnderWay();
        const { key, kind, data } = before;
        const time = now();
        const next = newJob({ key, kind, data: target === 'email' ? buildResendData(before, time) : data }, time);
        return { writes: [replaceJob(next, before)], result: presentDelivery(next) };
      },
    },
  );

/** Builds the data of a mail that is sent again. Throws 429 when it was sent too often. */
function buildResendData({ state, data }: Job<ResponseMail>, now: Date): ResponseMail {
  const { times, lastAt } = data.resent ?? { times: 0, lastAt: null };
  if (state !== 'DONE') return { ...data, resent: { times, lastAt } };
  if (times >= MAX_RESENT)
    throw problems.tooManyRequests(DAY_SECONDS, 'A copy that was sent is sent again three times at most.');
  const nextAt = lastAt === null ? now.getTime() : Date.parse(lastAt) + RESENT_SECONDS * 1_000;
  const waitSeconds = Math.ceil((nextAt - now.getTime()) / 1_000);
  if (waitSeconds > 0)
    throw problems.tooManyRequests(waitSeconds, 'A copy that was sent is sent again once an hour at most.');
  return { ...data, resent: { times: times + 1, lastAt: now.toISOString() } };
}

/** Whether a mail copies the submission that a response is now. */
export const copiesCurrentSubmission = ({ data }: Job, { progress, submittedAt }: Response): boolean =>
  progress === 'SUBMITTED' && 'submittedAt' in data && data.submittedAt === submittedAt;
