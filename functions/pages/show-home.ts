/** Shows the forms to answer and the organizations of the reader. */
import { signedIn } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { loadHomePage, renderHomePage } from '#core/pages/organizers/home.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.showHome, signedIn, async ({ app, caller, query, context }) => ({
  html: renderHomePage(context, await loadHomePage(app, caller, query.get('after') ?? undefined)),
}));
