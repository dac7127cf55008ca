/**
 * One example of each problem for the OpenAPI document, as somebody would be told it who edits the form of
 * `examples.ts`.
 */

const INSTANCE = '/api/forms/7c9e6679-7425-8a1b-8f00-5d1c2b3a4f5e';

const problem = (status: number, title: string, code: string, detail: string, more: Record<string, unknown> = {}) => ({
  value: { type: 'about:blank', title, status, detail, instance: INSTANCE, code, ...more },
});

/** An example of each problem, by the name of its component. */
export const PROBLEM_EXAMPLES = {
  Problem400: problem(400, 'Bad Request', 'invalid_request', 'The request body contains invalid data', {
    errors: [{ pointer: '/body/title', detail: 'must be 1 to 200 characters' }],
  }),
  Problem401: problem(401, 'Unauthorized', 'unauthorized', 'Authentication credentials were missing or invalid'),
  Problem403: problem(403, 'Forbidden', 'forbidden', 'You may know this, but doing this needs one of: member'),
  Problem404: problem(404, 'Not Found', 'not_found', 'The requested resource was not found'),
  Problem409: problem(
    409,
    'Conflict',
    'stale_version',
    'This was changed by somebody else since you read it (If-Match does not hold): read it again, then repeat your change',
  ),
  Problem413: problem(
    413,
    'Content Too Large',
    'content_too_large',
    'A request body may have 4500000 bytes; this one has 5000000',
  ),
  Problem415: problem(
    415,
    'Unsupported Media Type',
    'unsupported_media_type',
    'This operation takes JSON, not multipart',
  ),
  Problem429: problem(429, 'Too Many Requests', 'too_many_requests', 'Too many requests: repeat this one later'),
  Problem500: problem(
    500,
    'Internal Server Error',
    'internal',
    'Something went wrong on our side; quote request 5f0c8a6e-1b2d-4c3e-9f4a-6b7c8d9e0f1a when you report it',
  ),
  Problem503: problem(503, 'Service Unavailable', 'unavailable', 'Storage is busy: repeat the request later'),
} as const;
