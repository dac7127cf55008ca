/**
 * Changes responses: a pure function decides the change, the rules below are enforced, and one conditional write stores
 * the response with its files and the deliveries that the change makes due. After a concurrent change all of this is repeated with the newest response.
 *
 * A response can change only while its form is open; a submitted one only if the form allows editing, and it must stay
 * complete. A change without effect is always allowed. Exceptions: an admin can delete a file at any time, and uploads
 * that were announced in time can be completed after the form has closed.
 */

import {
  type Call,
  type Caller,
  callerFor,
  type Invited,
  type Opener,
  parsePathId,
  type Role,
  requireCaller,
} from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { change, type Decision, type Edit, type Reservation } from '#core/db/change.ts';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { formKey, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Table, Write } from '#core/db/table.ts';
import { closedReason, type Gate, parseGate, requireOpen } from '#core/forms/gate.ts';
import { formRoles, openGateToRespond, takesGuest } from '#core/forms/open.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { isId } from '#core/schema/schema.ts';
import { type CachedStructure, loadStructure, readAnswered, recordAnswered } from '#core/structure/store.ts';
import { findQuestion, limitsChoices } from '#core/structure/structure.ts';
import { type Current, requireComplete } from './answers.ts';
import { queueDeliveries } from './deliveries.ts';
import { DeliveryTarget } from './delivery-model.ts';
import { listFileIds, MAX_GUEST_RESPONSES, MAX_OWN_RESPONSES, type Response, type ResponseSummary } from './model.ts';
import {
  countOwnResponses,
  fileWrites,
  listOwnEntries,
  loadResponses,
  markEdited,
  parseResponse,
  replaceResponse,
  type StoredFile,
} from './store.ts';

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
};

/** An edit of a response. `attachable`: stored files that it may attach. */
export type ResponseEdit<B> = Edit<Response, B> & { attachable?: readonly StoredFile[] };

/** Edits a response; throws a problem to refuse. */
type EditResponse<B> = (current: OpenedResponse, now: string) => ResponseEdit<B>;

/** The result of a change: the body with the version as `etag`, and the response as it is then. */
export type ChangedResponse<B> = { body: B; etag: number; opened: OpenedResponse };

/**
 * Changes a response. Throws what `edit` throws, 400 for a form that is not open or a submitted response that would become
 * incomplete, 403 for a submitted response that cannot be edited, 404 when it was deleted, 409 for a stale `If-Match` and when no place is
 * left, 413 when it would become too large.
 */
export const changeResponse = <B>(
  app: ChangePorts,
  opened: OpenedResponse,
  edit: EditResponse<B>,
  exceptions: Exceptions = {},
): Promise<ChangedResponse<B>> =>
  change(app, {
    loaded: opened,
    reload: () => reopenResponse(app.table, opened.response.id),
    decide: (current) => decideEdit(app, current, edit, exceptions),
  });

/** Decides an edit of a response, for `change`. Throws like `changeResponse`. */
export async function decideEdit<B>(
  app: ChangePorts,
  current: OpenedResponse,
  edit: EditResponse<B>,
  exceptions: Exceptions = {},
): Promise<Decision<ChangedResponse<B>>> {
  const { version } = current.response;
  app.ifMatch(version);
  const allowed = allowedEdit(current, edit, app.now(), exceptions);
  const { next: edited, body } = allowed;
  if (edited === current.response) return { writes: [], result: { body, etag: version, opened: current } };
  const { next, reserve } = await reservePlaces(app, current, {
    before: current.response,
    next: { ...edited, version: version + 1 },
  });
  const result = { body, etag: next.version, opened: { ...current, response: next } };
  return { ...(await buildResponseWrites(app, current, next, allowed)), reserve, result };
}

/** A change of a response; `before`: undefined for a new one. */
export type ResponseChange = { before: Response | undefined; next: Response };

/**
 * Returns the next state of a response with its places, and what the change takes from those of the form. Forms without limits load
 * none of the code for it.
 */
