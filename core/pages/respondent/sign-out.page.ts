/** Ends the session, and removes what the browser keeps of it: pages, and answers that were not saved yet. */
import { anyone } from '#core/accounts/accounts.ts';
import { REFRESH_COOKIE } from '#core/identity/redirects.ts';
import { endSession } from '#core/identity/sessions.ts';
import { anybody } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

export const page = definePage({
  name: 'signOut',
  audience: 'respondents',
  path: '/sign-out',
  segmentsBelowPage: 1,
  post: {
    access: anybody,
    needs: ['table:write'],
    open: anyone,
    actions: {
      signOut: async ({ app, readCookie }) => ({
        location: '/sign-in',
        cookies: await endSession(app, readCookie(REFRESH_COOKIE)),
        headers: { 'clear-site-data': '"cache", "storage"' },
      }),
    },
  },
});
