/** Changes of organizations and their members. */

import { type Caller, type Opener, parsePathId, type Role, requireCaller } from '#core/access/access.ts';
import { loadAccount, parseAccount } from '#core/accounts/accounts.ts';
import type { Account } from '#core/accounts/model.ts';
import { change } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts, Ports } from '#core/db/ports.ts';
import { isWithinLimit } from '#core/db/rate-limit.ts';
import type { Table, Write, WriteRefused } from '#core/db/table.ts';
import { checkNotBeingDeleted, queueJob } from '#core/jobs/job.ts';
import { queueLeaving } from '#core/jobs/leaving.ts';
import { problems, requireFound } from '#core/problems/problems.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { ATTEMPTED_HOURS, MAX_MEMBER_MAILS } from '#core/schema/limits.ts';
import type { ListBatch } from '#core/schema/page-size.ts';
import { type MemberMail, type MemberRole, type OrganizationInput, OWN_ORGANIZATIONS, Slug } from './model.ts';
import {
  CREATOR_WRITE,
  deleteMember,
  findSlugOwner,
  insertMember,
  insertOrganization,
  type ListStart,
  loadMemberRole,
  loadOrganization,
  loadOrganizations,
  parseLeavingMember,
  readOrganizationId,
  replaceOrganization,
  SLUG_WRITE,
  type StoredOrganization,
  setMemberRole,
} from './store.ts';

/** Lists some organizations of a user, by id. */
export async function listMemberships(
  { table }: Pick<Ports, 'table'>,
  userId: string,
  { limit, after = '' }: ListStart,
): Promise<ListBatch<StoredOrganization>> {
  const account = await loadAccount(table, userId);
  const ids = Object.keys(account?.memberships ?? {})
    .filter((id) => id > after)
    .sort();
  const batchIds = ids.slice(0, limit);
  return {
    items: await loadOrganizations(table, batchIds),
    last: ids.length > limit ? (batchIds.at(-1) ?? null) : null,
    positions: new Map(batchIds.map((id) => [id, id])),
  };
}

/**
 * Returns the id of the organization of a slug in a request body, of which a user must be a member. Throws 400 when no
 * organization uses the slug, 403 for an organization of others.
 */
export async function requireMembership(table: Table, slug: string, { memberships }: Account): Promise<string> {
  const orgId = await findSlugOwner(table, slug);
  if (orgId === undefined) {
    throw problems.invalid([{ pointer: '/body/slug', detail: 'must be the slug of an organization' }]);
  }
  if (!memberships[orgId]) throw problems.forbidden('This action is only for: members of both organizations.');
  return orgId;
}

/** Whether a person may create organizations in this installation. */
export const mayCreateOrganizations = (
  { config }: { config: { readonly createOrganizations: 'onboarded' | 'operators' } },
  { roles }: Caller,
): boolean => config.createOrganizations !== 'operators' || roles.includes('ADMIN');

/**
 * Creates an organization; its creator becomes its admin. `maxOrganizations`: the number to which others can add a
 * person. `id`: for a request that can come twice; the second one returns the organization of the first. One that is being
 * deleted is created with another id. Throws 409 when the slug is in use, 400 when the creator is in too many organizations, 401 without an account.
 */
export function createOrganization(
  app: ChangePorts,
  { creatorId, maxOrganizations, id: givenId }: { creatorId: string; maxOrganizations: number; id?: string },
  input: OrganizationInput,
): Promise<{ body: StoredOrganization }> {
  const now = app.now().toISOString();
  const max = maxOrganizations + OWN_ORGANIZATIONS;
  const build = (id: string) => {
    const org = { id, ...input, createdAt: now, updatedAt: now, slugSince: now, version: 1 };
    const isFree = id === givenId ? [checkNotBeingDeleted(keys.organization(id))] : [];
    const writes = [...insertOrganization(org, creatorId, max), ...isFree];
    const onRefused = ({ index, found }: WriteRefused): void => {
      if (index === CREATOR_WRITE) throw found ? problems.tooManyOrganizations(max) : problems.unauthorized();
      if (index === 0 && found?.orgId !== id) throw problems.slugTaken(input.slug);
    };
    return { writes, result: { body: org }, onRefused };
  };
  const reload = async (): Promise<{ existing?: StoredOrganization; id: string }> => {
    if (givenId === undefined) return { id: app.uuid() };
    const orgKey = keys.organization(givenId);
    const [existing, [deletion]] = await Promise.all([
      loadOrganization(app.table, givenId),
      app.table.read([keys.deletion(orgKey)]),
    ]);
    return { ...(existing && { existing }), id: deletion ? app.uuid() : givenId };
  };
  return change<{ existing?: StoredOrganization; id: string }, { body: StoredOrganization }>(app, {
    loaded: { id: givenId ?? app.uuid() },
    reload,
    decide: ({ existing, id }) => (existing ? { writes: [], result: { body: existing } } : build(id)),
  });
}

