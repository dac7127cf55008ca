/** Shows the ways to create a form; people without a username choose one first. */
import { builderPages } from '#core/api/builder-pages.ts';
import { openStoredOrganization } from '#core/organizations/service.ts';
import { newFormPage } from '#core/pages/builder/create.ts';
import { newFormField } from '#core/pages/shell/new-id.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(
  builderPages.showNewForm,
  openStoredOrganization,
  async ({ app, org, account, context }) => {
    if (!account?.onboarded) return { location: `/onboarding?to=${encodeURIComponent(context.path)}` };
    return { html: newFormPage(context, org, { newId: newFormField(app), title: '', errors: {} }) };
  },
);
