/** The session cookies, and which origins may send them. */

export const ACCESS_COOKIE = 'access_token';
export const REFRESH_COOKIE = 'refresh_token';

/** The service's own address and the further origins that are allowed. */
export type AllowedOrigins = { publicUrl: string; allowedOrigins: readonly string[] };

/** Whether an origin is the service's own or on the configured list. */
export const isAllowedOrigin = (origin: string, { publicUrl, allowedOrigins }: AllowedOrigins): boolean =>
  origin === new URL(publicUrl).origin || allowedOrigins.includes(origin);
