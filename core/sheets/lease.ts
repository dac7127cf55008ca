/**
 * The lease of a spreadsheet: one worker at a time writes to it. The lease also reserves ids for new rows, paces the
 * requests, and pauses a spreadsheet after a failure. Its item stays, because row ids must never be reserved twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item } from '#core/db/table.ts';
import type { JobOutcome } from '#core/jobs/attempt.ts';
import { timeAfter } from '#core/schema/format.ts';
import { MIN_ROW_ID } from './port.ts';

/** `firstRow`: the first of the reserved row ids. */
export type Lease = { firstRow: number; owner: string; item: Item };

/** Longer than a worker writes; the lease of a worker that died expires. */
const LEASE_SECONDS = 150;
/** The end of a lease that was released: no time, so that a clock that is set back does not make it valid again. */
const RELEASED = '';
/** How long a spreadsheet is left alone after a failure. */
const PAUSE_SECONDS = 30;
/** How often a lease is given in a minute; its holder makes about two of Google's 60 write requests a minute. */
const MAX_PER_MINUTE = 25;
/** Row ids begin at a random number, so that two installations that share a spreadsheet use different ones. */
const randomRow = (): number => MIN_ROW_ID + Math.floor(Math.random() * (MIN_ROW_ID / 2));

/** How often a lease is requested that another worker holds, usually for a second, and the pause in between. */
const ATTEMPTS = 10;
const ATTEMPT_PAUSE_MS = 300;

/**
 * Takes the lease of a spreadsheet and reserves ids for some rows. Returns the outcome of these rows when it cannot be
 * written now: they wait, or are retried while it is paused after a failure.
 */
export async function takeLease(app: Ports, spreadsheetId: string, rowCount: number): Promise<Lease | JobOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await tryToTake(app, spreadsheetId, rowCount);
    if (result !== HELD || attempt >= ATTEMPTS) return result;
    // When the other worker releases it is not known.
    await sleep(ATTEMPT_PAUSE_MS);
  }
}

/** Another worker has the lease; it usually releases it long before it ends, so the next sweep tries again. */
const HELD: JobOutcome = { result: 'wait', seconds: 20 };

async function tryToTake(app: Ports, spreadsheetId: string, rowCount: number): Promise<Lease | JobOutcome> {
  const key = keys.sheetLease(spreadsheetId);
  const [before] = await app.table.read([key]);
  const now = app.now();
  const waitSeconds = before ? secondsUntil(String(before.until), now) : 0;
  if (waitSeconds > 0 && typeof before?.reason === 'string') return { result: 'retry', reason: before.reason };
  if (waitSeconds > 0) return HELD;
  const minute = now.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
  const used = before?.minute === minute ? Number(before.used) : 0;
  if (used >= MAX_PER_MINUTE) return { result: 'wait', seconds: 60 - now.getUTCSeconds() };
  const firstRow = Number(before?.nextRow ?? randomRow());
  const owner = app.uuid();
  const until = timeAfter(now, LEASE_SECONDS);
  const item = { ...key, owner, until, nextRow: firstRow + rowCount, minute, used: used + 1 };
  const when = before ? { equals: { owner: String(before.owner), until: String(before.until) } } : { absent: true };
  return (await wasWritten(app.table, [{ put: item, when }])) ? { firstRow, owner, item } : HELD;
}

/**
 * The seconds until a lease ends; 0 for one that was released, and for one that ends later than any lease taken now
 * could: it was stored while the clock was ahead, and waiting for its end would take as long as that.
 */
function secondsUntil(until: string, now: Date): number {
  if (until === RELEASED) return 0;
  const seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1_000);
  return seconds > 2 * LEASE_SECONDS ? 0 : seconds;
}

/** Releases a lease; with the reason of a failure, the spreadsheet is paused. A lease that was lost is left alone. */
export async function releaseLease(app: Ports, { item, owner }: Lease, reason?: string): Promise<void> {
  const until = reason === undefined ? RELEASED : timeAfter(app.now(), PAUSE_SECONDS);
  const released = { ...item, until, ...(reason === undefined ? {} : { reason }) };
  await wasWritten(app.table, [{ put: released, when: { equals: { owner, until: String(item.until) } } }]);
}
