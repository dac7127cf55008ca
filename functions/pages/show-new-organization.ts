/** Shows the form of a new organization; people without a username choose one first. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { NO_DETAILS } from '#core/pages/organizers/details.ts';
import { renderNewOrganizationPage } from '#core/pages/organizers/settings.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.showNewOrganization, openAccount, async ({ app, account, context }) => {
  if (!account.onboarded) return { location: '/onboarding?to=%2Forgs%2Fnew' };
  const typed = { ...NO_DETAILS, slug: '' };
  return { html: renderNewOrganizationPage(context, { typed, errors: {}, newId: app.uuid() }) };
});
