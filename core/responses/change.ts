/**
 * Changes responses: a pure function decides the change, the rules below are enforced, and one conditional write stores
 * the response with its files. After a concurrent change all of this is repeated with the newest response.
 *
 * A response can change only while its form is open; a submitted one only if the form allows editing, and it must stay
 * complete. A change without effect is always allowed. Exceptions: an admin can delete a file at any time, and uploads
 * that were announced in time can be completed after the form has closed.
 */

import { type Call, type Caller, type Opener, parsePathId, type Role, requireCaller } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table, Write } from '#core/db/table.ts';
import { closedReason, type Gate, parseGate } from '#core/forms/gate.ts';
import { formRoles, openGateToRespond } from '#core/forms/open.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { type CachedStructure, loadStructure, readAnswered, recordAnswered } from '#core/structure/store.ts';
import { findQuestion } from '#core/structure/structure.ts';
import { queueDeliveries, queueRowUpdate } from './deliveries.ts';
import { DeliveryTarget } from './delivery-model.ts';
import { type Current, requireComplete } from './edits.ts';
import { listFileIds, MAX_OWN_RESPONSES, type Response, type ResponseSummary } from './model.ts';
import { countOwnResponses, fileWrites, parseResponse, replaceResponse, type StoredFile } from './store.ts';

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
 * when it was deleted, 409 for a stale `If-Match`, 413 when it would become too large.
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
    const row = next.progress === 'SUBMITTED' ? queueRowUpdate(current.gate, next.id, app.now(), ROW_SECONDS) : [];
    return commitResponse(app, changed, writes, result(next), row);
  }
  writes.push(...queueDeliveries(app, current.gate, next, current.response));
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
 * Commits the writes that store a response, and records the questions that it is the first to answer: in one transaction,
 * or, if there are writes to do `ahead`, together with these before the response. If the response is then not written, a
 * row is synced without need, or a question keeps its type that nobody has answered. Throws 413 when the response is too
 * large to be stored.
 *
 * All responses of a form share the item that records answered questions, so each question is recorded once: a function
 * whose cached set lacks it reads the current set before it writes.
 */
export async function commitResponse<R>(
  app: ChangePorts,
  { response, structure, answered }: Current & CachedStructure,
  writes: readonly Write[],
  result: R,
  ahead?: readonly Write[],
): Promise<R> {
  requireResponseFits(response);
  const findUnrecorded = (): string[] =>
    Object.keys(response.answers).filter((questionId) => !answered.has(questionId));
  if (findUnrecorded().length > 0) {
    for (const questionId of await readAnswered(app.table, structure.formId)) answered.add(questionId);
  }
  const firstAnswers = findUnrecorded();
  const recordWrites = firstAnswers.length > 0 ? recordAnswered(structure, firstAnswers) : [];
  const [writesAhead, writesTogether] = ahead
    ? [[...ahead, ...recordWrites], writes]
    : [[], [...writes, ...recordWrites]];
  if (writesAhead.length > 0) await app.table.write(writesAhead);
  const committed = await app.commit(writesTogether, result);
  for (const questionId of firstAnswers) answered.add(questionId);
  return committed;
}

/** Decides a change and returns the next response. Throws like `changeResponse` if the rules do not allow it. */
export function allowedChange(
  current: OpenedResponse,
  decide: Decide,
  now: Date,
  { administrator = false, completesUploads = false }: Exceptions = {},
): Response {
  const { response, gate, structure } = current;
  const reason = closedReason(gate, now);
  const decided = decideOrClosed(() => decide(current, now.toISOString()), administrator ? null : reason);
  if (decided === response || administrator) return decided;
  if (reason !== null && !(completesUploads && onlyAddsFiles(response, decided))) throw problems.formNotOpen(reason);
  if (decided.progress === 'DRAFT') return decided;
  if (response.progress === 'SUBMITTED' && !gate.allowEditResponse) throw problems.responseSubmitted();
  return requireComplete({ response: decided, structure });
}

/** Runs a decision; if the form is closed, this is reported in place of other problems. */
function decideOrClosed(decide: () => Response, reason: string | null): Response {
  try {
    return decide();
  } catch (error) {
    throw reason !== null && error instanceof Problem ? problems.formNotOpen(reason) : error;
  }
}

const onlyAddsFiles = (before: Response, after: Response): boolean =>
  missingFiles(after, before).length > 0 && missingFiles(before, after).length === 0;

/** Lists the files of a response that are not in another state of it. */
function missingFiles(response: Response, other: Response): string[] {
  const otherIds = new Set(listFileIds(other));
  return listFileIds(response).filter((fileId) => !otherIds.has(fileId));
}

