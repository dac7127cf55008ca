/**
 * Logs each request as one JSON line with its cost. Every response gets `x-request-id`, and the headers that tell
 * browsers not to guess types and, on a service with HTTPS, to use nothing else.
 */
import type { Declaration } from '#core/api/declare.ts';
import { requestContext } from '#core/db/request-context.ts';
import { Problem } from '#core/problems/problems.ts';
import { log } from '../log.ts';
import type { Step } from '../state.ts';

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff' };
/** Browsers use HTTPS only for a year after each response. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

let isWarm = false;

/** Logs a request after all other steps; it must be the outermost step. */
export function logRequest(declaration: Pick<Declaration, 'noun' | 'name'>): Step {
  const operation = `${declaration.noun}.${declaration.name}`;
  const startedAt = new WeakMap<object, { time: number; coldStart: boolean }>();
  const logResponse: NonNullable<Step['after']> = ({ event, response, error, internal }) => {
    if (!response) return;
    const { requestId } = event.requestContext;
    Object.assign(
      response.headers,
      SECURITY_HEADERS,
      internal.app?.config.publicUrl.startsWith('https:') && STRICT_TRANSPORT,
    );
    response.headers['x-request-id'] = requestId;
    const { time = performance.now(), coldStart = false } = startedAt.get(event) ?? {};
    const { calls = 0, capacityUnits = 0 } = requestContext() ?? {};
    const durationMs = Math.round(performance.now() - time);
    const status = response.statusCode;
    const measured = { operation, status, durationMs, capacityUnits, calls, coldStart };
    const code = error instanceof Problem ? { code: error.code } : {};
    const cause = error && status >= 500 ? { cause: describeCause(error) } : {};
    const user = internal.user ? { userId: internal.user.id } : {};
    log({ level: status >= 500 ? 'error' : 'info', requestId, ...measured, ...user, ...code, ...cause });
  };
  return {
    before: ({ event }) => {
      startedAt.set(event, { time: performance.now(), coldStart: !isWarm });
      isWarm = true;
    },
    after: logResponse,
    onError: logResponse,
  };
}

const describeCause = (error: Error): string => {
  const cause = error instanceof Problem && error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? cause.message;
};