/**
 * Replaces the fields of an organization. Throws what `requireSeen` throws for the stored organization and the next one, 409 when the new
 * slug is in use, 404 when it was deleted.
 */
export const updateOrganization = (
  ports: Pick<Ports, 'table' | 'now'>,
  org: StoredOrganization,
  input: OrganizationInput,
  requireSeen?: (current: StoredOrganization, next: StoredOrganization) => void,
): Promise<StoredOrganization> =>
  change(ports, {
    loaded: org,
    reload: async () => requireFound(await loadOrganization(ports.table, org.id)),
    decide: (current) => {
      const { next, writes } = replaceOrganization(current, input, ports.now().toISOString());
      requireSeen?.(current, next);
      const onRefused = ({ index }: WriteRefused): void => {
        if (index === SLUG_WRITE && input.slug !== current.slug) throw problems.slugTaken(input.slug);
      };
      return { writes, result: next, onRefused };
    },
  });

/** Nobody may flood a person with mails by adding and removing them. */
const MAILS_A_DAY = { name: 'member-mail', max: MAX_MEMBER_MAILS, seconds: 24 * 60 * 60 };
/** When the mail of a member is removed if it could not be sent: its attempts have ended then. */
const MAIL_SECONDS = 2 * ATTEMPTED_HOURS * 3_600;

/** Builds the write that queues the mail to a person who becomes a member. */
const queueMemberMail = (orgId: string, userId: string, data: MemberMail, now: Date): Write =>
  queueJob<MemberMail>(
    {
      key: keys.memberMail(orgId, userId),
      kind: 'member-mail',
      data,
      attributes: { expiresAt: epochSeconds(now) + MAIL_SECONDS },
    },
    now,
  );

/** `addedBy`: the id of the admin who adds the person. */
type NewMember = { account: Account; addedBy: string; maxOrganizations: number };

/**
 * Adds an account as a member, and queues a mail to the person, unless they got `MAX_MEMBER_MAILS` today; does nothing if
 * the account already is one. Returns whether the person gets a mail. Throws 404 when the organization or the account was
 * deleted, 400 when the person is in `maxOrganizations`.
 */
export async function addMember(
  { table, now, language }: Pick<ChangePorts, 'table' | 'now' | 'language'>,
  orgId: string,
  { account, addedBy, maxOrganizations }: NewMember,
): Promise<boolean> {
  const { id: userId, memberships } = account;
  if (memberships[orgId]) return false;
  const isMailed = await isWithinLimit({ table, now }, MAILS_A_DAY, userId);
  return change<{ role: MemberRole | undefined }, boolean>(
    { table },
    {
      loaded: { role: undefined },
      reload: async () => ({ role: await loadMemberRole(table, orgId, userId) }),
      decide: ({ role }) => {
        if (role) return { writes: [], result: false };
        const time = now();
        const mail = { addedBy, ...(language && { language }) };
        return {
          writes: [
            ...insertMember(orgId, userId, time.toISOString(), maxOrganizations),
            ...(isMailed ? [queueMemberMail(orgId, userId, mail, time)] : []),
          ],
          result: isMailed,
          onRefused: ({ index, found }) => {
            if (index === 2 && found) throw problems.memberOfTooMany(maxOrganizations);
            if (index > 0) throw problems.notFound();
          },
        };
      },
    },
  );
}

/**
 * Checks a user for an organization named in the body. Throws 404 when it does not exist, 403 unless the user is an
 * admin.
 */
export async function requireAdmin({ table }: Pick<Ports, 'table'>, userId: string, orgId: string): Promise<void> {
  const [org, account] = await Promise.all([loadOrganization(table, orgId), loadAccount(table, userId)]);
  if (!org) throw problems.notFound();
  if (account?.memberships[orgId] !== 'ADMIN')
    throw problems.forbidden('Only admins of the organization can link its units.');
}

/** Throws 400 when no admin would remain, 404 when the organization was deleted. */
function requireOtherAdmin({ index, found }: WriteRefused): void {
  if (index === 1) throw found ? problems.lastAdmin() : problems.notFound();
}

/** Changes a member's role. Throws 404 unless the user is a member, 400 for the last admin. */
export const changeRole = (
  { table }: Pick<Ports, 'table'>,
  orgId: string,
  userId: string,
  to: MemberRole,
): Promise<void> =>
  change(
    { table },
    {
      reload: async () => requireFound(await loadMemberRole(table, orgId, userId)),
      decide: (role) => ({
        writes: role === to ? [] : setMemberRole(orgId, userId, role, to),
        result: undefined,
        onRefused: requireOtherAdmin,
      }),
    },
  );

/**
 * Removes a member, whose mails about responses a job ends. Throws 404 unless the user is a member, 400 for the last admin.
 */
