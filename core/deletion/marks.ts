/** Deletes resources: the request removes what makes a resource visible and queues the removal of the rest. */

import type { Role } from '#core/access/access.ts';
import { removeFromInvitation } from '#core/accounts/invitation.ts';
import { MAX_WRITES } from '#core/db/batches.ts';
import { type Change, change, type Decision } from '#core/db/change.ts';
import { isInvitedId, type Key, keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { moveOwnership } from '#core/forms/spreadsheet.ts';
import { getSpreadsheetId } from '#core/forms/spreadsheet-model.ts';
import { loadForm, reloadForm, removeForm } from '#core/forms/store.ts';
import { queueJob } from '#core/jobs/job.ts';
import { loadOrganization, removeOrganization, type StoredOrganization } from '#core/organizations/store.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { queueRowUpdate } from '#core/responses/deliveries.ts';
import { listFileIds, type Response } from '#core/responses/model.ts';
import { keepPlaces, releasePlaces } from '#core/responses/places.ts';
import { eachSelected } from '#core/responses/selected.ts';
import { addToFileCount, markDeleted, markEdited, parseResponse } from '#core/responses/store.ts';

/** What is deleted. */
export type DeletedResource =
  /** `fileIds`: the files of its answers, which are removed with it. `guestId`: of the guest with an item who had it. */
  | { type: 'response'; id: string; fileIds: readonly string[]; guestId?: string }
  | { type: 'form' | 'organization'; id: string };

/** How much was removed. */
export type RemovedCounts = {
  responses: number;
  files: number;
  objects: number;
  items: number;
  forms: number;
  members: number;
};

/**
 * The data of a deletion. The second pass begins when upload URLs have expired and indexes have settled, and removes what
 * was written or not listed during the first. `after`: where the pass continues in the list of responses of a form.
 */
export type Deletion = DeletedResource & { pass: 1 | 2; removed: RemovedCounts; after?: string | undefined };

const NOTHING_REMOVED: RemovedCounts = { responses: 0, files: 0, objects: 0, items: 0, forms: 0, members: 0 };

/** Returns the key whose partition holds the items of a resource. */
export function partitionKey({ type, id }: Pick<DeletedResource, 'type' | 'id'>): Key {
  if (type === 'response') return keys.response(id);
  return type === 'form' ? keys.formHead(id) : keys.organization(id);
}

/** Builds the write that queues a deletion. */
export function queueDeletion(resource: DeletedResource, now: Date): Write {
  const fileIds = resource.type === 'response' ? resource.fileIds : [];
  return queueJob<Deletion>(
    {
      key: keys.deletion(partitionKey(resource)),
      kind: 'deletion',
      data: { ...resource, pass: 1, removed: { ...NOTHING_REMOVED, files: fileIds.length } },
    },
    now,
  );
}

// Deletes a form: one transaction removes its settings and its gate, releases its spreadsheet and queues its deletion, so
// that nothing of it can be read or written any more. The worker removes the rest.

/** Deletes a form. Throws 404 when it was deleted, 409 for a stale `If-Match`. */
export const deleteForm = (app: ChangePorts, opened: Form): Promise<void> =>
  change(app, {
    loaded: opened,
    reload: () => reloadForm(app, opened.id),
    decide: async (form) => {
      app.ifMatch(form.version);
      return { writes: await buildFormDeletion(app, form), result: undefined };
    },
  });

/** Deletes a form of a deleted organization; does nothing when it was deleted. */
export const deleteFormOfOrganization = (app: Pick<Ports, 'table' | 'now'>, formId: string): Promise<void> =>
  change(app, {
    reload: () => loadForm(app.table, formId),
    decide: async (form) => ({ writes: form ? await buildFormDeletion(app, form) : [], result: undefined }),
  });

const buildFormDeletion = async ({ table, now }: Pick<Ports, 'table' | 'now'>, form: Form): Promise<Write[]> => [
  ...removeForm(form),
  queueDeletion({ type: 'form', id: form.id }, now()),
  ...(await moveOwnership(table, { orgId: form.orgId, from: getSpreadsheetId(form), to: null })),
];

// Deletes an organization: one transaction removes it, releases its slug and queues its deletion, so that its settings
// cannot be read any more and nothing can be created in it. The worker removes its forms, units and memberships.

/** Deletes an organization. Throws 404 when it was deleted. */
export const deleteOrganization = (app: ChangePorts, opened: StoredOrganization): Promise<void> =>
  change(app, {
    loaded: opened,
    reload: async () => requireFound(await loadOrganization(app.table, opened.id)),
    decide: (org) => {
      const now = app.now();
      const deletion = queueDeletion({ type: 'organization', id: org.id }, now);
      return { writes: [...removeOrganization(org, now.toISOString()), deletion], result: undefined };
    },
  });

// Deletes a response: one transaction removes it with the items of its files and queues its deletion, so that nothing of
// it can be read or written any more. The worker removes the rest.

const SUBMITTED_STAYS =
  'A submitted response can be deleted only by admins of the organization and the member who created the form.';

/** The other writes of the transaction: the response, the number of files, the deletion, the row, the claim, the places. */
const OTHER_WRITES = 6;

/**
 * Deletes a response. `roles`: of who deletes it; its owner can delete a draft only. Throws 403 for a submitted response of
 * its owner, 404 when it was deleted, 409 for a stale `If-Match`.
 */
export const deleteResponse = (
  app: ChangePorts,
  opened: Response,
  { spreadsheetId, roles }: Pick<Gate, 'spreadsheetId'> & { roles: readonly Role[] },
): Promise<void> =>
  removeWithFiles(app, {
    loaded: toDeletable(opened),
    reload: async () => requireFound(await loadDeletable(app.table, opened)),
    decide: ({ response, isInvited }) => {
      app.ifMatch(response.version);
      const onlyDraft = !roles.includes('admin') && !roles.includes('creator');
      if (onlyDraft && response.progress === 'SUBMITTED') throw problems.forbidden(SUBMITTED_STAYS);
      return decideDeletion(app, { response, isInvited }, spreadsheetId);
    },
  });

/**
 * Deletes some responses of a form, each in a transaction of its own; those that are gone already, or are of another form, are
 * left out. `roles`: of who deletes them. Returns how many were deleted.
 */
export const deleteResponses = (
  app: ChangePorts,
  { formId, ...gate }: Pick<Gate, 'formId' | 'spreadsheetId'> & { roles: readonly Role[] },
  responseIds: readonly string[],
): Promise<number> =>
  eachSelected(app, { formId, responseIds, unless: ['not_found'] }, (response) => deleteResponse(app, response, gate));

/** Deletes some drafts of a form like `deleteResponses`, as their owners may: one that is submitted meanwhile stays. */
export const deleteDrafts = (
  app: ChangePorts,
  { formId, spreadsheetId }: Pick<Gate, 'formId' | 'spreadsheetId'>,
  responseIds: readonly string[],
): Promise<number> =>
  eachSelected(app, { formId, responseIds, unless: ['not_found', 'forbidden'] }, (response) =>
    deleteResponse(app, response, { spreadsheetId, roles: ['owner'] }),
  );

/**
 * Deletes a response for its age, if it is `due` when it is deleted: somebody may save, submit or cancel it meanwhile. What was submitted
 * keeps its place, and its person does not start another one where each starts one.
 */
export const deleteDue = (
  app: Pick<Ports, 'table' | 'now'>,
  opened: Response,
  { spreadsheetId, isDue }: Pick<Gate, 'spreadsheetId'> & { isDue: (response: Response) => boolean },
): Promise<void> =>
  removeWithFiles(app, {
    loaded: toDeletable(opened),
    reload: () => loadDeletable(app.table, opened),
    decide: (current) =>
      current && isDue(current.response)
        ? decideDeletion(app, current, spreadsheetId, current.response.progress === 'SUBMITTED')
        : { writes: [], result: [] },
  });

/** A response that is deleted, and whether there is an invitation that names it. */
type Deletable = { response: Response; isInvited: boolean };

const toDeletable = (response: Response): Deletable => ({ response, isInvited: isInvitedId(response.userId) });

async function loadDeletable(table: Ports['table'], { id, userId }: Response): Promise<Deletable | undefined> {
  const guestKeys = isInvitedId(userId) ? [keys.guest(userId)] : [];
  const [item, guest] = await table.read([keys.response(id), ...guestKeys]);
  const response = parseResponse(item);
  return response && { response, isInvited: guest !== undefined };
}

/**
 * Decides the deletion of a response; its result is the ids of its files. `isTaken`: what it has taken stays taken, its places and the
 * claim of its person.
 */
function decideDeletion(
  { now }: Pick<Ports, 'now'>,
  { response, isInvited }: Deletable,
  spreadsheetId: string | null,
  isTaken = false,
): Decision<readonly string[]> {
  const fileIds = listFileIds(response);
  const isSubmitted = response.progress === 'SUBMITTED';
  const writes = [
    markDeleted(response),
    queueDeletion(
      { type: 'response', id: response.id, fileIds, ...(isInvited && { guestId: response.userId }) },
      now(),
    ),
    ...(isSubmitted ? queueRowUpdate({ spreadsheetId }, response.id, now()) : []),
    ...addToFileCount(response.userId, -fileIds.length),
    ...(isTaken && response.isOnce ? [] : releaseClaims(response, isInvited)),
    ...(isTaken && response.places ? [keepPlaces(response.formId, response.places)] : []),
    ...fileIds.slice(0, MAX_WRITES - OTHER_WRITES).map((fileId): Write => ({ remove: keys.file(fileId) })),
  ];
  const release = !isTaken && response.places && { reserve: releasePlaces(response.formId, response.places) };
  return { writes, firstWrites: isSubmitted ? [markEdited(response.formId, now())] : [], ...release, result: fileIds };
}

/** Deletes a response as `change` decides, and the items of its files that its transaction did not take. */
async function removeWithFiles<T>({ table }: Pick<Ports, 'table'>, deletion: Change<T, readonly string[]>) {
  const fileIds = await change({ table }, deletion);
  await table.remove(fileIds.slice(MAX_WRITES - OTHER_WRITES).map(keys.file));
}

/** Builds the write by which the person of a deleted response may start another one. */
function releaseClaims({ id, formId, userId, isOnce }: Response, isInvited: boolean): Write[] {
  if (isInvited) return [removeFromInvitation(userId, id)];
  return isOnce ? [{ remove: keys.once(formId, userId) }] : [];
}
