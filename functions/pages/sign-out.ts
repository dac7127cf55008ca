/** Ends the session, and removes what the browser keeps of it: pages, and answers that were not saved yet. */
import { anyone } from '#core/accounts/accounts.ts';
import { respondentPages } from '#core/api/respondent-pages.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { endSession } from '#core/identity/sessions.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(respondentPages.signOut, anyone, async ({ app, readCookie }) => ({
  location: '/sign-in',
  cookies: await endSession(app, readCookie(REFRESH_COOKIE)),
  headers: { 'clear-site-data': '"cache", "storage"' },
}));
