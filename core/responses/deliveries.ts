/**
 * Deliveries that follow the submission of a response: jobs that are queued in the transaction of the change that makes
 * them due. The item of the job, which is stored with the response, keeps the status for members. `core/mail` and
 * `core/sheets` attempt it.
 */

import { change } from '#core/db/change.ts';
import { isAddressedId, isGuestId, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import { isPending, type Job, newJob, parseJob, queueJob, replaceJob } from '#core/jobs/job.ts';
import { queueRow } from '#core/jobs/sheet-row.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_RESENT, RESENT_PAUSE_MINUTES } from '#core/schema/limits.ts';
import type { Current } from './answers.ts';
import { findConfirmationAddress } from './confirmation.ts';
import type { DeliveryStatus, DeliveryStatuses, DeliveryTarget, ResponseMail } from './delivery-model.ts';
import type { Response } from './model.ts';

/**
 * Builds the writes that queue what a change of a response makes due, for the transaction of the change; `before` is absent for
 * a new response. Guests get a copy too if their address is known, else a mail if they have entered an address for it. They replace earlier deliveries with their keys: the mail of a submission that was cancelled since is not
 * sent any more, and a row is written as the response is when it is attempted.
 */
export function queueDeliveries(
  { now, language, timeZone }: Pick<ChangePorts, 'now' | 'language' | 'timeZone'>,
  { gate, ...current }: Current & { gate: Pick<Gate, 'sendResponseEmail' | 'spreadsheetId'> },
  before?: Response,
): Write[] {
  const { id, submittedAt } = current.response;
  const wasSubmitted = before?.progress === 'SUBMITTED';
  const isNewSubmission = submittedAt !== null && !wasSubmitted;
  return [
    ...(isNewSubmission && isMailed(gate, current)
      ? [queueJob(newMail(id, { submittedAt, ...(language && { language }), ...(timeZone && { timeZone }) }), now())]
      : []),
    // The row is written again after a change, and cleared if there is no submission any longer.
    ...(submittedAt !== null || wasSubmitted ? queueRowUpdate(gate, id, now()) : []),
  ];
}

/** Whether a submission leads to a mail: a copy for people whose address is known, a confirmation for other guests. */
const isMailed = ({ sendResponseEmail }: Pick<Gate, 'sendResponseEmail'>, current: Current): boolean => {
  const { userId } = current.response;
  if (sendResponseEmail && (!isGuestId(userId) || isAddressedId(userId))) return true;
  return isGuestId(userId) && findConfirmationAddress(current) !== undefined;
};

/** Describes the job of the mail with a copy of a submission. */
export const newMail = (responseId: string, data: ResponseMail) => ({
  key: keys.delivery(responseId, 'email'),
  kind: 'response-mail' as const,
  data,
});

/** Builds the write that queues the row of a response whose submission has changed, was cancelled or is being deleted. */
export const queueRowUpdate = (
  { spreadsheetId }: Pick<Gate, 'spreadsheetId'>,
  responseId: string,
  now: Date,
): Write[] => (spreadsheetId === null ? [] : [queueRow(responseId, spreadsheetId, now)]);

/** Reads the deliveries of a response to some targets. */
const loadDeliveries = async (
  table: Table,
  responseId: string,
  targets: readonly DeliveryTarget[],
): Promise<(Job | undefined)[]> =>
  (await table.read(targets.map((target) => keys.delivery(responseId, target)))).map((item) => parseJob(item));

/** Reads the statuses of the deliveries of a response. */
export async function loadDeliveryStatuses(table: Table, responseId: string): Promise<DeliveryStatuses> {
  const [email, spreadsheet] = await loadDeliveries(table, responseId, ['email', 'spreadsheet']);
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

/** `Retry-After` of a request that will not be accepted for this submission at all. */
const DAY_SECONDS = 24 * 60 * 60;

/**
 * Queues a delivery of a response again, with the same data. Throws 404 without a target or a delivery to it, and when
 * the response is no longer the submission that the mail copies; 409 while the delivery is under way; 429 for a mail that
 * was sent, soon after it was sent again, and after `MAX_RESENT` times. One that failed is repeated at any time.
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
        return (await loadDeliveries(table, response.id, [target]))[0];
      },
      decide: (before) => {
        if (!before || (target === 'email' && !copiesCurrentSubmission(before, response))) throw problems.notFound();
        if (isPending(before)) throw problems.deliveryUnderWay();
        const { key, kind, data } = before;
        const time = now();
        const next = newJob(
          { key, kind, data: target === 'email' ? buildResendData(before as Job<ResponseMail>, time) : data },
          time,
        );
        return { writes: [replaceJob(next, before)], result: presentDelivery(next) };
      },
    },
  );

/** Builds the data of a mail that is sent again. Throws 429 when it was sent too often. */
function buildResendData({ state, data }: Job<ResponseMail>, now: Date): ResponseMail {
  const { times, lastAt } = data.resent ?? { times: 0, lastAt: null };
  if (state !== 'DONE') return { ...data, resent: { times, lastAt } };
  if (times >= MAX_RESENT)
    throw problems.tooManyRequests(DAY_SECONDS, `A copy that was sent is sent again at most ${MAX_RESENT} times.`);
  const nextAt = lastAt === null ? now.getTime() : Date.parse(lastAt) + RESENT_PAUSE_MINUTES * 60_000;
  const waitSeconds = Math.ceil((nextAt - now.getTime()) / 1_000);
  if (waitSeconds > 0)
    throw problems.tooManyRequests(
      waitSeconds,
      `A copy that was sent is sent again at most once every ${RESENT_PAUSE_MINUTES} minutes.`,
    );
  return { ...data, resent: { times: times + 1, lastAt: now.toISOString() } };
}

/** Whether a mail copies the submission that a response is now. */
export const copiesCurrentSubmission = ({ data }: Job, { progress, submittedAt }: Response): boolean =>
  progress === 'SUBMITTED' && 'submittedAt' in data && data.submittedAt === submittedAt;
