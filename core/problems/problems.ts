/**
 * Every failure that the service answers, in one catalogue (contract section 1). A rule or a store throws a
 * `Problem`; only `operation()` turns it into HTTP. `code` is stable and for programs, `detail` is for people.
 */

/** One thing that is wrong with a request and where: `/body/title`, `/path/formId`, `/query/limit`. */
export type Fault = { pointer: string; detail: string };

export const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type ProblemStatus = keyof typeof TITLES;

type Extras = { errors?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown };

/** A failure that the caller is told about. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly errors: readonly Fault[];
  readonly headers: Record<string, string>;

  constructor(status: ProblemStatus, code: string, detail: string, extras: Extras = {}) {
    super(detail, { cause: extras.cause });
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.errors = extras.errors ?? [];
    this.headers = extras.headers ?? {};
  }
}

const later = { 'retry-after': '1' };

export const problems = {
  /** 400: faults of path, query or body, all of them at once. */
  invalid: (errors: readonly Fault[]) =>
    new Problem(
      400,
      'invalid_request',
      errors.every((error) => error.pointer.startsWith('/body'))
        ? 'The request body contains invalid data'
        : 'The request contains invalid data',
      { errors },
    ),
  /** 400: the thing is in a state in which this cannot be done; the detail says which and what to do. */
  wrongState: (code: string, detail: string, errors: readonly Fault[] = []) =>
    new Problem(400, code, detail, { errors }),
  unauthorized: () =>
    new Problem(401, 'unauthorized', 'Authentication credentials were missing or invalid', {
      headers: { 'www-authenticate': 'Bearer' },
    }),
  forbidden: (detail: string, code = 'forbidden') => new Problem(403, code, detail),
  /** 404: the same for what is absent and for what the caller may not know of. */
  notFound: () => new Problem(404, 'not_found', 'The requested resource was not found'),
  conflict: (code: string, detail: string, errors: readonly Fault[] = []) => new Problem(409, code, detail, { errors }),
  stale: () =>
    new Problem(
      409,
      'stale_version',
      'This was changed by somebody else since you read it (If-Match does not hold): read it again, then repeat your change',
    ),
  keyReused: () =>
    new Problem(
      409,
      'idempotency_key_reused',
      'This Idempotency-Key was used before with another request: use a new key',
    ),
  keyInProgress: () =>
    new Problem(
      409,
      'idempotency_key_in_progress',
      'The first request with this Idempotency-Key is still running: repeat this one later',
      {
        headers: later,
      },
    ),
  tooLarge: (detail: string, errors: readonly Fault[] = []) =>
    new Problem(413, 'content_too_large', detail, { errors }),
  unsupportedMediaType: (detail: string) => new Problem(415, 'unsupported_media_type', detail),
  unavailable: (cause: unknown) =>
    new Problem(503, 'unavailable', 'Storage is busy: repeat the request later', {
      headers: later,
      cause,
    }),
  providerUnavailable: (name: string, cause: unknown) =>
    new Problem(503, 'provider_unavailable', `The identity provider ${name} cannot be reached: try again later`, {
      headers: { 'retry-after': '5' },
      cause,
    }),
  internal: (requestId: string, cause: unknown) =>
    new Problem(500, 'internal', `Something went wrong on our side; quote request ${requestId} when you report it`, {
      cause,
    }),
} as const;

/** The body of an answer that tells a problem (RFC 9457). */
export function problemBody(problem: Problem, instance: string) {
  return {
    type: 'about:blank',
    title: TITLES[problem.status],
    status: problem.status,
    detail: problem.message,
    instance,
    code: problem.code,
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
  };
}
