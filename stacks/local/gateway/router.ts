/**
 * API Gateway and Lambda without a socket: chooses the route, enforces the platform's limits, and runs the handler with
 * a real event. Tests call operations through it; `server.ts` puts it behind HTTP.
 *
 * One intended difference: errors of the platform itself (404, 413, 500, 503) are `application/problem+json` like every
 * other error of the service; API Gateway sends its own `{"message"}`.
 */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import findMyWay from 'find-my-way';
import { Problem, type ProblemCode, problemBody } from '#core/problems/problems.ts';
import { type CorsRules, preflight, withCors } from './cors.ts';
import { type HttpRequest, type HttpResponse, splitUrl, toEvent, toHttpResponse } from './http-to-event.ts';
import { type LambdaHandler, runLambda, TIMED_OUT } from './lambda.ts';

/** The path and route key of the route for requests that match no other one, whatever their method. */
export const DEFAULT_ROUTE = '$default';

/** One route of the API; `path` is a template such as `/api/forms/{formId}/sections`, or `$default`; `ANY` is every method. */
export interface Route {
  method: string;
  path: string;
  handler: LambdaHandler<APIGatewayProxyEventV2>;
  timeoutMs?: number;
  memoryMb?: number;
}

/** One handled request; `error` is what the handler threw, or why its result cannot be sent. */
export interface LogEntry {
  requestId: string;
  method: string;
  path: string;
  routeKey: string | null;
  status: number;
  durationMs: number;
  error?: unknown;
}

export interface RouterOptions {
  timeoutMs?: number | undefined;
  maxPayloadBytes?: number | undefined;
  cors?: CorsRules | undefined;
  log?: ((entry: LogEntry) => void) | undefined;
}

export interface Router {
  /** Responds to a request as the deployed API does; never rejects. */
  dispatch(request: HttpRequest): Promise<HttpResponse>;
}

/** Longer than any request target that Node's HTTP server accepts. */
const MAX_URL_LENGTH = 16_384;

/** API Gateway's own limit of a body; Lambda's limit of the event is checked after it. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

interface Settings {
  find: ReturnType<typeof compileRoutes>;
  timeoutMs: number;
  maxPayloadBytes: number;
}

interface Outcome {
  response: HttpResponse;
  routeKey?: string;
  error?: unknown;
}

/**
 * Creates the API without a socket: the same events, limits and responses as behind HTTP.
 * Throws when two routes match the same requests, or when `cors.origins` contains `*`.
 */
export function createRouter(routes: readonly Route[], options: RouterOptions = {}): Router {
  const { timeoutMs = 30_000, maxPayloadBytes = 6 * 1024 * 1024, cors, log = logErrors } = options;
  if (cors?.origins.includes('*'))
    throw new Error('cors.origins must list each origin: * does not work with credentials');
  const settings = { find: compileRoutes(routes), timeoutMs, maxPayloadBytes };
  return {
    async dispatch(request) {
      const startedAt = performance.now();
      const requestId = randomUUID();
      const preflightResponse = cors && preflight(request, cors);
      const outcome: Outcome = preflightResponse
        ? { response: preflightResponse }
        : await run(request, requestId, settings);
      log({
        requestId,
        method: request.method,
        path: splitUrl(request.url)[0],
        routeKey: outcome.routeKey ?? null,
        status: outcome.response.status,
        durationMs: performance.now() - startedAt,
        ...(outcome.error !== undefined && { error: outcome.error }),
      });
      return cors && !preflightResponse ? withCors(outcome.response, request, cors) : outcome.response;
    },
  };
}

const logErrors = ({ error, ...entry }: LogEntry): void => {
  if (error !== undefined) console.error(JSON.stringify(entry), error);
};

type Refuse = (code: ProblemCode, detail: string) => HttpResponse;

