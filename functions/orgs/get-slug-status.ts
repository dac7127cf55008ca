/** Whether a slug is free, and who uses it. */
import { signedIn } from '#core/accounts/open.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { slugUser } from '#core/organizations/store.ts';

export const handler = operation(orgs.getSlugStatus, signedIn, async ({ params, app }) => {
  const orgId = (await slugUser(app.table, params.slug)) ?? null;
  return { body: { available: orgId === null, orgId } };
});