export async function reservePlaces(
  app: Pick<Ports, 'table' | 'now'>,
  form: Pick<OpenedResponse, 'gate' | 'structure'>,
  changed: ResponseChange,
): Promise<{ next: Response; reserve?: Reservation | undefined }> {
  const isLimited = form.gate.maxResponses !== null || limitsChoices(form.structure);
  if (!isLimited && changed.before?.places === undefined) return { next: changed.next };
  return (await import('./places.ts')).planPlaces(app, form, changed);
}

/**
 * Builds the writes that store the next state of a response with its files and deliveries. First answers are recorded before it unless
 * there is a transaction anyway, which costs twice the size of its items: if the response is then not written, a question keeps its
 * type that nobody has answered.
 */
async function buildResponseWrites(
  app: ChangePorts,
  current: OpenedResponse,
  next: Response,
  { attachable = [], alsoWrites = [] }: Pick<ResponseEdit<unknown>, 'attachable' | 'alsoWrites'>,
): Promise<Omit<Decision<never>, 'result'>> {
  const writes = [
    replaceResponse(next),
    ...changedFiles(app, current.response, next, attachable),
    ...queueDeliveries(app, { ...current, response: next }, current.response),
    ...alsoWrites,
    ...(await removedWithSubmission(app.table, current, next)),
  ];
  const { records, onWritten } = await recordFirstAnswers(app, { ...current, response: next });
  const marks = current.response.progress === 'SUBMITTED' ? [markEdited(next.formId, app.now())] : [];
  return writes.length === 1
    ? { writes, firstWrites: [...records, ...marks], onWritten }
    : { writes: [...writes, ...records], firstWrites: marks, onWritten };
}

/** Builds the writes that remove what waits beside a submission, when it becomes a draft again. Most forms have nothing that could wait. */
async function removedWithSubmission(
  table: Table,
  { response, gate }: Pick<OpenedResponse, 'response' | 'gate'>,
  next: Response,
): Promise<Write[]> {
  if (response.progress === 'DRAFT' || next.progress === 'SUBMITTED' || !gate.hasEdits) return [];
  const [item] = await table.read([keys.pendingEdit(next.id)]);
  return item ? [{ remove: keys.pendingEdit(next.id) }] : [];
}

/**
 * Builds the writes that record the questions that a response is the first to answer. `onWritten` remembers the questions.
 * Throws 413 when the response is too large to be stored.
 *
 * All responses of a form share the item that records answered questions, so each question is recorded once: a function
 * whose cached set lacks it reads the current set before it writes.
 */
export async function recordFirstAnswers(
  { table }: Pick<Ports, 'table'>,
  { response, structure, answered }: Current & CachedStructure,
): Promise<{ records: Write[]; onWritten: () => void }> {
  requireResponseFits(response);
  const findUnrecorded = (): string[] =>
    Object.keys(response.answers).filter((questionId) => !answered.has(questionId));
  if (findUnrecorded().length > 0) {
    for (const questionId of await readAnswered(table, structure.formId)) answered.add(questionId);
  }
  const firstAnswers = findUnrecorded();
  return {
    records: firstAnswers.length > 0 ? recordAnswered(structure, firstAnswers) : [],
    onWritten: () => {
      for (const questionId of firstAnswers) answered.add(questionId);
    },
  };
}

/**
 * Decides an edit and returns it with the response that follows. Throws like `changeResponse` if the rules do not allow it.
 */
export function allowedEdit<E extends { next: Response }>(
  current: OpenedResponse,
  edit: (current: OpenedResponse, now: string) => E,
  now: Date,
  { administrator = false, completesUploads = false }: Exceptions = {},
): E {
  const { response, gate, structure } = current;
  const reason = closedReason(gate, now);
  const edited = editOrClosed(() => edit(current, now.toISOString()), administrator ? null : reason);
  const { next } = edited;
  if (next === response || administrator) return edited;
  if (reason !== null && !(completesUploads && onlyAddsFiles(response, next))) throw problems.formNotOpen(reason);
  if (next.progress === 'DRAFT') return edited;
  if (response.progress === 'SUBMITTED' && !gate.allowEditResponse) throw problems.responseSubmitted();
  return { ...edited, next: requireComplete({ response: next, structure }) };
}

