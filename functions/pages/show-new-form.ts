/** Shows the ways to create a form; people without a username choose one first. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { loadOwner, renderNewFormPage } from '#core/pages/builder/create.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(builderPages.showNewForm, openOrganization, async ({ app, orgId, account, context }) => {
  if (!account?.onboarded) return { location: `/onboarding?to=${encodeURIComponent(context.path)}` };
  const owner = await loadOwner(app.table, orgId, account);
  return { html: renderNewFormPage(context, owner, { newId: newFormField(app), title: '', errors: {} }) };
});
