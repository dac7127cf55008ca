/** The valid requests of operations about people: health, signing in and out, the current user. */
import { app } from '#core/http/app.ts';
import { type Person, send } from '#test/support/fixtures.ts';
import type { Rows } from '#test/support/requests.ts';
import { newSession } from '#test/support/sessions.ts';
import { broughtBack } from './files.ts';

export const peopleRows: Rows<'health' | 'auth' | 'users'> = {
  health: {
    getHealth: { by: 'nobody', input: () => ({}) },
  },
  auth: {
    loginInternal: { by: 'nobody', input: ({ respondent }) => ({ body: { uid: respondent.id } }) },
    startLogin: {
      by: 'nobody',
      input: () => ({ params: { oauthProvider: 'LOGIN_PROVIDER_1' }, query: { c: app().config.publicUrl } }),
    },
    finishLogin: {
      by: 'nobody',
      input: async () => {
        const path = `/api/auth/login/oauth/LOGIN_PROVIDER_1?c=${encodeURIComponent(app().config.publicUrl)}`;
        return { params: { oauthProvider: 'LOGIN_PROVIDER_1' }, ...(await broughtBack(await send('GET', path))) };
      },
    },
    refresh: { by: 'nobody', input: async ({ respondent }) => ({ headers: await refreshCookie(respondent) }) },
    logout: { by: 'nobody', input: async ({ respondent }) => ({ headers: await refreshCookie(respondent) }) },
  },
  users: {
    getCurrentUser: { by: 'respondent', input: () => ({}) },
    onboardUser: {
      by: 'respondent',
      input: () => ({ body: { username: `new.name-${app().uuid()}`, name: 'new_name' } }),
    },
  },
};

/** The header in which a browser that has just signed in sends its refresh token. */
const refreshCookie = async (person: Person) => ({ cookie: `refresh_token=${(await newSession(person)).refresh}` });
