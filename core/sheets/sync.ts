/**
 * Brings rows of spreadsheets up to date with the responses as they are now: the row of a submitted response is added or
 * replaced, that of any other is cleared. Repeating it changes nothing, and one worker at a time writes to a spreadsheet.
 */
import { loadRespondents } from '#core/accounts/accounts.ts';
import { writeInBatches } from '#core/db/batches.ts';
import { formKey, keys, lastPart } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { remainingMs } from '#core/db/request-context.ts';
import { wasWritten } from '#core/db/retry.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { DONE, isFinalFailure, type JobHandler, type JobOutcome } from '#core/jobs/attempt.ts';
import type { Job } from '#core/jobs/job.ts';
import { createRow, markRowWritten, parseStoredRow, type RowDelivery, type StoredRow } from '#core/jobs/sheet-row.ts';
import type { Response } from '#core/responses/model.ts';
import { parseResponse } from '#core/responses/store.ts';
import { loadStructure } from '#core/structure/store.ts';
import { type Lease, releaseLease, takeLease } from './lease.ts';
import { SheetFailure, type SheetPorts, type SheetRow, type SheetTable } from './port.ts';
import { buildCells, listSheetColumns, MIN_MS, writeTables } from './rows.ts';
import { updateStatuses } from './status.ts';

type RowJob = Job<RowDelivery>;

export const spreadsheetRows: JobHandler<SheetPorts> = {
  claimSeconds: 180,
  async attempt(app, jobs) {
    const rowJobs = jobs as readonly RowJob[];
    const startedAt = app.now().toISOString();
    const gates = await loadGates(app, rowJobs);
    const outcomes = new Map<Job, JobOutcome>();
    const groups = Map.groupBy(rowJobs, (job) => findTarget(job, gates));
    await Promise.all(
      [...groups].map(async ([spreadsheetId, group]) => {
        const results =
          spreadsheetId === null ? group.map(() => DONE) : await syncSpreadsheet(app, spreadsheetId, group, gates);
        for (const [index, job] of group.entries()) outcomes.set(job, results[index] ?? DONE);
      }),
    );
    await updateStatuses(app, gates, outcomes, startedAt);
    return jobs.map((job) => doneIfFormIsDeleted(app, job, outcomes.get(job) ?? DONE, gates));
  },
};

/** Reads the gates of the forms of some rows, by form key. */
async function loadGates(app: Ports, jobs: readonly RowJob[]): Promise<Map<string, Gate>> {
  const formKeys = [...new Set(jobs.map(readFormKey))];
  const items = await app.table.read(formKeys.map(keys.formGate));
  return new Map(
    formKeys.flatMap((key, index) => {
      const gate = parseGate(items[index]);
      return gate ? [[key, gate] as const] : [];
    }),
  );
}

const readFormKey = ({ key }: Job): string => formKey(lastPart(key.pk));

/** Finds the spreadsheet of a row; null when the form was deleted or has none. */
const findTarget = (job: RowJob, gates: ReadonlyMap<string, Gate>): string | null =>
  job.data.rowId === undefined ? (gates.get(readFormKey(job))?.spreadsheetId ?? null) : job.data.spreadsheetId;

/** Returns the outcome of a row; one of a deleted form does not fail, because nobody could request it again. */
const doneIfFormIsDeleted = (
  app: Ports,
  job: Job,
  outcome: JobOutcome,
  gates: ReadonlyMap<string, Gate>,
): JobOutcome => (isFinalFailure(job, outcome, app.now()) && !gates.has(readFormKey(job)) ? DONE : outcome);

/** When rows for which too little time or too few attempts were left are due. */
const LATER: JobOutcome = { result: 'wait', seconds: 60 };

/** Syncs rows of one spreadsheet. */
async function syncSpreadsheet(
  app: SheetPorts,
  spreadsheetId: string,
  group: readonly RowJob[],
  gates: ReadonlyMap<string, Gate>,
): Promise<JobOutcome[]> {
  if (remainingMs() < MIN_MS) return group.map(() => LATER);
  const lease = await takeLease(app, spreadsheetId, group.length);
  if ('result' in lease) return group.map(() => lease);
  const outcomes = new Map<Job, JobOutcome>();
  try {
    const rows = await loadRows(app, { spreadsheetId, lease, group });
    for (const { job, storedRow } of rows) if (!storedRow) outcomes.set(job, DONE);
    const tables = await buildTables(app, rows, gates);
    for await (const { rows: ended, refusal } of writeTables(app, spreadsheetId, tables)) {
      if (refusal) logFailure(app, refusal, ended.length);
      else await Promise.all(ended.map(({ row }) => recordRow(app, row)));
      for (const { row } of ended) outcomes.set(row.job, refusal ? toFailureOutcome(refusal) : toRowOutcome(row));
    }
  } catch (error) {
    if (!(error instanceof SheetFailure)) {
      await releaseLease(app, lease);
      throw error;
    }
    await releaseLease(app, lease, error.isPermanent ? undefined : error.reason);
    logFailure(app, error, group.length - outcomes.size);
    return group.map((job) => outcomes.get(job) ?? toFailureOutcome(error));
  }
  await releaseLease(app, lease);
  return group.map((job) => outcomes.get(job) ?? LATER);
}