/** Throws 400 when the form of a response is closed, and 403 when the response was submitted for good. */
export function requireEditable({ response, gate }: Pick<OpenedResponse, 'response' | 'gate'>, now: Date): void {
  requireOpen(gate, now);
  if (response.progress === 'SUBMITTED' && !gate.allowEditResponse) throw problems.responseSubmitted();
}

/** Runs an edit; if the form is closed, this is reported in place of other problems. */
function editOrClosed<E>(edit: () => E, reason: string | null): E {
  try {
    return edit();
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

/** Reads a response with its gate and structure. Throws 404 when either was deleted. */
export async function reopenResponse(table: Table, responseId: string): Promise<OpenedResponse> {
  const opened = await readResponse(table, responseId);
  if (!opened) throw problems.notFound();
  return opened;
}

/** Like `reopenResponse`; undefined when either was deleted. */
export async function readResponse(table: Table, responseId: string): Promise<OpenedResponse | undefined> {
  const [item, gateItem] = await table.read([keys.response(responseId), keys.formGate(formKey(responseId))]);
  const response = parseResponse(item);
  const gate = parseGate(gateItem);
  if (!response || !gate || gate.formId !== response.formId) return undefined;
  const cached = await loadStructure(table, gate.formId, gate.structureVersion);
  return cached && { response, gate, structure: cached.structure, answered: cached.answered };
}

/** Presents a response as submit and cancel return it. */
export const presentResponseSummary = (response: Response): ResponseSummary => {
  const { id, formId, createdAt, submittedAt, progress } = response;
  return { id, formId, createdAt, submittedAt, progress };
};

// Openers of responses. A response is visible to its owner and to the members of the form's organization. The id of a
// response contains the form key, so the response and the gate of its form are one read.

/** How many responses to a form somebody has; `draftId`: of the draft of a guest, who has one at most. */
export type OwnResponses = { ownCount: number; draftId?: string | undefined };

/**
 * Opens the gate of the form of `{formId}` to start a response, with the responses of who starts it. Throws 403 for a guest of a
 * form that takes no new ones, and where only guests with an invitation or an address start, for everybody else, also with an account.
 */
export const openGateToStart: Opener<{ caller: Caller; gate: Gate } & OwnResponses> = async (call) => {
  const user = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const { table } = call.app;
  const [opened, ownOfUser] = await Promise.all([openGateToRespond(call), countOwn(table, user, formId)]);
  const { gate } = opened.resource;
  const caller = starterOf(call, gate);
  const own = caller === user ? ownOfUser : await countOwn(table, caller, formId);
  return { ...opened, resource: { gate, caller, ...own } };
};

/** Returns who of the callers of a request starts a response. Throws 403 when none of them may. */
function starterOf(call: Call, { audience }: Gate): Caller {
  const user = requireCaller(call.user);
  if (audience === 'INVITED' || audience === 'EMAIL') {
    const invited = [call.guest, user].find((caller) => caller?.invited && takesGuest(audience, caller));
    if (!invited) throw problems.invitationNeeded();
    return invited;
  }
  if (user.guestOf !== undefined && !takesGuest(audience, user)) throw problems.accountNeeded();
  return user;
}

/** Counts the responses of somebody to a form: those of an invited guest as they are, others as the index knows them. */
async function countOwn(table: Table, { id, guestOf, invited }: Caller, formId: string): Promise<OwnResponses> {
  if (invited) return countInvited(table, invited);
  if (guestOf === undefined) return { ownCount: await countOwnResponses(table, id, formId, MAX_OWN_RESPONSES) };
  // Indexes lag: a response may briefly have two entries.
  const entries = await listOwnEntries(table, id, 2 * MAX_GUEST_RESPONSES, formId);
  return { ownCount: entries.length, draftId: findDraft(entries) };
}

/** Counts the responses that an invited guest has started, with the id of their draft. */
export const countInvited = async (table: Table, { responseIds }: Invited): Promise<OwnResponses> => ({
  ownCount: responseIds.length,
  draftId: findDraft(await loadResponses(table, responseIds)),
});

const findDraft = (responses: readonly Pick<Response, 'id' | 'progress'>[]): string | undefined =>
  responses.find(({ progress }) => progress === 'DRAFT')?.id;

/**
 * Opens the response of `{responseId}`; if the path has a `{formId}`, of this form. Throws 404 for an unknown
 * `{questionId}`.
 */
export const openResponse: Opener<{ caller: Caller; opened: OpenedResponse }> = async (call) => {
  requireCaller(call.user);
  const formId = 'formId' in call.params ? parsePathId(call.params, 'formId') : undefined;
  const opened = await readResponse(call.app.table, parsePathId(call.params, 'responseId'));
  if (!opened || (formId !== undefined && formId !== opened.gate.formId)) throw problems.notFound();
  const caller = callerFor(call, opened.response.userId);
  const access = await loadAccess(call, opened.response, opened.gate);
  if (access.roles.length === 0) throw problems.notFound();
  requireNamedQuestion(call, opened);
  return { resource: { caller, opened }, ...access };
};

/**
 * Opens the response of `{responseId}`, and where its delivery of `{kind}` goes: undefined for another kind, which is
 * reported after the caller's role was checked.
 */
export const openDelivery: Opener<{ opened: OpenedResponse; target: DeliveryTarget | undefined }> = async (call) => {
  const { resource, roles } = await openResponse(call);
  const target = DeliveryTarget().safeParse(call.params.kind).data;
  return { resource: { opened: resource.opened, target }, roles };
};

/** Opens the response of `{responseId}`, to the form of `{formId}` if the path has one, to delete it: without the structure. */
export const openResponseToDelete: Opener<{ caller: Caller; response: Response; gate: Gate }> = async (call) => {
  requireCaller(call.user);
  const formId = 'formId' in call.params ? parsePathId(call.params, 'formId') : undefined;
  const responseId = parsePathId(call.params, 'responseId');
  const [item, gateItem] = await call.app.table.read([keys.response(responseId), keys.formGate(responseId)]);
  const response = parseResponse(item);
  const gate = parseGate(gateItem);
  if (!response || gate?.formId !== response.formId) throw problems.notFound();
  if (formId !== undefined && formId !== gate.formId) throw problems.notFound();
  const caller = callerFor(call, response.userId);
  // An owner who is an admin too can delete also what is submitted.
  const asOwner = response.progress === 'DRAFT' && acceptsOwner(call);
  const { roles } = await loadAccess(call, response, gate, asOwner);
  if (roles.length === 0) throw problems.notFound();
  return { resource: { caller, response, gate }, roles };
};

/**
 * Whether somebody has a response and may see it. Whoever finds a code learns nothing of what was submitted before they typed it: that is
 * for the device on which it was submitted, and for the link.
 */
export const isOwner = (
  { id, invited }: Caller,
  { userId, submittedAt }: Pick<Response, 'userId' | 'submittedAt'>,
): boolean =>
  id === userId &&
  (invited?.codeAt === undefined || submittedAt === null || epochSeconds(new Date(submittedAt)) >= invited.codeAt);

type ResponseAccess = { roles: Role[]; name?: string; memberOf?: readonly string[] };

const acceptsOwner = ({ access: { roles } }: Call): boolean => roles === undefined || roles.includes('owner');

/** Loads the roles of the callers of a request for a response; none when it is not visible to them. */
async function loadAccess(
  call: Call,
  response: Response,
  gate: Gate,
  ownerSuffices = acceptsOwner(call),
): Promise<ResponseAccess> {
  const caller = requireCaller(call.user);
  const owner: Role[] = isOwner(callerFor(call, response.userId), response) ? ['owner'] : [];
  // The account is not read if being the owner is sufficient.
  if (owner.length > 0 && ownerSuffices) return { roles: owner };
  const account = await loadAccount(call.app.table, caller.id);
  const roles = formRoles(account, gate, caller);
  const memberOf = Object.keys(account?.memberships ?? {});
  const name = account?.name ?? '';
  return { roles: roles.includes('member') ? [...owner, ...roles] : owner, name, memberOf };
}

/** Throws 404 for a question that is neither in the form nor answered in the response. */
function requireNamedQuestion({ params }: Call, { response, structure }: OpenedResponse): void {
  const { questionId } = params;
  // A malformed id is reported after the caller's role was checked.
  if (questionId === undefined || !isId(questionId)) return;
  if (findQuestion(structure, questionId) || Object.hasOwn(response.answers, questionId)) return;
  throw problems.notFound();
}
