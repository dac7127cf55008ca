/** Requests and lists exports, and gives access to their files. */

import { type Caller, type Opener, parsePathId, type Role, requireCaller } from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import { loadCounters } from '#core/counts/counters.ts';
import { objects } from '#core/db/bucket.ts';
import { change } from '#core/db/change.ts';
import { idWithin, keys, lastPart, partitions } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Item, Table } from '#core/db/table.ts';
import { contentDisposition } from '#core/files/download.ts';
import { type Gate, parseGate } from '#core/forms/gate.ts';
import { formRoles } from '#core/forms/open.ts';
import { scheduleCleanUp } from '#core/jobs/clean-up.ts';
import { problems } from '#core/problems/problems.ts';
import { countUpTo, listEntries, parseEditedAt } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { MAX_DIRECT_ROWS, MAX_ZIP_FILES, MAX_ZIP_GB } from '#core/schema/limits.ts';
import { DOWNLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { TableColumn } from '#core/table/table.ts';
import {
  availableUntil,
  canReuse,
  type ExportData,
  type ExportJob,
  exportFileName,
  FILE_SECONDS,
  parseExport,
  queueExport,
  stateAt,
} from './model.ts';
import { type ExportOptions, FORMATS } from './options.ts';
import { type AsOf, newlyRequested, type Progress } from './progress.ts';

/** Reads the exports of some index entries, each once, in this order; absent ones are left out. */
async function loadExports(table: Table, entries: readonly Item[]): Promise<ExportJob[]> {
  const ids = new Set(entries.map(({ sk }) => lastPart(sk)));
  const items = await table.read([...ids].map(keys.export));
  return items.map(parseExport).filter((job) => job !== undefined);
}

/** How many batches are read for the jobs of one user. */
const MAX_BATCHES = 10;

/**
 * Lists some jobs of a form, newest first; with `userId`, only those of this user, of the next 1,000 at most. `last`
 * is the position after which the list continues, null at the end.
 */
export async function listExportJobs(
  table: Table,
  formId: string,
  { limit, after, userId }: { limit: number; after: string | undefined; userId?: string | undefined },
): Promise<{ jobs: ExportJob[]; last: string | null }> {
  const entries: Item[] = [];
  let last = after ?? null;
  for (let batches = 0; batches < MAX_BATCHES && entries.length < limit; batches += 1) {
    // Each batch continues after the one before.
    const request = { ...partitions.exportsOf(formId), limit: 100, descending: true, after: last ?? undefined };
    const batch = await table.list(request);
    const matching = batch.items.filter((item) => userId === undefined || item.userId === userId);
    const selected = matching.slice(0, limit - entries.length);
    entries.push(...selected);
    last = selected.length < matching.length ? (selected.at(-1)?.gsi2sk ?? null) : batch.last;
    if (last === null) break;
  }
  return { jobs: await loadExports(table, entries), last };
}

/** The most responses of one export; `docs/decisions/0024-export-limit.md` has what was measured. */
export const MAX_EXPORT_ROWS = 1_000_000;
/** When the file is removed: late enough that a run that began before it expired has ended. */
const CLEAN_UP_SECONDS = FILE_SECONDS + 60 * 60;

/** How many of the newest exports of a user are considered for the same request. */
const NEWEST = 5;

type RequestedExport = {
  gate: Gate;
  structure: Structure;
  columns: readonly TableColumn[];
  options: ExportOptions;
  userId: string;
};

/** Whether a form has so few submitted responses that their export can be returned directly; an archive of files never is. */
export async function canExportDirectly(
  { table }: Pick<Ports, 'table'>,
  formId: string,
  { format }: ExportOptions,
): Promise<boolean> {
  if (format === 'ZIP') return false;
  return (await countUpTo(table, formId, 'SUBMITTED', MAX_DIRECT_ROWS + 1)) <= MAX_DIRECT_ROWS;
}

/**
 * Queues an export, or returns one that can be reused for the request. Throws 413 for more than 1,000,000 responses, 404
 * when the form was deleted meanwhile.
 */
export const requestExport = (app: ChangePorts, requested: RequestedExport): Promise<ExportJob> =>
  change(app, {
    reload: () => loadRequest(app, requested),
    decide: ({ data, editedAt, recent }) => {
      const now = app.now();
      const existing = recent.find((job) => canReuse(job, { ...data, editedAt }, now));
      if (existing) return { writes: [], result: existing };
      const { formId } = data;
      const id = idWithin(formId, app.uuid());
      return {
        writes: [
          queueExport(id, data, now),
          { check: keys.formGate(formId), when: { absent: false } },
          // With the export, so that neither an expired nor a failed one leaves its file behind.
          scheduleCleanUp(app, keys.formGate(formId), objects.export(id), CLEAN_UP_SECONDS),
        ],
        result: { ...newlyRequested(data, now), id },
        onRefused: ({ index }) => {
          if (index === 1) throw problems.notFound();
        },
      };
    },
  });

/**
 * Reads what a job that reads all responses of a form would be as of now, and when an edit of one began last; `range`: which it reads.
 * Throws 413 for more than 1,000,000.
 */
export async function loadAsOf(
  table: Table,
  { formId, version: structureVersion }: Structure,
  range: Range,
): Promise<{ asOf: AsOf & Progress; editedAt: string | null }> {
  const [counters, [edited], { positions }] = await Promise.all([
    loadCounters(table, formId),
    table.read([keys.formEdited(formId)]),
    listEntries(table, formId, ['SUBMITTED'], { limit: 1, descending: true }),
  ]);
  const total = counters?.isComplete ? counters.submitted : null;
  if (readsAll(range) && total !== null && total > MAX_EXPORT_ROWS) throw problems.tooLarge(tooManyRowsDetail(total));
  const [newest = null] = positions.values();
  const asOf = { structureVersion, changes: counters?.changes ?? null, newest, processed: 0, total };
  return { asOf, editedAt: parseEditedAt(edited) };
}

/** Reads what an export of a form would be now, and the newest exports of the user. */
async function loadRequest(
  { table, language }: ChangePorts,
  { gate, structure, columns, options, userId }: RequestedExport,
): Promise<{ data: ExportData; editedAt: string | null; recent: readonly ExportJob[] }> {
  const { formId, title } = gate;
  // Before the jobs: after a change in between, a new export is built, and no old one is returned as current.
  const { asOf, editedAt } = await loadAsOf(table, structure, options);
  const { jobs } = await listExportJobs(table, formId, { limit: NEWEST, after: undefined, userId });
  const data: ExportData = {
    formId,
    userId,
    title,
    questionIds: columns.map(({ id }) => id),
    options,
    ...(language && { language }),
    ...asOf,
  };
  return { data, editedAt, recent: jobs };
}

type Range = Pick<ExportOptions, 'from' | 'to' | 'responseIds'>;

/** Whether an export reads all responses of the form; how many others there are is known only when they are read. */
export const readsAll = ({ from, to, responseIds }: Range): boolean =>
  from === undefined && to === undefined && responseIds === undefined;

const tooManyRowsDetail = (total: number): string =>
  `The form has ${total} submitted responses. An export has at most ${MAX_EXPORT_ROWS}: read the table page by page.`;

/** Signs a URL in storage that returns the file of an export for one minute. Throws 400 when there is none. */
export async function signExportDownload(
  { bucket, now }: Pick<Ports, 'bucket' | 'now'>,
  job: ExportJob,
): Promise<{ url: string; expiresAt: string }> {
  const state = stateAt(job, now());
  if (state !== 'DONE') throw problems.exportNotAvailable(describeUnavailable(job, state));
  const { format = 'XLSX' } = job.options ?? {};
  const { contentType } = FORMATS[format];
  const options = { contentType, disposition: contentDisposition(exportFileName(job.title, format)) };
  const url = await bucket.signGet(objects.export(job.id), options, DOWNLOAD_URL_SECONDS);
  return { url, expiresAt: timeAfter(now(), DOWNLOAD_URL_SECONDS) };
}

function describeUnavailable(job: ExportJob, state: ReturnType<typeof stateAt>): string {
  if (state === 'EXPIRED') return `The file of this export was available until ${availableUntil(job)}. Export again.`;
  if (job.reason === 'too_large' && job.options?.format === 'ZIP') {
    return `This export failed (too_large): an archive has at most ${MAX_ZIP_FILES} files and ${MAX_ZIP_GB} GB, as many as one run can read. Export the responses in parts, with \`from\` and \`to\`.`;
  }
  if (job.reason === 'too_large') {
    return 'This export failed (too_large): there are too many responses or answers for one file. Choose fewer questions, or read the table page by page.';
  }
  if (state === 'FAILED') return `This export failed (${job.reason}). Export again.`;
  return `This export is not finished: ${job.processed} responses are written. Try again later.`;
}

// Opener of export jobs. An export is visible to the member who asked for it and to the admins of the form's
// organization.

/**
 * Opens the export of `{exportId}`, in one read: the id contains the form key. Throws 404 also when the form was deleted,
 * and for members who did not ask for it.
 */
export const openExport: Opener<{ caller: Caller; job: ExportJob }> = async (call) => {
  const caller = requireCaller(call.user);
  const exportId = parsePathId(call.params, 'exportId');
  const itemKeys = [keys.export(exportId), keys.formGate(exportId), keys.account(caller.id)];
  const [exportItem, gateItem, accountItem] = await call.app.table.read(itemKeys);
  const job = parseExport(exportItem);
  const gate = parseGate(gateItem);
  if (!job || gate?.formId !== job.formId) throw problems.notFound();
  const roles = formRoles(parseAccount(accountItem), gate, caller);
  const owner: Role[] = job.userId === caller.id && roles.includes('member') ? ['owner'] : [];
  if (owner.length === 0 && !roles.includes('admin')) throw problems.notFound();
  return { resource: { caller, job }, roles: [...owner, ...roles] };
};
