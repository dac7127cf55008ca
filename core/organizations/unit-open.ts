/** Opens the unit that a path names, under its organization's slug or by its own id alone (contract section 3). */

import { pathId } from '#core/access/path.ts';
import { present } from '#core/accounts/open.ts';
import { loadAccount } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import type { Opener } from '#core/http/operation.ts';
import { type OpenedOrganization, organization, rolesIn } from '#core/organizations/open.ts';
import { loadOrganization } from '#core/organizations/store.ts';
import { problems } from '#core/problems/problems.ts';
import { loadTree, type StoredUnit, treeOf, unitOf } from './unit-store.ts';
import type { UnitTree } from './unit-tree.ts';

export type OpenedTree = OpenedOrganization & { tree: UnitTree };
export type OpenedUnit = OpenedTree & { unit: StoredUnit };

/** The organization of `{slug}` with its tree of units. */
export const organizationWithUnits: Opener<OpenedTree> = async (call) => {
  const opened = await organization(call);
  if (!opened.roles.includes('member'))
    return { ...opened, thing: { ...opened.thing, tree: { version: 0, units: [] } } };
  return { ...opened, thing: { ...opened.thing, tree: await loadTree(call.app.table, opened.thing.org.id) } };
};

/** The unit of `{slug}` and `{unitId}`. Its existence is known to members only: others are refused before. */
export const unit: Opener<OpenedUnit> = async (call) => {
  const opened = await organization(call);
  const { org } = opened.thing;
  if (!opened.roles.includes('member')) throw problems.forbidden('Units are for the members of the organization');
  const unitId = pathId(call.params, 'unitId');
  const [unitItem, treeItem] = await call.app.table.read([keys.unit(unitId), keys.unitTree(org.id)]);
  const found = unitOf(unitItem);
  if (!found || found.orgId !== org.id) throw problems.notFound();
  return { ...opened, thing: { ...opened.thing, unit: found, tree: treeOf(treeItem) } };
};

/** The unit of `{childId}`, which names its organization by itself; known to members of that only. */
export const unitAlone: Opener<Omit<OpenedUnit, 'tree'>> = async (call) => {
  const user = present(call.user);
  const childId = pathId(call.params, 'childId');
  const [unitItem] = await call.app.table.read([keys.unit(childId)]);
  const found = unitOf(unitItem);
  const account = await loadAccount(call.app.table, user.id);
  const roles = found ? rolesIn(account, found.orgId, user) : [];
  const org = found && roles.includes('member') ? await loadOrganization(call.app.table, found.orgId) : undefined;
  if (!found || !org || org.deleting) throw problems.notFound();
  return { thing: { user, account, org, unit: found }, roles };
};
