/**
 * Sends requests to the APIs of Google Sheets and Google Drive as a service account: signs the assertion (RFC 7523), keeps
 * the access token until shortly before it expires, limits the time, and classifies failures.
 */
import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { remainingMs } from '#core/db/request-context.ts';
import { epochSeconds } from '#core/schema/format.ts';
import { SheetFailure, type SheetFailureReason } from '#core/sheets/port.ts';

/** The members of a service account's key file that are used. */
type ServiceAccount = { client_email: string; private_key: string; token_uri: string };

export type GoogleSettings = {
  account: ServiceAccount;
  /** The addresses of the two APIs, without a slash at their ends. */
  sheetsUrl: string;
  driveUrl: string;
  now(): Date;
};

/** Sends a request and returns the parsed JSON; a body makes it a POST. Throws SheetFailure. */
export type GoogleRequest = (url: string, body?: object) => Promise<unknown>;

const SCOPE = 'https://www.googleapis.com/auth/spreadsheets https://www.googleapis.com/auth/drive.metadata.readonly';
const ASSERTION_SECONDS = 3_600;
/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 60_000;
const TOKEN_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** A request ends this long before the timeout of the function, so that the outcome of the jobs is stored. */
const RESERVE_MS = 8_000;

/** Creates a sender of requests; use one per process, it keeps the token. */
export function googleRequests(settings: GoogleSettings): GoogleRequest {
  let currentToken: Promise<Token> | undefined;
  const readToken = async (): Promise<string> => {
    const cachedToken = await currentToken?.catch(() => undefined);
    if (!cachedToken || cachedToken.renewAt <= settings.now().getTime()) currentToken = fetchToken(settings);
    return (await (currentToken ?? fetchToken(settings))).text;
  };
  return async (url, body) => {
    const headers = { authorization: `Bearer ${await readToken()}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await send(url, init, REQUEST_TIMEOUT_MS);
    if (response.status === 401) currentToken = undefined;
    if (!response.ok) throw await toFailure(response);
    return readJson(response);
  };
}

type Token = { text: string; renewAt: number };
const TokenResponse = z.object({ access_token: z.string(), expires_in: z.number() });

async function fetchToken({ account, now }: GoogleSettings): Promise<Token> {
  const issuedAt = epochSeconds(now());
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ASSERTION_SECONDS)
    .sign(await importPKCS8(account.private_key, 'RS256'));
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const response = await send(account.token_uri, { method: 'POST', body }, TOKEN_TIMEOUT_MS);
  // A refused key is for the operator to replace; jobs wait for it like for any outage.
  if (!response.ok) throw new SheetFailure('unavailable', `the token endpoint responded with ${response.status}`);
  const parsed = TokenResponse.safeParse(await readJson(response));
  if (!parsed.success) throw new SheetFailure('unavailable', 'the token endpoint sent no token', parsed.error);
  const renewAt = now().getTime() + parsed.data.expires_in * 1_000 - RENEW_BEFORE_MS;
  return { text: parsed.data.access_token, renewAt };
}

async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const ms = Math.floor(Math.max(0, Math.min(timeoutMs, remainingMs() - RESERVE_MS)));
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ms) });
  } catch (cause) {
    throw new SheetFailure('unavailable', 'there was no response from the spreadsheet service', cause);
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new SheetFailure('unavailable', 'the response of the spreadsheet service was cut off', cause);
  }
}

/** The Drive API gives its reasons in `errors`, the Sheets API in `details`. */
const Reasons = z.array(z.object({ reason: z.string().optional() })).default([]);
const ErrorBody = z.object({
  error: z.object({
    status: z.string().optional(),
    message: z.string().default(''),
    errors: Reasons,
    details: Reasons,
  }),
});

async function toFailure(response: Response): Promise<SheetFailure> {
  const parsed = ErrorBody.safeParse(await response.json().catch(() => undefined));
  const { status, message = '', errors = [], details = [] } = parsed.data?.error ?? {};
  const codes = [status, ...errors.map(({ reason }) => reason), ...details.map(({ reason }) => reason)];
  const knownReason = codes.map((code) => CODES[code ?? '']).find((reason) => reason !== undefined);
  return new SheetFailure(
    knownReason ?? REASONS[response.status] ?? 'unavailable',
    `the spreadsheet service responded with ${response.status}: ${message.slice(0, 500)}`,
  );
}

/** Codes that tell more than the status, which is 403 for all of them in the Drive API. */
const CODES: Readonly<Record<string, SheetFailureReason>> = {
  RESOURCE_EXHAUSTED: 'rate_limited',
  rateLimitExceeded: 'rate_limited',
  userRateLimitExceeded: 'rate_limited',
  SERVICE_DISABLED: 'not_set_up',
  accessNotConfigured: 'not_set_up',
};

const REASONS: Readonly<Record<number, SheetFailureReason>> = {
  400: 'refused',
  403: 'no_access',
  404: 'not_found',
  429: 'rate_limited',
};
