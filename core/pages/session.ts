/**
 * The caller of a page: by the access token, or by the refresh token if that has expired. A session is renewed within
 * the request, so that nobody loses what they typed because an hour has passed.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Caller } from '#core/access/access.ts';
import type { App } from '#core/http/app.ts';
import { cookie } from '#core/http/request.ts';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#core/identity/origins.ts';
import { renewSession } from '#core/identity/sessions.ts';
import { problems } from '#core/problems/problems.ts';

export type Session = { caller: Caller | undefined; cookies: readonly string[] };

/**
 * The session of a request, with the cookies of a renewed one. `credential: none` takes a valid access token and
 * nothing else. Throws 401 when a signed-in person is required and there is none.
 */
export async function sessionOf(
  app: App,
  event: APIGatewayProxyEventV2,
  credential: 'none' | 'refresh' | 'user',
): Promise<Session> {
  const token = cookie(event, ACCESS_COOKIE);
  const caller = token === undefined ? undefined : await app.tokens.verify(token, app.now());
  if (caller || credential === 'none') return { caller, cookies: [] };
  const refreshToken = cookie(event, REFRESH_COOKIE);
  if (refreshToken === undefined) throw problems.unauthorized();
  return renewSession(app, refreshToken);
}