/** Builds the writes that attach added files and remove others. */
function changedFiles(
  app: Pick<Ports, 'now' | 'uuid'>,
  before: Response,
  next: Response,
  attachable: readonly StoredFile[],
): Write[] {
  const added = missingFiles(next, before).map((fileId) => {
    const file = attachable.find((candidate) => candidate.id === fileId);
    if (!file) throw new Error(`the file ${fileId} was added to ${next.id} but is not attachable`);
    return file;
  });
  return fileWrites(app, next, { added, removed: missingFiles(before, next) });
}

function requireResponseFits(response: Response): void {
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
  const response = parseResponse(item);
  const gate = parseGate(gateItem);
  if (!response || !gate || gate.formId !== response.formId) return undefined;
  const cached = await loadStructure(table, gate.formId, gate.structureVersion);
  return cached && { response, gate, structure: cached.structure, answered: cached.answered };
}

/** Presents a response as submit and cancel return it, as the result of an operation. */
export const presentResponseSummary = (response: Response): { body: ResponseSummary; etag: number } => {
  const { id, formId, createdAt, submittedAt, progress, version } = response;
  return { body: { id, formId, createdAt, submittedAt, progress }, etag: version };
};

// Openers of responses. A response is visible to its owner and to the members of the form's organization. The id of a
// response contains the form key, so the response and the gate of its form are one read.

/** Opens the gate of the form of `{formId}` to start a response, with the number of the caller's responses in parallel. */
export const openGateToStart: Opener<{ caller: Caller; gate: Gate; ownCount: number }> = async (call) => {
  const { id } = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const [opened, ownCount] = await Promise.all([
    openGateToRespond(call),
    countOwnResponses(call.app.table, id, formId, MAX_OWN_RESPONSES),
  ]);
  return { ...opened, resource: { ...opened.resource, ownCount } };
};

/**
 * Opens the response of `{responseId}`; if the path has a `{formId}`, of this form. Throws 404 for an unknown `{questionId}`.
 */
export const openResponse: Opener<{ caller: Caller; opened: OpenedResponse }> = async (call) => {
  const caller = requireCaller(call.user);
  const formId = 'formId' in call.params ? parsePathId(call.params, 'formId') : undefined;
  const opened = await readResponse(call.app.table, parsePathId(call.params, 'responseId'));
  if (!opened || (formId !== undefined && formId !== opened.gate.formId)) throw problems.notFound();
  const roles = await loadRoles(call, opened.response, opened.gate, caller);
  if (roles.length === 0) throw problems.notFound();
  requireNamedQuestion(call, opened);
  return { resource: { caller, opened }, roles };
};

/**
 * Opens the response of `{responseId}`, and where its delivery of `{kind}` goes: undefined for another kind, which is reported
 * after the caller's role was checked.
 */
export const openDelivery: Opener<{ opened: OpenedResponse; target: DeliveryTarget | undefined }> = async (call) => {
  const { resource, roles } = await openResponse(call);
  const target = DeliveryTarget().safeParse(call.params.kind).data;
  return { resource: { opened: resource.opened, target }, roles };
};

/** Opens the response of `{responseId}` to the form of `{formId}`, to delete it: without the structure. */
export const openResponseToDelete: Opener<{ caller: Caller; response: Response; gate: Gate }> = async (call) => {
  const caller = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const responseId = parsePathId(call.params, 'responseId');
  const [item, gateItem] = await call.app.table.read([keys.response(responseId), keys.formGate(responseId)]);
  const response = parseResponse(item);
  const gate = parseGate(gateItem);
  if (!response || gate?.formId !== formId || response.formId !== formId) throw problems.notFound();
  const roles = await loadRoles(call, response, gate, caller);
  if (roles.length === 0) throw problems.notFound();
  return { resource: { caller, response, gate }, roles };
};

/** Loads the roles of a caller for a response; empty when it is not visible to them. */
async function loadRoles(call: Call, response: Response, gate: Gate, caller: Caller): Promise<Role[]> {
  const owner: Role[] = response.userId === caller.id ? ['owner'] : [];
  // The account is not read if being the owner is sufficient.
  const needsAccount = call.access.roles !== undefined && !call.access.roles.includes('owner');
  if (owner.length > 0 && !needsAccount) return owner;
  const roles = formRoles(await loadAccount(call.app.table, caller.id), gate, caller);
  return roles.includes('member') ? [...owner, ...roles] : owner;
}

/** Throws 404 for a question that is neither in the form nor answered in the response. */
function requireNamedQuestion({ params }: Call, { response, structure }: OpenedResponse): void {
  const { questionId } = params;
  // A malformed id is reported after the caller's role was checked.
  if (questionId === undefined || !isId(questionId)) return;
  if (findQuestion(structure, questionId) || Object.hasOwn(response.answers, questionId)) return;
  throw problems.notFound();
}
