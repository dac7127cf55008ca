/**
 * Opens the form that a path names, by its own id or by the id of a section, question or node of it, and decides
 * who may know it (contract section 4, "Visibility"): its members always; everybody signed in while it is
 * PUBLISHED; its respondents also once it is ARCHIVED. One round trip, but for that last case.
 */

import { pathId } from '#core/access/path.ts';
import type { Account } from '#core/accounts/model.ts';
import { present } from '#core/accounts/open.ts';
import { accountOf } from '#core/accounts/store.ts';
import type { Role } from '#core/api/declare.ts';
import { type Key, keys, partitions } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import type { App } from '#core/http/app.ts';
import type { Call, Opened, Opener } from '#core/http/operation.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { rolesIn } from '#core/organizations/open.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { type StoredStructure, structureOf } from '#core/structure/store.ts';
import { findNode, findQuestion, findSection } from '#core/structure/structure.ts';
import type { Form } from './model.ts';
import { formOf, storedFormOf } from './store.ts';

export type OpenedForm = { user: Caller; account: Account | undefined; form: Form; editor: boolean };
export type OpenedStructure = OpenedForm & { stored: StoredStructure };

/** The form of `{formId}`. */
export const form: Opener<OpenedForm> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const { items } = await readWith(call, [keys.formHead(formId)]);
  return admitToForm(call, formOf(items[0], formId), accountOf(items.at(-1)));
};

/** The form of `{formId}` even while it is being deleted, so that a deletion can be run to its end. */
export const formToDelete: Opener<OpenedForm> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const { items } = await readWith(call, [keys.formHead(formId)]);
  return admitToForm(call, storedFormOf(items[0], formId), accountOf(items.at(-1)));
};

/** The form of `{formId}` with its structure, and the section or node that the path goes on to name. */
export const formWithStructure: Opener<OpenedStructure> = async (call) => {
  const formId = pathId(call.params, 'formId');
  const { items } = await readWith(call, [keys.formHead(formId), keys.formStructure(formId)]);
  const opened = await admitToForm(call, formOf(items[0], formId), accountOf(items.at(-1)));
  return withStructure(call, opened, items[1]);
};

/** The form of `{sectionId}` with its structure; the section is in it, and the question if the path names one. */
export const formOfSection: Opener<OpenedStructure> = async (call) => {
  const sectionId = pathId(call.params, 'sectionId');
  const { items } = await readWith(call, [keys.formHead(sectionId), keys.formStructure(sectionId)]);
  const structure = structureOf(items[1]);
  const opened = await admitToForm(
    call,
    structure && formOf(items[0], structure.structure.formId),
    accountOf(items.at(-1)),
  );
  return withStructure(call, opened, items[1]);
};

/** Reads some items together with the caller's account, which comes last. */
async function readWith(call: Call, wanted: readonly Key[]): Promise<{ items: (Item | undefined)[] }> {
  return { items: await call.app.table.read([...wanted, keys.account(present(call.user).id)]) };
}

/** Admits the caller to a form: what they are to it, or the 404 of a form they may not know. */
export async function admitToForm(
  call: Call,
  found: Form | undefined,
  account: Account | undefined,
): Promise<Opened<OpenedForm>> {
  const user = present(call.user);
  if (!found) throw problems.notFound();
  const roles = formRoles(account, found, user);
  const editor = roles.includes('member');
  if (!editor && !(await mayRead(call.app, found, user.id))) throw problems.notFound();
  const onboarded = account ? { onboarded: account.onboarded } : {};
  return { thing: { user, account, form: found, editor }, roles, ...onboarded };
}

/** What a caller is to a form: what they are in its organization, and `creator` when they, a member, made it. */
export function formRoles(account: Account | undefined, found: Form, user: Caller): Role[] {
  const roles = rolesIn(account, found.orgId, user);
  return roles.includes('member') && found.creatorId === user.id ? [...roles, 'creator'] : roles;
}

async function mayRead(app: App, found: Form, userId: string): Promise<boolean> {
  if (found.deleting) return false;
  if (found.status === 'PUBLISHED') return true;
  return found.status === 'ARCHIVED' && hasResponded(app, userId, found.id);
}

/** Whether a user has started a response to a form. */
export async function hasResponded(app: App, userId: string, formId: string): Promise<boolean> {
  const page = await app.table.page({ ...partitions.responsesOfUserTo(userId, formId), limit: 1 });
  return page.items.length > 0;
}

/** Adds the structure, and holds that the section, question or node which the path names is in it: 404 else. */
function withStructure(call: Call, opened: Opened<OpenedForm>, item: Item | undefined): Opened<OpenedStructure> {
  const stored = structureOf(item);
  if (!stored) throw problems.notFound();
  const { structure } = stored;
  const isThere = {
    sectionId: (id: string) => findSection(structure, id) !== undefined,
    nodeId: (id: string) => findNode(structure, id) !== undefined,
    questionId: (id: string) => findQuestion(structure, id)?.section.id === call.params.sectionId,
  };
  for (const [name, found] of Object.entries(isThere)) {
    const id = call.params[name];
    // A malformed id waits for its turn: the caller's role comes first.
    if (id !== undefined && isId(id) && !found(id)) throw problems.notFound();
  }
  return { ...opened, thing: { ...opened.thing, stored } };
}