/** Handles one request: refuses it by the platform's rules, or runs the handler. */
async function run(request: HttpRequest, requestId: string, settings: Settings): Promise<Outcome> {
  const refuse: Refuse = (code, detail) => refusal(new Problem(code, detail), request, requestId);
  const [path] = splitUrl(request.url);
  const found = settings.find(request.method, path);
  if (found === 'malformed')
    return { response: refuse('invalid_request', 'The path is not correctly percent-encoded.') };
  if (found === undefined) return { response: refuse('not_found', `There is no operation ${request.method} ${path}.`) };
  const { routeKey, route } = found;
  if (request.body.length > MAX_BODY_BYTES)
    return { routeKey, response: refuse('content_too_large', explainLimit(MAX_BODY_BYTES)) };
  const payload = JSON.stringify(toEvent(request, found, new Date(), requestId));
  if (Buffer.byteLength(payload) > settings.maxPayloadBytes) {
    return {
      routeKey,
      response: refuse('content_too_large', `${explainLimit(settings.maxPayloadBytes)} Binary counts 4/3 of its size.`),
    };
  }
  try {
    return { routeKey, ...(await call(route, routeKey, payload, settings, refuse)) };
  } catch (error) {
    return { routeKey, error, response: refuse('internal', `Request ${requestId} failed.`) };
  }
}

/** Runs the handler, and converts its result. */
async function call(
  route: Route,
  routeKey: string,
  payload: string,
  { timeoutMs: maxTimeoutMs, maxPayloadBytes }: Settings,
  refuse: Refuse,
): Promise<Outcome> {
  const timeoutMs = Math.min(route.timeoutMs ?? maxTimeoutMs, maxTimeoutMs);
  const returned = await runLambda({ ...route, name: routeKey, timeoutMs }, payload);
  if (returned === TIMED_OUT) {
    const error = new Error(`${routeKey} did not return within ${timeoutMs} ms`);
    return { error, response: refuse('unavailable', 'The operation took too long. Try again.') };
  }
  if (Buffer.byteLength(returned) > maxPayloadBytes) {
    throw new Error(`${routeKey} returned more than ${maxPayloadBytes} bytes`);
  }
  return { response: toHttpResponse(JSON.parse(returned)) };
}

const explainLimit = (bytes: number): string =>
  `The request is larger than ${bytes} bytes, the most that can be sent at once. Files go straight to storage: see POST …/files with JSON.`;

function refusal(problem: Problem, request: HttpRequest, requestId: string): HttpResponse {
  const { status } = problem;
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'x-request-id': requestId,
      ...(status === 503 && { 'retry-after': '1' }),
    },
    cookies: [],
    body: Buffer.from(JSON.stringify(problemBody(problem, splitUrl(request.url)[0]))),
  };
}

/**
 * A look-up of routes by method and path with the rules of HTTP APIs: a literal segment wins over a parameter, an empty
 * segment and a trailing slash match nothing, `ANY` takes the methods without a route of their own (HEAD is one of them), and
 * `$default` takes the rest. Throws when two routes match the same requests.
 */
function compileRoutes(routes: readonly Route[]) {
  const listed = routes.filter(({ path }) => path !== DEFAULT_ROUTE);
  const matchers = new Map(
    [...Map.groupBy(listed, ({ method }) => method)].map(([method, of]) => [method, buildMatcher(of)]),
  );
  const other = routes.find(({ path }) => path === DEFAULT_ROUTE);
  const rest = other && { route: other, routeKey: DEFAULT_ROUTE, pathParameters: {} };
  return (method: string, path: string) => {
    const found = matchers.get(method)?.find('GET', path) ?? matchers.get('ANY')?.find('GET', path);
    if (!found) return rest;
    const route: Route | null = found.store;
    if (!route) return 'malformed';
    const pathParameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(found.params)) {
      if (!value) return rest;
      pathParameters[name] = value;
    }
    return { route, routeKey: `${route.method} ${route.path}`, pathParameters };
  };
}

/** Matches paths of the routes of one method, which are all registered as GET. */
function buildMatcher(routes: readonly Route[]) {
  // With `onBadUrl` a path that is not correctly percent-encoded is found without a store, instead of not at all.
  const matcher = findMyWay({ maxParamLength: MAX_URL_LENGTH, onBadUrl: () => {} });
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    if (/[{}*]/.test(path)) throw new Error(`${route.path} may contain literal segments and {parameter} only`);
    matcher.on('GET', path, () => {}, route);
  }
  return matcher;
}
