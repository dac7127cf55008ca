/** Ends all sessions of the reader, and removes what this browser keeps: pages, and answers that were not saved yet. */
import { openAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { endAllSessions } from '#core/identity/sessions.ts';
import { page } from '#core/pages/shell/page.ts';

export const handler = page(organizerPages.endSessions, openAccount, async ({ app, account }) => ({
  location: '/',
  cookies: await endAllSessions(app, account),
  headers: { 'clear-site-data': '"cache", "storage"' },
}));
