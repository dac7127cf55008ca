/** Begins what changes of responses make due: from the stream, and, if the stream has failed, from reminders. */
import { keys, keyText, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Table } from '#core/db/table.ts';
import { attemptEach, DONE, type PlannedJob } from '#core/jobs/attempt.ts';
import { type Job, newJob, parseJob, replaceJob } from '#core/jobs/job.ts';
import { type DueDelivery, listDue, wasBegun } from './deliveries.ts';
import type { Response } from './model.ts';
import { parseResponse } from './store.ts';

/** A change of a response that made deliveries due. */
export type DueChange = { reminder: Pick<Response, 'id' | 'version'>; due: readonly DueDelivery[] };

/** Parses the change that a stream record describes; undefined for others. */
export function parseDueChange(after: Item | undefined): DueChange | undefined {
  if (typeof after?.due !== 'string') return undefined;
  const response = { id: lastPart(after.pk), version: Number(after.version), due: JSON.parse(after.due) };
  // What an earlier change made due was started with that one, if it was not dropped.
  return { reminder: response, due: listDue(response).filter(({ data }) => data.version === response.version) };
}

/** Plans the deliveries that are due and were not started: of those with one key the latest. */
export async function planDeliveries(
  { table, now }: Pick<Ports, 'table' | 'now'>,
  due: readonly DueDelivery[],
): Promise<PlannedJob[]> {
  const latest = new Map(
    due.toSorted((a, b) => a.data.version - b.data.version).map((delivery) => [keyText(delivery.key), delivery]),
  );
  const deliveries = [...latest.values()];
  const items = await table.read(deliveries.map(({ key }) => key));
  return deliveries.flatMap((delivery, index) => {
    const replaces = parseJob(items[index]);
    return wasBegun(delivery, replaces) ? [] : [{ job: newJob(delivery, now()), replaces }];
  });
}

/** Queues what is due for a response and was not started: the stream has failed. */
export const dueDeliveries = attemptEach({
  claimSeconds: 30,
  parallel: 10,
  minMs: 5_000,
  attempt: async (app: Ports, { key }: Job) => {
    const response = parseResponse((await app.table.read([keys.response(lastPart(key.pk))]))[0]);
    const planned = await planDeliveries(app, response ? listDue(response) : []);
    for (const { job, replaces } of planned) await wasWritten(app.table, [replaceJob(job, replaces)]);
    return DONE;
  },
});

/** Removes the reminder of a change, unless a later change has replaced it. */
export const removeReminder = (table: Table, { id, version }: Pick<Response, 'id' | 'version'>): Promise<boolean> =>
  wasWritten(table, [{ remove: keys.dueDeliveries(id), when: { equals: { version } } }]);