export const removeMember = (
  { table, now }: Pick<Ports, 'table' | 'now'>,
  orgId: string,
  userId: string,
): Promise<void> =>
  change(
    { table },
    {
      reload: async () => {
        const [item, leaving] = await table.read([keys.member(orgId, userId), keys.leaving(orgId, userId)]);
        return { member: requireFound(parseLeavingMember(item)), leaving };
      },
      decide: ({ member, leaving }) => ({
        writes: [
          ...deleteMember(orgId, userId, member),
          ...(member.noticeCount === 0 ? [] : [queueLeaving({ orgId, userId }, member.notices, leaving, now())]),
        ],
        result: undefined,
        onRefused: requireOtherAdmin,
      }),
    },
  );

// Openers of organizations by slug. An organization is visible to every signed-in user. The item of a slug is removed in
// the transaction that removes its organization, so most operations need only that item: it has the organization's id.

export type OpenedOrganization = { caller: Caller; account: Account | undefined; orgId: string };

/** Opens the organization of `{slug}`: its id and the caller's roles in it. */
export const openOrganization: Opener<OpenedOrganization> = async ({ params, user, app }) => {
  const caller = requireCaller(user);
  const slug = Slug().safeParse(params.slug);
  if (!slug.success)
    throw problems.invalid(slug.error.issues.map(({ message }) => ({ pointer: '/path/slug', detail: message })));
  const [slugItem, accountItem] = await app.table.read([keys.slug(slug.data), keys.account(caller.id)]);
  const orgId = readOrganizationId(slugItem);
  if (orgId === undefined) throw problems.notFound();
  const account = parseAccount(accountItem);
  const roles = rolesIn(account, orgId, caller);
  return {
    resource: { caller, account, orgId },
    roles,
    ...(account ? { onboarded: account.onboarded, name: account.name } : {}),
  };
};

/** The most organizations of which a warm function remembers the id. */
const MAX_REMEMBERED = 1_000;
const rememberedIds = new Map<string, string>();

function rememberId(slug: string, orgId: string): void {
  const [oldest] = rememberedIds.keys();
  if (rememberedIds.size >= MAX_REMEMBERED && oldest !== undefined) rememberedIds.delete(oldest);
  rememberedIds.set(slug, orgId);
}

/**
 * Opens like `openOrganization`; `readAhead` returns what `read` reads with the id of the organization. A function that has
 * opened the organization before reads it at the same time as the slug, which says whether the remembered id is still right.
 */
export const openOrganizationReading =
  <T>(
    read: (table: Table, orgId: string, query: URLSearchParams) => Promise<T>,
  ): Opener<OpenedOrganization & { readAhead: () => Promise<T> }> =>
  async (call) => {
    const { table } = call.app;
    const { slug = '' } = call.params;
    const query = new URLSearchParams(call.rawQuery);
    const expectedId = rememberedIds.get(slug);
    const early = expectedId === undefined ? undefined : read(table, expectedId, query);
    // A failure is reported when the result is needed.
    early?.catch(() => undefined);
    const { resource, ...opened } = await openOrganization(call);
    const { orgId } = resource;
    rememberId(slug, orgId);
    const readAhead = () => (early !== undefined && orgId === expectedId ? early : read(table, orgId, query));
    return { ...opened, resource: { ...resource, readAhead } };
  };

/** Opens like `openOrganization`, with the stored organization. */
export const openStoredOrganization: Opener<OpenedOrganization & { org: StoredOrganization }> = async (call) => {
  const { resource, ...opened } = await openOrganization(call);
  const org = await loadOrganization(call.app.table, resource.orgId);
  if (!org) throw problems.notFound();
  return { ...opened, resource: { ...resource, org } };
};

/** Opens like `openOrganization`, with the account of the caller. Throws 401 when it no longer exists. */
export const openOrganizationAsUser: Opener<OpenedOrganization & { account: Account }> = async (call) => {
  const { resource, ...opened } = await openOrganization(call);
  const { account } = resource;
  if (!account) throw problems.unauthorized();
  return { ...opened, resource: { ...resource, account } };
};

/** Opens the organization of `{slug}`. For members, throws 404 unless `{memberId}` is a member; others are refused later. */
export const openOrganizationWithMember: Opener<OpenedOrganization> = async (call) => {
  const opened = await openOrganization(call);
  if (!opened.roles.includes('member')) return opened;
  const memberId = parsePathId(call.params, 'memberId');
  if (!(await loadMemberRole(call.app.table, opened.resource.orgId, memberId))) throw problems.notFound();
  return opened;
};

/** Lists the roles of a caller in an organization. An admin is also a member. */
export function rolesIn(account: Account | undefined, orgId: string, caller: Caller): Role[] {
  const role = account?.memberships[orgId];
  return [
    'reader',
    ...(caller.roles.includes('ADMIN') ? (['operator'] as const) : []),
    ...(role ? (['member'] as const) : []),
    ...(role === 'ADMIN' ? (['admin'] as const) : []),
  ];
}
