/** Who uses a slug now, and who used it when, newest first. */
import { signedIn } from '#core/accounts/open.ts';
import { orgs } from '#core/api/orgs.ts';
import { operation } from '#core/http/operation.ts';
import { pageSlugUsages, slugUser } from '#core/organizations/store.ts';

export const handler = operation(orgs.getSlugHistory, signedIn, async ({ params, query, app }) => {
  const list = `slug ${params.slug}`;
  const after = app.cursors.open(list, query.cursor);
  const [orgId = null, page] = await Promise.all([
    slugUser(app.table, params.slug),
    pageSlugUsages(app.table, params.slug, query.limit, after),
  ]);
  const current = { available: orgId === null, orgId };
  return { body: { current, history: page.usages, nextCursor: app.cursors.seal(list, page.last) } };
});
