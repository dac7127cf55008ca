/** The valid requests of operations about people: health, signing in and out, the current user. */
import { app } from '#core/http/app.ts';
import type { Rows } from '#test/support/requests.ts';
import { clientWith, type Person } from '#test/support/world.ts';

export const peopleRows: Rows<'health' | 'auth' | 'users'> = {
  health: {
    getHealth: { by: 'nobody', input: () => ({}) },
  },
  auth: {
    loginInternal: { by: 'nobody', input: ({ respondent }) => ({ body: { uid: respondent.id } }) },
    refresh: { by: 'nobody', input: async ({ respondent }) => ({ headers: await sessionOf(respondent) }) },
    logout: { by: 'nobody', input: async ({ respondent }) => ({ headers: await sessionOf(respondent) }) },
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
async function sessionOf({ id }: Person): Promise<Record<string, string>> {
  const { headers } = await clientWith().auth.loginInternal({ body: { uid: id } });
  const line = headers.getSetCookie().find((each) => each.startsWith('refresh_token='));
  return { cookie: line?.split(';')[0] ?? '' };
}
