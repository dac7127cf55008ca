/**
 * Brings rows of spreadsheets up to date with the responses as they are now: the row of a submitted response is added or
 * replaced, that of any other is cleared. Repeating it changes nothing, and one worker at a time writes to a spreadsheet.
 */
import { loadAccounts } from '#core/accounts/accounts.ts';
import { writeInBatches } from '#core/db/batches.ts';
import { formKey, keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import { type Gate, gateOf } from '#core/forms/gate.ts';
import { type DeliveryHandler, DONE, type Outcome } from '#core/jobs/attempt.ts';
import { type Delivery, endsAttempts } from '#core/jobs/job.ts';
import { createRow, noteWritten, type RowDelivery, type StoredRow, storedRowOf } from '#core/jobs/sheet-row.ts';
import type { Response } from '#core/responses/model.ts';
import { responseOf } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import { type Lease, releaseLease, takeLease } from './lease.ts';
import { SheetFailure, type SheetPorts, type SheetRow, type SheetTable } from './port.ts';
import { cellsOf, columnsOfForm, MIN_MS, writeTables } from './rows.ts';
import { updateStatuses } from './status.ts';

type RowToSync = Delivery<RowDelivery>;

export const spreadsheetRows: DeliveryHandler<SheetPorts> = {
  claimSeconds: 180,
  async attempt(app, deliveries) {
    const all = deliveries as readonly RowToSync[];
    const gates = await loadGates(app, all);
    const outcomes = new Map<Delivery, Outcome>();
    const groups = Map.groupBy(all, (delivery) => targetOf(delivery, gates));
    await Promise.all(
      [...groups].map(async ([spreadsheetId, group]) => {
        const results = spreadsheetId === null ? group.map(() => DONE) : await sync(app, spreadsheetId, group, gates);
        for (const [index, delivery] of group.entries()) outcomes.set(delivery, results[index] ?? DONE);
      }),
    );
    await updateStatuses(app, gates, outcomes);
    return deliveries.map((delivery) => unlessFormIsGone(app, delivery, outcomes.get(delivery) ?? DONE, gates));
  },
};

/** The gates of the forms of some rows, by form key. */
async function loadGates(app: Ports, deliveries: readonly RowToSync[]): Promise<Map<string, Gate>> {
  const formKeys = [...new Set(deliveries.map(formKeyOf))];
  const items = await app.table.read(formKeys.map(keys.formGate));
  return new Map(
    formKeys.flatMap((key, index) => {
      const gate = gateOf(items[index]);
      return gate ? [[key, gate] as const] : [];
    }),
  );
}

const formKeyOf = ({ key }: Delivery): string => formKey(lastPart(key.pk));

/** The spreadsheet of a row; null when the form is gone or has none. */
const targetOf = (delivery: RowToSync, gates: ReadonlyMap<string, Gate>): string | null =>
  delivery.data.rowId === undefined
    ? (gates.get(formKeyOf(delivery))?.spreadsheetId ?? null)
    : delivery.data.spreadsheetId;

/** The outcome of a row; that of a deleted form is not parked, because nobody could request it again. */
function unlessFormIsGone(app: Ports, delivery: Delivery, outcome: Outcome, gates: ReadonlyMap<string, Gate>): Outcome {
  const isParked = outcome.result === 'failed' || (outcome.result === 'retry' && endsAttempts(delivery, app.now()));
  return isParked && !gates.has(formKeyOf(delivery)) ? DONE : outcome;
}

/** When rows for which too little time or too few attempts were left are due. */
const LATER: Outcome = { result: 'wait', seconds: 60 };

/** Syncs rows of one spreadsheet. */
async function sync(
  app: SheetPorts,
  spreadsheetId: string,
  group: readonly RowToSync[],
  gates: ReadonlyMap<string, Gate>,
): Promise<Outcome[]> {
  if (remainingMs() < MIN_MS) return group.map(() => LATER);
  const lease = await takeLease(app, spreadsheetId, group.length);
  if ('waitSeconds' in lease) {
    const { reason, waitSeconds } = lease;
    return group.map(() => (reason ? { result: 'retry', reason } : { result: 'wait', seconds: waitSeconds }));
  }
  const outcomes = new Map<Delivery, Outcome>();
  try {
    const rows = await loadRows(app, { spreadsheetId, lease, group });
    for (const { delivery, stored } of rows) if (!stored) outcomes.set(delivery, DONE);
    await writeTables(app, spreadsheetId, await tablesOf(app, rows, gates), async (ended, refusal) => {
      if (refusal) logFailure(app, refusal, ended.length);
      else await Promise.all(ended.map(({ row }) => noteRow(app, row)));
      for (const { row } of ended) outcomes.set(row.delivery, refusal ? outcomeAfter(refusal) : outcomeOf(row));
    });
  } catch (error) {
    if (!(error instanceof SheetFailure)) {
      await releaseLease(app, lease);
      throw error;
    }
    await releaseLease(app, lease, error.isPermanent ? undefined : error.reason);
    logFailure(app, error, group.length - outcomes.size);
    return group.map((delivery) => outcomes.get(delivery) ?? outcomeAfter(error));
  }
  await releaseLease(app, lease);
  return group.map((delivery) => outcomes.get(delivery) ?? LATER);
}

const outcomeAfter = ({ isPermanent, reason }: SheetFailure): Outcome => ({
  result: isPermanent ? 'failed' : 'retry',
  reason,
});

const logFailure = (app: Ports, { reason, message }: SheetFailure, rows: number): void =>
  app.log({ level: 'warn', spreadsheet: reason, rows, why: message });

/** A row to sync. `response`: submitted. `stored`: absent for a response that never had a row. */
type Row = { delivery: RowToSync; response: Response | undefined; isGone: boolean; stored: StoredRow | undefined };
type Loading = { spreadsheetId: string; lease: Lease; group: readonly RowToSync[] };

/** Reads the responses and their rows, and gives rows to submitted responses that have none. */
async function loadRows(app: Ports, { spreadsheetId, lease, group }: Loading): Promise<Row[]> {
  const ids = group.map(({ key }) => lastPart(key.pk));
  const items = await app.table.read([
    ...ids.map(keys.response),
    ...ids.map((responseId) => keys.sheetRow(responseId, spreadsheetId)),
  ]);
  const added: StoredRow[] = [];
  const rows = group.map((delivery, index): Row => {
    const responseId = ids[index] ?? '';
    const { rowId } = delivery.data;
    if (rowId !== undefined) {
      const stored = { responseId, spreadsheetId, rowId, isWritten: true };
      return { delivery, response: undefined, isGone: true, stored };
    }
    const current = responseOf(items[index]);
    const response = current?.progress === 'SUBMITTED' ? current : undefined;
    let stored = storedRowOf(items[ids.length + index]);
    if (response && !stored) {
      stored = { responseId, spreadsheetId, rowId: lease.firstRow + index, isWritten: false };
      added.push(stored);
    }
    return { delivery, response, isGone: current === undefined, stored };
  });
  await writeInBatches(app.table, added.map(createRow));
  return rows;
}

/** The largest size of a table in one request, in bytes; Google recommends 2 MB for a request. */
const MAX_TABLE_BYTES = 1_500_000;

type TableRow = SheetRow & { row: Row };
type RowTable = Pick<SheetTable, 'columns'> & { rows: readonly TableRow[] };

/**
 * The tables to write, of bounded size: of each form those that add rows, then those that replace cells, because a
 * refused replacement must not keep new rows out. Each has the oldest submission first.
 */
async function tablesOf(app: Ports, rows: readonly Row[], gates: ReadonlyMap<string, Gate>): Promise<RowTable[]> {
  const people = await loadAccounts(
    app.table,
    rows.flatMap(({ response }) => response?.userId ?? []),
  );
  const tables: RowTable[] = [];
  for (const [key, group] of Map.groupBy(rows, ({ delivery }) => formKeyOf(delivery))) {
    const gate = gates.get(key);
    // Forms of one spreadsheet are few, and their structures are usually cached.
    const loaded = gate && (await loadStructure(app.table, gate.formId, gate.structureVersion));
    const tableRows = group
      .toSorted((a, b) => ((a.response?.submittedAt ?? '') < (b.response?.submittedAt ?? '') ? -1 : 1))
      .flatMap((row): TableRow[] => {
        const { response, stored } = row;
        if (!stored) return [];
        const cells = response && loaded ? cellsOf(response, loaded.structure, people.get(response.userId)) : null;
        return [{ id: stored.rowId, mayAdd: !stored.isWritten, cells, row }];
      });
    const columns = loaded ? columnsOfForm(loaded.structure) : [];
    const [added, replaced] = [tableRows.filter(({ mayAdd }) => mayAdd), tableRows.filter(({ mayAdd }) => !mayAdd)];
    const parts = [added, replaced].flatMap((some) => inParts(some, MAX_TABLE_BYTES));
    tables.push(...parts.map((part) => ({ columns, rows: part })));
  }
  return tables;
}

/** Splits rows into parts whose cells have at most `maxBytes`; a larger row is a part of its own. */
function inParts<T extends SheetRow>(rows: readonly T[], maxBytes: number): T[][] {
  const parts: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row.cells));
    if (bytes + size > maxBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(row);
    bytes += size;
  }
  return parts;
}

/** Notes that a row was added; forgets that of a response that is gone, once it is cleared. */
async function noteRow(app: Ports, { delivery, response, isGone, stored }: Row): Promise<void> {
  if (!stored || delivery.data.rowId !== undefined) return;
  if (isGone) await app.table.write([{ remove: keys.sheetRow(stored.responseId, stored.spreadsheetId) }]);
  // Refused when the response was deleted meanwhile: its deletion queued that the row is cleared.
  else if (response && !stored.isWritten) await wasWritten(app.table.write([noteWritten(stored)]));
}

/**
 * A response that is gone, or never had a row, needs no record of its delivery. A record names the spreadsheet that was
 * written: the form may have had another one when the row was queued.
 */
const outcomeOf = ({ isGone, stored }: Row): Outcome =>
  isGone || !stored ? DONE : { result: 'sent', data: { spreadsheetId: stored.spreadsheetId } };
