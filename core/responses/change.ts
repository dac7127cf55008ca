/**
 * Changes responses: a pure function decides the change, the rules below are enforced, and one conditional write stores
 * the response with its files. After a concurrent change all of this is repeated with the newest response.
 *
 * A response can change only while its form is open; a submitted one only if the form allows editing, and it must stay
 * complete. A change without effect is always allowed. Exceptions: an admin can delete a file at any time, and uploads
 * that were announced in time can be completed after the form has closed.
 */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table, Write } from '#core/db/table.ts';
import { closedBecause, type Gate, gateOf } from '#core/forms/gate.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { type CachedStructure, loadStructure, noteAnswered, readAnswered } from '#core/structure/store.ts';
import { completed } from './completion.ts';
import { deliveriesAfter, rowAfter } from './deliveries.ts';
import type { Current } from './edits.ts';
import { fileWrites, type StoredFile } from './files.ts';
import { fileIdsOf, type Response, type ResponseSummary } from './model.ts';
import { replaceResponse, responseOf } from './store.ts';

/**
 * A response with the gate and structure of its form. `answered`: the questions known to be answered in any response.
 */
export type OpenedResponse = Current & CachedStructure & { gate: Gate };

/** Exceptions from the rules. */
export type Exceptions = {
  /** The change is the deletion of a file by an admin. */
  administrator?: boolean;
  /** The change completes uploads: if it only adds files, the form need not be open. */
  completesUploads?: boolean;
  /** Stored files that the change may attach. */
  attachable?: readonly StoredFile[];
  /** Further writes of the same transaction. */
  alsoWrites?: readonly Write[];
};

/** Decides the next response: returns the given one for no change, throws a problem to refuse. */
export type Decide = (current: OpenedResponse, now: string) => Response;

/**
 * Changes a response and returns `result` of the new response. Throws what `decide` throws, 400 for a form that is not
 * open or a submitted response that would become incomplete, 403 for a submitted response that cannot be edited, 404
 * when it is gone, 409 for a stale `If-Match`, 413 when it would become too large.
 */
export const changeResponse = <R>(
  app: ChangePorts,
  opened: OpenedResponse,
  decide: Decide,
  result: (response: Response) => R,
  exceptions: Exceptions = {},
): Promise<R> =>
  untilWritten(async (first) => {
    const current = first ? opened : await reopenResponse(app.table, opened.response.id);
    return changeOnce(app, current, decide, result, exceptions);
  });

/** Like `changeResponse`, for one attempt. Throws WriteRefused or WriteConflict after a concurrent change. */
export async function changeOnce<R>(
  app: ChangePorts,
  current: OpenedResponse,
  decide: Decide,
  result: (response: Response) => R,
  exceptions: Exceptions,
): Promise<R> {
  app.ifMatch(current.response.version);
  const allowed = allowedChange(current, decide, app.now(), exceptions);
  if (allowed === current.response) return result(allowed);
  const next = { ...allowed, version: current.response.version + 1 };
  const writes = [
    replaceResponse(next),
    ...changedFiles(app, current.response, next, exceptions.attachable ?? []),
    ...(exceptions.alsoWrites ?? []),
  ];
  const changed = { ...current, response: next };
  const isEdit = current.response.progress === next.progress;
  if (writes.length === 1 && isEdit && entityBytes(next) > LARGE_BYTES) {
    const row = next.progress === 'SUBMITTED' ? rowAfter(current.gate, next.id, app.now(), ROW_SECONDS) : [];
    return commitResponse(app, changed, writes, result(next), row);
  }
  writes.push(...deliveriesAfter(app, current.gate, next, current.response));
  return commitResponse(app, changed, writes, result(next));
}

/**
 * A transaction costs twice the size of each of its items, so an edit of a response of more bytes is written by itself,
 * after what follows from it.
 */
const LARGE_BYTES = 32 * 1_024;
/** When a row is due that is queued before its response is written: later than the request can take. */
const ROW_SECONDS = 30;

/**
 * Commits the writes that store a response, and notes the questions that it is the first to answer: in one transaction,
 * or, if there are writes to do `ahead`, together with these before the response. If the response is then not written, a
 * row is synced without need, or a question keeps its type that nobody has answered. Throws 413 when the response is too
 * large to be stored.
 *
 * All responses of a form share what notes a question, so each question is noted once: a function whose cached set
 * lacks it reads the current set before it writes.
 */
