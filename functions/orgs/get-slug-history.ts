/** Returns the organization that uses a slug now, and the usage history, newest first. */
import { signedIn } from '#core/accounts/accounts.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { findSlugOwner, listSlugUsages } from '#core/organizations/store.ts';

export const handler = operation(orgs.getSlugHistory, signedIn, async ({ params: { slug }, query, after, app }) => {
  const [orgId = null, usages] = await Promise.all([
    findSlugOwner(app.table, slug),
    listSlugUsages(app.table, slug, { limit: query.limit, after }),
  ]);
  const current = { available: orgId === null, orgId };
  return { body: { current, history: usages.items }, next: usages.last };
});
