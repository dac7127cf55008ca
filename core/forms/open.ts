/**
 * Openers of forms. A form is visible to the members of its organization, to every signed-in user while it is
 * PUBLISHED, to its guests while it is PUBLISHED for ANYONE, to its invited guests while it is PUBLISHED for INVITED, and in any status to users and guests who have a response to
 * it; only the last case needs a second read. A path
 * contains the id of the form, or of a section, whose first part is the form's key.
 */
import {
  type Call,
  type Caller,
  type Opened,
  type Opener,
  parsePathId,
  type Role,
  requireCaller,
  unlessRepeated,
} from '#core/access/access.ts';
import { parseAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { type Key, keys } from '#core/db/keys.ts';
import type { Item, Table } from '#core/db/table.ts';
import { rolesIn } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import {
  type CachedStructure,
  loadStructure,
  parseAnswered,
  parseStructure,
  type StoredStructure,
} from '#core/structure/store.ts';
import { findNode, findQuestion, findSection, type Structure } from '#core/structure/structure.ts';
import { type Gate, parseGate } from './gate.ts';
import type { Form } from './model.ts';
import { loadRelated, type Related, rememberedKeys, rememberKeys } from './related.ts';
import type { FormReader } from './service.ts';
import { hasStarted, parseForm } from './store.ts';

/** `editor`: the caller is a member of the form's organization. */
type CallerAccess = { caller: Caller; account: Account | undefined; editor: boolean };

export type OpenedForm = CallerAccess & { form: Form };
export type OpenedGate = CallerAccess & { gate: Gate };
export type OpenedStructure = OpenedGate & { structure: Structure };
export type OpenedStructureEdit = OpenedGate & { stored: StoredStructure };

/** Opens the settings of the form of `{formId}`. */
export const openForm: Opener<OpenedForm> = async (call) => (await openHead(call)).opened;

/** Opens the form of `{formId}` with its structure, both read from the table, to publish it. */
export const openFormWithStructure: Opener<OpenedForm & { structure: Structure }> = async (call) => {
  const { opened, rest } = await openHead(call, [keys.formStructure(parsePathId(call.params, 'formId'))]);
  return { ...opened, resource: { ...opened.resource, structure: requireExisting(parseStructure(rest[0])) } };
};

/**
 * Opens the form of `{formId}` like an opener, and reads further items. `started`: whether the caller started a response, if
 * it is known.
 */
export async function openHead(
  call: Call,
  further: readonly Key[] = [],
  started?: Promise<boolean>,
): Promise<{ opened: Opened<OpenedForm>; rest: (Item | undefined)[] }> {
  const formId = parsePathId(call.params, 'formId');
  const { items, account } = await readWithAccount(call, [keys.formHead(formId), ...further]);
  const form = parseForm(items[0], formId);
  const { reader, ...admitted } = await admit(call, form && { ...form, formId }, account, started);
  return { opened: { ...admitted, resource: { ...reader, form: requireExisting(form) } }, rest: items.slice(1) };
}

/** Opens the gate of the form of `{formId}`. */
export const openGate: Opener<OpenedGate> = async (call) => {
  const formId = parsePathId(call.params, 'formId');
  const { items, account } = await readWithAccount(call, [keys.formGate(formId)]);
  return admitToGate(call, parseGateFor(items[0], formId), account);
};

/** Opens the gate of the form of `{formId}` for a respondent: the account is read only if the form is not published. */
export const openGateToRespond: Opener<{ caller: Caller; gate: Gate }> = async (call) => {
  const caller = requireCaller(call.user);
  const formId = parsePathId(call.params, 'formId');
  const [item] = await call.app.table.read([keys.formGate(formId)]);
  const gate = parseGateFor(item, formId);
  if (gate && isVisibleToAll(gate, caller)) return { resource: { caller, gate }, roles: ['reader'] };
  const { account } = await readWithAccount(call, []);
  return admitToGate(call, gate, account);
};

/** Opens the form of `{formId}` with its structure for reading. */
export const openStructure: Opener<OpenedStructure> = async (call) => {
  const opened = await openGate(call);
  const { structure } = await loadStructureFor(call.app.table, opened.resource.gate);
  return { ...opened, resource: { ...opened.resource, structure } };
};

/** Opens the form of `{formId}` with its structure to edit it; the section, question or node of the path is in it. */
export const openStructureEdit: Opener<OpenedStructureEdit> = async (call) => {
  const opened = await openWholeEdit(call);
  await unlessRepeated(call, () => requireNamed(call, opened.resource.stored.structure));
  return opened;
};

/** Opens the form of `{formId}` with its structure to edit it, whether or not what else the path names still exists. */
export const openWholeEdit: Opener<OpenedStructureEdit> = async (call) =>
  (await openEdit(call, parsePathId(call.params, 'formId'), 'form')).opened;

/** Opens the form of `{sectionId}` with its structure to edit it; the section and the question of the path are in it. */
export const openSectionEdit: Opener<OpenedStructureEdit> = async (call) => {
  const { opened } = await openEdit(call, parsePathId(call.params, 'sectionId'), 'section');
  await unlessRepeated(call, () => requireNamed(call, opened.resource.stored.structure));
  return opened;
};

/** Loads the structure of the version in a gate. Throws 404 when the form was deleted. */
export const loadStructureFor = async (table: Table, gate: Gate): Promise<CachedStructure> =>
  requireExisting(await loadStructure(table, gate.formId, gate.structureVersion));

/**
 * Opens the structure of the form with an id, or of the form of the section with it, like an opener, and reads further
 * items.
 */
export async function openEdit(
  call: Call,
  id: string,
  named: 'form' | 'section',
  further: readonly Key[] = [],
): Promise<{ opened: Opened<OpenedStructureEdit>; gateItem: Item; rest: (Item | undefined)[] }> {
  const itemKeys = [keys.formGate(id), keys.formStructure(id), keys.formAnswered(id), ...further];
  const { items, account } = await readWithAccount(call, itemKeys);
  const structure = parseStructure(items[1]);
  const gate = parseGate(items[0]);
  const isNamed = gate && structure?.formId === gate.formId && (named === 'section' || gate.formId === id);
  const opened = await admitToGate(call, isNamed ? gate : undefined, account);
  const stored = { structure: requireExisting(structure), answered: parseAnswered(items[2]) };
  const gateItem = requireExisting(items[0]);
  return { opened: { ...opened, resource: { ...opened.resource, stored } }, gateItem, rest: items.slice(3) };
}

function requireExisting<T>(resource: T | undefined): T {
  if (resource === undefined) throw problems.notFound();
  return resource;
}

/** Reads some items and the caller's account in one round trip. */
async function readWithAccount(
  call: Call,
  itemKeys: readonly Key[],
): Promise<{ items: (Item | undefined)[]; account: Account | undefined }> {
  const { id, guestOf } = requireCaller(call.user);
  const accountKeys = guestOf === undefined ? [keys.account(id)] : [];
  const items = await call.app.table.read([...itemKeys, ...accountKeys]);
  return { items: items.slice(0, itemKeys.length), account: parseAccount(items[itemKeys.length]) };
}

const parseGateFor = (item: Item | undefined, formId: string): Gate | undefined => {
  const gate = parseGate(item);
  return gate?.formId === formId ? gate : undefined;
};

/** Opens a gate for the caller with their roles. Throws 404 when the form is absent or not visible to the caller. */
export async function admitToGate(
  call: Call,
  gate: Gate | undefined,
  account: Account | undefined,
): Promise<Opened<OpenedGate>> {
  const { reader, ...opened } = await admit(call, gate, account);
  return { ...opened, resource: { ...reader, gate: requireExisting(gate) } };
}

/** The fields that decide whether a form is visible. */
type VisibilityFields = Pick<Form, 'orgId' | 'creatorId' | 'status' | 'audience'> & { formId: string };

/** Whether a form is visible to a caller as to everybody like them: with an account, or a guest of the form. */
const isVisibleToAll = ({ status, audience }: Pick<Form, 'status' | 'audience'>, caller: Caller): boolean =>
  status === 'PUBLISHED' && (caller.guestOf === undefined || takesGuest(audience, caller));

/** Whether a form takes new responses of a guest: of every one, or of those whose invitation or address was verified. */
export const takesGuest = (audience: Form['audience'], { invited, mayOnlyFinish }: Caller): boolean =>
  !mayOnlyFinish &&
  (audience === 'ANYONE' || (audience !== 'ACCOUNT' && invited?.audiences.includes(audience) === true));

/** Returns the caller and their roles for a form. Throws 404 when it is not visible to them. */
async function admit(
  call: Call,
  form: VisibilityFields | undefined,
  account: Account | undefined,
  started?: Promise<boolean>,
) {
  const caller = requireCaller(call.user);
  if (!form) throw problems.notFound();
  const roles = formRoles(account, form, caller);
  const editor = roles.includes('member');
  const isVisible =
    editor || isVisibleToAll(form, caller) || (await (started ?? hasStarted(call.app.table, caller.id, form.formId)));
  if (!isVisible) throw problems.notFound();
  return { reader: { caller, account, editor }, roles, ...(account ? describeAccount(account) : {}) };
}

const describeAccount = ({ onboarded, name, memberships }: Account) => ({
  onboarded,
  name,
  memberOf: Object.keys(memberships),
});

/** Finds the roles of a caller in a form's organization, and `creator` for a member who created the form. */
export function formRoles(
  account: Account | undefined,
  form: Pick<Form, 'orgId' | 'creatorId'>,
  caller: Caller,
): Role[] {
  const roles = rolesIn(account, form.orgId, caller);
  return roles.includes('member') && form.creatorId === caller.id ? [...roles, 'creator'] : roles;
}

/** Throws 404 unless the section, node and question in the path are in the structure, and the question in the section. */
export function requireNamed({ params }: Call, structure: Structure): void {
  const exists = {
    sectionId: (id: string) => findSection(structure, id) !== undefined,
    nodeId: (id: string) => findNode(structure, id) !== undefined,
    questionId: (id: string) => {
      const sectionId = findQuestion(structure, id)?.section.id;
      return sectionId !== undefined && sectionId === params.sectionId;
    },
  };
  for (const [name, isFound] of Object.entries(exists)) {
    const id = params[name];
    // Malformed ids are reported after the caller's role was checked.
    if (id !== undefined && isId(id) && !isFound(id)) throw problems.notFound();
  }
}

// Opener of a form with all that `GET /forms/{formId}` returns.

/**
 * Opens the settings of the form of `{formId}`, with the caller as their reader and the related data: one round trip if
 * this function has presented the form before.
 */
export const openFormWithRelated: Opener<OpenedForm & { reader: FormReader; related: Related }> = async (call) => {
  const { table } = call.app;
  const formId = parsePathId(call.params, 'formId');
  const further = rememberedKeys(formId);
  const started = hasStarted(table, requireCaller(call.user).id, formId);
  const [{ opened, rest }, isStarted] = await Promise.all([openHead(call, further, started), started]);
  const { form, editor, caller } = opened.resource;
  const related = await loadRelated(table, [form], further, rest);
  rememberKeys(form);
  return {
    ...opened,
    resource: {
      ...opened.resource,
      reader: { editor, hasStarted: isStarted, isGuest: caller.guestOf !== undefined },
      related,
    },
  };
};