export async function commitResponse<R>(
  app: ChangePorts,
  { response, structure, answered }: Current & CachedStructure,
  writes: readonly Write[],
  result: R,
  ahead?: readonly Write[],
): Promise<R> {
  requireFits(response);
  const unknown = (): string[] => Object.keys(response.answers).filter((questionId) => !answered.has(questionId));
  if (unknown().length > 0) {
    for (const questionId of await readAnswered(app.table, structure.formId)) answered.add(questionId);
  }
  const firstAnswers = unknown();
  const noted = firstAnswers.length > 0 ? noteAnswered(structure, firstAnswers) : [];
  const [before, together] = ahead ? [[...ahead, ...noted], writes] : [[], [...writes, ...noted]];
  if (before.length > 0) await app.table.write(before);
  const committed = await app.commit(together, result);
  for (const questionId of firstAnswers) answered.add(questionId);
  return committed;
}

/** The decided response. Throws like `changeResponse` if the rules do not allow it. */
export function allowedChange(
  current: OpenedResponse,
  decide: Decide,
  now: Date,
  { administrator = false, completesUploads = false }: Exceptions = {},
): Response {
  const { response, gate, structure } = current;
  const closed = closedBecause(gate, now);
  const decided = decideOrClosed(() => decide(current, now.toISOString()), administrator ? null : closed);
  if (decided === response || administrator) return decided;
  if (closed !== null && !(completesUploads && onlyAddsFiles(response, decided))) throw problems.formNotOpen(closed);
  if (decided.progress === 'DRAFT') return decided;
  if (response.progress === 'SUBMITTED' && !gate.allowEditResponse) throw problems.responseSubmitted();
  return completed({ response: decided, structure });
}

/** Runs a decision; if the form is closed, this is reported in place of other problems. */
function decideOrClosed(decide: () => Response, closed: string | null): Response {
  try {
    return decide();
  } catch (error) {
    throw closed !== null && error instanceof Problem ? problems.formNotOpen(closed) : error;
  }
}

const onlyAddsFiles = (before: Response, after: Response): boolean =>
  missingFiles(after, before).length > 0 && missingFiles(before, after).length === 0;

/** The files of a response that are not in another state of it. */
function missingFiles(response: Response, other: Response): string[] {
  const kept = new Set(fileIdsOf(other));
  return fileIdsOf(response).filter((fileId) => !kept.has(fileId));
}

/** The writes that attach added files and remove others. */
function changedFiles(
  app: Pick<Ports, 'now' | 'uuid'>,
  before: Response,
  next: Response,
  attachable: readonly StoredFile[],
): Write[] {
  const added = missingFiles(next, before).map((fileId) => {
    const file = attachable.find((each) => each.id === fileId);
    if (!file) throw new Error(`the file ${fileId} was added to ${next.id} but is not attachable`);
    return file;
  });
  return fileWrites(app, next, { added, removed: missingFiles(before, next) });
}

function requireFits(response: Response): void {
  const bytes = entityBytes(response);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(
    `A response may have at most ${MAX_ENTITY_BYTES} bytes; with these answers it would have ${bytes}.`,
  );
}

/** Reads a response with its gate and structure. Throws 404 when either is gone. */
export async function reopenResponse(table: Table, responseId: string): Promise<OpenedResponse> {
  const opened = await readResponse(table, responseId);
  if (!opened) throw problems.notFound();
  return opened;
}

/** Like `reopenResponse`; undefined when either is gone. */
export async function readResponse(table: Table, responseId: string): Promise<OpenedResponse | undefined> {
  const [item, gateItem] = await table.read([keys.response(responseId), keys.formGate(formKey(responseId))]);
  const response = responseOf(item);
  const gate = gateOf(gateItem);
  if (!response || !gate || gate.formId !== response.formId) return undefined;
  const cached = await loadStructure(table, gate.formId, gate.structureVersion);
  return cached && { response, gate, structure: cached.structure, answered: cached.answered };
}

/** A response as submit and cancel return it, as the result of an operation. */
export const summaryOf = (response: Response): { body: ResponseSummary; etag: number } => {
  const { id, formId, createdAt, submittedAt, progress, version } = response;
  return { body: { id, formId, createdAt, submittedAt, progress }, etag: version };
};
