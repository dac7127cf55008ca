/** What tests of signing in share: logging in over HTTP, and the cookies of an answer as a browser would keep them. */
import { send } from './world.ts';

/** A cookie of an answer with its attributes; their names are in lower case. */
export type Cookie = { value: string; attributes: Record<string, string> };

/** The cookies that an answer sets, by name. */
export function cookiesOf(answer: Response): Record<string, Cookie> {
  return Object.fromEntries(
    answer.headers.getSetCookie().map((line) => {
      const [[name = '', value = ''] = [], ...attributes] = line
        .split(';')
        .map((part) => part.trim().split('='))
        .map(([key = '', ...rest]) => [key, rest.join('=')]);
      const named = attributes.map(([key = '', text = '']) => [key.toLowerCase(), text]);
      return [name, { value, attributes: Object.fromEntries(named) }];
    }),
  );
}

/** A session as a browser holds it. */
export type Session = { access: string; refresh: string };

/** The session that an answer began or renewed; fails the test when there is none. */
export function sessionOf(answer: Response): Session {
  const { access_token: access, refresh_token: refresh } = cookiesOf(answer);
  if (!access || !refresh) throw new Error(`the answer ${answer.status} sets no session`);
  return { access: access.value, refresh: refresh.value };
}

/** Logs in by user ID. */
export const login = (uid: unknown): Promise<Response> =>
  send('POST', '/api/auth/login/internal', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uid }),
  });

/** A new session of a person. */
export const newSession = async ({ id }: { id: string }): Promise<Session> => sessionOf(await login(id));

/** Exchanges a refresh token. */
export const refresh = (token: string): Promise<Response> =>
  send('POST', '/api/auth/refresh', { headers: { cookie: `refresh_token=${token}` } });

/** Asks who is signed in. */
export const whoAmI = (headers: Record<string, string>): Promise<Response> => send('GET', '/api/users/me', { headers });
