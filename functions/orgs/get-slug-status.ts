/** Returns whether a slug is available, and otherwise the organization that uses it. */
import { signedIn } from '#core/accounts/accounts.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { findSlugOwner } from '#core/organizations/store.ts';

export const handler = operation(orgs.getSlugStatus, signedIn, async ({ params, app }) => {
  const orgId = (await findSlugOwner(app.table, params.slug)) ?? null;
  return { body: { available: orgId === null, orgId } };
});