const toFailureOutcome = ({ isPermanent, reason }: SheetFailure): JobOutcome => ({
  result: isPermanent ? 'failed' : 'retry',
  reason,
});

const logFailure = (app: Ports, { reason, message }: SheetFailure, rows: number): void =>
  app.log({ level: 'warn', spreadsheet: reason, rows, why: message });

/**
 * A row to sync. `response`: submitted. `version`: of the response, submitted or not; absent for a deleted one. `storedRow`:
 * absent for a response that never had a row.
 */
type Row = {
  job: RowJob;
  response: Response | undefined;
  version: number | undefined;
  storedRow: StoredRow | undefined;
};
type RowsRequest = { spreadsheetId: string; lease: Lease; group: readonly RowJob[] };

/** Reads the responses and their rows, and gives rows to submitted responses that have none. */
async function loadRows(app: Ports, { spreadsheetId, lease, group }: RowsRequest): Promise<Row[]> {
  const ids = group.map(({ key }) => lastPart(key.pk));
  const items = await app.table.read([
    ...ids.map(keys.response),
    ...ids.map((responseId) => keys.sheetRow(responseId, spreadsheetId)),
  ]);
  const added: StoredRow[] = [];
  const rows = group.map((job, index): Row => {
    const responseId = ids[index] ?? '';
    const { rowId } = job.data;
    if (rowId !== undefined) {
      const storedRow = { responseId, spreadsheetId, rowId, isWritten: true };
      return { job, response: undefined, version: undefined, storedRow };
    }
    const current = parseResponse(items[index]);
    const response = current?.progress === 'SUBMITTED' ? current : undefined;
    let storedRow = parseStoredRow(items[ids.length + index]);
    if (response && !storedRow) {
      storedRow = { responseId, spreadsheetId, rowId: lease.firstRow + index, isWritten: false };
      added.push(storedRow);
    }
    return { job, response, version: current?.version, storedRow };
  });
  await writeInBatches(app.table, added.map(createRow));
  return rows;
}

/** The largest size of a table in one request, in bytes; Google recommends 2 MB for a request. */
const MAX_TABLE_BYTES = 1_500_000;

type TableRow = SheetRow & { row: Row };
type RowTable = Pick<SheetTable, 'columns'> & { rows: readonly TableRow[] };

/**
 * Builds the tables to write, of bounded size: of each form those that add rows, then those that replace cells, because a
 * refused replacement must not keep new rows out. Each has the oldest submission first.
 */
async function buildTables(app: Ports, rows: readonly Row[], gates: ReadonlyMap<string, Gate>): Promise<RowTable[]> {
  const respondents = await loadRespondents(
    app.table,
    rows.flatMap(({ response }) => response?.userId ?? []),
  );
  const tables: RowTable[] = [];
  for (const [key, group] of Map.groupBy(rows, ({ job }) => readFormKey(job))) {
    const gate = gates.get(key);
    // Forms of one spreadsheet are few, and their structures are usually cached.
    const loaded = gate && (await loadStructure(app.table, gate.formId, gate.structureVersion));
    const tableRows = group
      .toSorted((a, b) => ((a.response?.submittedAt ?? '') < (b.response?.submittedAt ?? '') ? -1 : 1))
      .flatMap((row): TableRow[] => {
        const { response, storedRow } = row;
        if (!storedRow) return [];
        const cells =
          response && loaded ? buildCells(response, loaded.structure, respondents.get(response.userId)) : null;
        return [{ id: storedRow.rowId, mayAdd: !storedRow.isWritten, cells, row }];
      });
    const columns = loaded ? listSheetColumns(loaded.structure) : [];
    const [added, replaced] = [tableRows.filter(({ mayAdd }) => mayAdd), tableRows.filter(({ mayAdd }) => !mayAdd)];
    const parts = [added, replaced].flatMap((part) => splitRows(part, MAX_TABLE_BYTES));
    tables.push(...parts.map((part) => ({ columns, rows: part })));
  }
  return tables;
}

/** Splits rows into parts whose cells have at most `maxBytes`; a larger row is a part of its own. */
function splitRows<T extends SheetRow>(rows: readonly T[], maxBytes: number): T[][] {
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

/** Records that a row was added; removes the record of a deleted response once its row is cleared. */
async function recordRow(app: Ports, { job, response, version, storedRow }: Row): Promise<void> {
  if (!storedRow || job.data.rowId !== undefined) return;
  if (version === undefined)
    await app.table.write([{ remove: keys.sheetRow(storedRow.responseId, storedRow.spreadsheetId) }]);
  // Refused when the response was deleted meanwhile: its deletion queued that the row is cleared.
  else if (response && !storedRow.isWritten) await wasWritten(app.table, [markRowWritten(storedRow)]);
}

/**
 * A response that was deleted, or never had a row, needs no record of its row. A record names the spreadsheet that was
 * written: the form may have had another one when the row was queued; and the version that the row shows.
 */
const toRowOutcome = ({ version, storedRow }: Row): JobOutcome =>
  version === undefined || !storedRow ? DONE : { ...DONE, record: { spreadsheetId: storedRow.spreadsheetId, version } };
