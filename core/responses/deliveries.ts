/**
 * Deliveries that follow the submission of a response. The response records what is due in the write that makes it so,
 * which therefore needs no transaction; the worker `deliver` begins it as a job when the stream has the response. The item
 * of the job, which is stored with the response, keeps the status for members. `core/mail` and `core/sheets` attempt it.
 */

import { change } from '#core/db/change.ts';
import { type Key, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import { isPending, type Job, type JobKind, newJob, parseJob, queueJob, replaceJob } from '#core/jobs/job.ts';
import { queueRow } from '#core/jobs/sheet-row.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_RESENT, RESENT_PAUSE_MINUTES } from '#core/schema/limits.ts';
import type {
  DeliveryStatus,
  DeliveryStatuses,
  DeliveryTarget,
  DueDeliveries,
  ResponseMail,
} from './delivery-model.ts';
import type { Response } from './model.ts';

/**
 * Records in a response what a change of it makes due, and builds the reminder of it. `deliver` begins the deliveries as
 * soon as the stream has the response; the reminder is attempted if it did not. `before` is absent for a new response.
 */
export function recordDueDeliveries(
  { now, language }: ChangePorts,
  gate: Pick<Gate, 'sendResponseEmail' | 'spreadsheetId'>,
  { due: _previous, ...response }: Response,
  before?: Response,
): { response: Response; independentWrites: Write[] } {
  const { version, submittedAt } = response;
  const wasSubmitted = before?.progress === 'SUBMITTED';
  const due: DueDeliveries = {};
  if (submittedAt !== null && wasSubmitted && before.due?.email) due.email = before.due.email;
  if (submittedAt !== null && !wasSubmitted && gate.sendResponseEmail)
    due.email = { version, submittedAt, ...(language && { language }) };
  // The row is written again after a change, and cleared if there is no submission any longer.
  if ((submittedAt !== null || wasSubmitted) && gate.spreadsheetId !== null)
    due.spreadsheet = { version, spreadsheetId: gate.spreadsheetId };
  if (Object.keys(due).length === 0) return { response, independentWrites: [] };
  return { response: { ...response, due }, independentWrites: [queueReminder(response, now())] };
}

/** When a reminder is due: later than a request can take, and the stream usually needs. */
export const REMINDER_SECONDS = 60;

/** Builds the write that queues the reminder of a change of a response. */
const queueReminder = ({ id, version }: Pick<Response, 'id' | 'version'>, now: Date): Write =>
  queueJob(
    {
      key: keys.dueDeliveries(id),
      kind: 'due-deliveries',
      data: {},
      attributes: { version },
      dueInSeconds: REMINDER_SECONDS,
    },
    now,
  );

const KINDS = { email: 'response-mail', spreadsheet: 'spreadsheet-row' } as const;
const TARGETS = Object.keys(KINDS) as DeliveryTarget[];

type DueResponse = Pick<Response, 'id' | 'version' | 'due'>;
/** A delivery that is due. */
export type DueDelivery = { key: Key; kind: JobKind; data: { version: number } };

/** Lists everything that is due for a response, begun or not. */
export const listDue = ({ id, due = {} }: DueResponse): DueDelivery[] =>
  TARGETS.flatMap((target) => {
    const data = due[target];
    return data ? [{ key: keys.delivery(id, target), kind: KINDS[target], data }] : [];
  });

/** Whether a delivery was begun, or a later one was; `stored` is the one with its key. */
export const wasBegun = ({ data }: DueDelivery, stored: Job<{ version?: number }> | undefined): boolean =>
  (stored?.data.version ?? 0) >= data.version;

/** Reads the deliveries of a response by target: as they are stored, or as they are due while they are not begun. */
async function loadDeliveries(table: Table, response: Response): Promise<Partial<Record<DeliveryTarget, Job>>> {
  const { id, updatedAt } = response;
  const [reminder, ...items] = await table.read([
    keys.dueDeliveries(id),
    ...TARGETS.map((target) => keys.delivery(id, target)),
  ]);
  const due = reminder ? listDue(response) : [];
  const deliveries = TARGETS.map((target, index) => {
    const stored = parseJob(items[index]);
    const next = due.find(({ kind }) => kind === KINDS[target]);
    const job = next && !wasBegun(next, stored) ? newJob(next, new Date(updatedAt)) : stored;
    return [target, job] as const;
  });
  return Object.fromEntries(deliveries.filter(([, job]) => job !== undefined));
}

/** Queues the row of a response that is being deleted, which clears it. */
export const queueRowUpdate = (
  { spreadsheetId }: Pick<Gate, 'spreadsheetId'>,
  responseId: string,
  now: Date,
): Write[] => (spreadsheetId === null ? [] : [queueRow(responseId, spreadsheetId, now)]);

/** Reads the statuses of the deliveries of a response. */
export async function loadDeliveryStatuses(table: Table, response: Response): Promise<DeliveryStatuses> {
  const { email, spreadsheet } = await loadDeliveries(table, response);
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
        return (await loadDeliveries(table, response))[target];
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
