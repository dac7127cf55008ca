/** Who calls: the access token of a cookie or header, and the origin check for writes that ride on cookies. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Access } from '#core/api/declare.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import type { App } from './app.ts';
import { cookie, header } from './request.ts';

export const ACCESS_COOKIE = 'access_token';
export const REFRESH_COOKIE = 'refresh_token';

/** The caller of a request, or undefined where none is needed; 401 for a missing or bad credential. */
export async function authenticate(
  event: APIGatewayProxyEventV2,
  access: Access,
  app: App,
): Promise<Caller | undefined> {
  if (access.credential !== 'user') return undefined;
  const token = cookie(event, ACCESS_COOKIE) ?? bearer(header(event, 'authorization'));
  const caller = token === undefined ? undefined : await app.tokens.verify(token, app.now());
  if (!caller) throw problems.unauthorized();
  return caller;
}

const bearer = (value: string | undefined): string | undefined => /^Bearer +(\S+)$/i.exec(value ?? '')?.[1];

/**
 * Refuses a write that a foreign page makes with the cookies of its visitor (contract section 1, CSRF): a request
 * with our cookies whose `Origin` is present and neither ours nor on the list is 403.
 */
export function checkOrigin(event: APIGatewayProxyEventV2, method: string, app: App): void {
  if (method === 'GET') return;
  const origin = header(event, 'origin');
  const ridesOnCookies = cookie(event, ACCESS_COOKIE) !== undefined || cookie(event, REFRESH_COOKIE) !== undefined;
  if (origin === undefined || !ridesOnCookies || isAllowedOrigin(origin, app.config)) return;
  throw problems.forbidden(`Requests with cookies are not taken from the origin ${origin}`, 'origin_not_allowed');
}

/** Whether an origin is ours or on the configured list. */
export const isAllowedOrigin = (origin: string, config: Pick<App['config'], 'publicUrl' | 'allowedOrigins'>): boolean =>
  origin === new URL(config.publicUrl).origin || config.allowedOrigins.includes(origin);
