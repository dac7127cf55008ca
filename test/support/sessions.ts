/** Sessions in tests: login over HTTP, and the cookies of a response. */
import { send } from './fixtures.ts';

/** A cookie of a response with its attributes, whose names are in lower case. */
export type Cookie = { value: string; attributes: Record<string, string> };

/** The cookies that a response sets, by name. */
export function cookiesOf(response: Response): Record<string, Cookie> {
  return Object.fromEntries(
    response.headers.getSetCookie().map((line) => {
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

/** The session that a response starts or renews; fails the test when there is none. */
export function sessionOf(response: Response): Session {
  const { access_token: access, refresh_token: refresh } = cookiesOf(response);
  if (!access || !refresh) throw new Error(`the response ${response.status} sets no session`);
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

/** Requests the current user. */
export const whoAmI = (headers: Record<string, string>): Promise<Response> => send('GET', '/api/users/me', { headers });
