/** Openers of units, by the slug of the organization and the unit id or by the id alone. */
import { type Opener, pathId, signedInCaller } from '#core/access/access.ts';
import { accountOf } from '#core/accounts/store.ts';
import { keys } from '#core/db/keys.ts';
import { problems } from '#core/problems/problems.ts';
import { type OpenedOrganization, openOrganization, rolesIn } from './open.ts';
import { loadOrganization } from './store.ts';
import { loadTree, type StoredUnit, treeOf, unitOf } from './unit-store.ts';
import type { UnitTree } from './unit-tree.ts';

type OpenedTree = OpenedOrganization & { tree: UnitTree };
type OpenedUnit = OpenedTree & { unit: StoredUnit };

/** The organization of `{slug}` with its tree of units. */
export const openOrganizationWithUnits: Opener<OpenedTree> = async (call) => {
  const opened = await openOrganization(call);
  const tree = await loadTree(call.app.table, opened.resource.orgId);
  return { ...opened, resource: { ...opened.resource, tree } };
};

/** The unit of `{slug}` and `{unitId}` with the tree. Throws 403 unless the caller is a member of the organization. */
export const openUnit: Opener<OpenedUnit> = async (call) => {
  const opened = await openOrganization(call);
  const { orgId } = opened.resource;
  // Checked before the unit is read, so that other callers cannot find out whether it exists.
  if (!opened.roles.includes('member')) throw problems.forbidden('Only members of the organization can see its units.');
  const unitId = pathId(call.params, 'unitId');
  const [unitItem, treeItem] = await call.app.table.read([keys.unit(unitId), keys.unitTree(orgId)]);
  const unit = unitOf(unitItem);
  if (!unit || unit.orgId !== orgId) throw problems.notFound();
  return { ...opened, resource: { ...opened.resource, unit, tree: treeOf(treeItem) } };
};

/** The unit of `{childId}` with its organization; visible to the members of the organization. */
export const openUnitById: Opener<Omit<OpenedUnit, 'tree'>> = async ({ params, user, app }) => {
  const caller = signedInCaller(user);
  const [unitItem, accountItem] = await app.table.read([keys.unit(pathId(params, 'childId')), keys.account(caller.id)]);
  const unit = unitOf(unitItem);
  const account = accountOf(accountItem);
  const roles = unit ? rolesIn(account, unit.orgId, caller) : [];
  if (!unit || !roles.includes('member')) throw problems.notFound();
  // Units and memberships are removed some time after their organization.
  if (!(await loadOrganization(app.table, unit.orgId))) throw problems.notFound();
  return { resource: { caller, account, orgId: unit.orgId, unit }, roles };
};
