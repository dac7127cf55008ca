/**
 * API Gateway and Lambda without a socket: chooses the route, keeps the platform's limits, runs the handler with a
 * real event. Tests call operations through it; `server.ts` puts it behind HTTP. How requests become events is in
 * `http-to-event.ts`, which origins may call in `cors.ts`.
 *
 * One difference is on purpose: what the platform itself refuses (404, 413, 500, 503) is answered here as
 * `application/problem+json` like every other error of the service; deployed, API Gateway's own `{"message"}` is seen.
 */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type CorsRules, preflight, withCors } from './cors.ts';
import { type Answer, type HttpRequest, splitUrl, toAnswer, toEvent } from './http-to-event.ts';

/** One route of the API; `path` is a template such as `/api/forms/{formId}/sections`. */
export interface Route {
  method: string;
  path: string;
  handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>;
  timeoutMs?: number;
}

/** One answered request; `error` is what a handler threw or why the platform refused its answer. */
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
  /** Answers a request as the deployed API would; never rejects. */
  dispatch(request: HttpRequest): Promise<Answer>;
}

/** API Gateway's own limit on a body, before Lambda's on the event is looked at. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

interface Settings {
  find: ReturnType<typeof compileRoutes>;
  timeoutMs: number;
  maxPayloadBytes: number;
}

interface Outcome {
  answer: Answer;
  routeKey?: string;
  error?: unknown;
}

/**
 * The API without a socket: the same events, limits and answers as behind HTTP.
 * Throws when two routes answer the same requests, or when `cors.origins` holds `*`.
 */
export function createRouter(routes: readonly Route[], options: RouterOptions = {}): Router {
  const { timeoutMs = 30_000, maxPayloadBytes = 6 * 1024 * 1024, cors, log = logErrors } = options;
  if (cors?.origins.includes('*')) throw new Error('cors.origins must name each origin: credentials forbid *');
  const settings = { find: compileRoutes(routes), timeoutMs, maxPayloadBytes };
  return {
    async dispatch(request) {
      const startedAt = performance.now();
      const requestId = randomUUID();
      const granted = cors && preflight(request, cors);
      const outcome: Outcome = granted ? { answer: granted } : await run(request, requestId, settings);
      log({
        requestId,
        method: request.method,
        path: splitUrl(request.url)[0],
        routeKey: outcome.routeKey ?? null,
        status: outcome.answer.status,
        durationMs: performance.now() - startedAt,
        ...(outcome.error !== undefined && { error: outcome.error }),
      });
      return cors && !granted ? withCors(outcome.answer, request, cors) : outcome.answer;
    },
  };
}

const logErrors = ({ error, ...entry }: LogEntry): void => {
  if (error !== undefined) console.error(JSON.stringify(entry), error);
};

type Refuse = (status: keyof typeof TITLES, detail: string) => Answer;

/** The outcome of one request: refused by the platform's rules, or whatever the handler makes of it. */
async function run(request: HttpRequest, requestId: string, settings: Settings): Promise<Outcome> {
  const refuse: Refuse = (status, detail) => refusal(status, detail, request, requestId);
  const [path] = splitUrl(request.url);
  const found = settings.find(request.method, path);
  if (found === 'malformed') return { answer: refuse(400, 'The path is not correctly percent-encoded.') };
  if (found === undefined) return { answer: refuse(404, `No operation answers ${request.method} ${path}.`) };
  const { routeKey, route } = found;
  if (request.body.length > MAX_BODY_BYTES) return { routeKey, answer: refuse(413, limitOf(MAX_BODY_BYTES)) };
  const payload = JSON.stringify(toEvent(request, found, new Date(), requestId));
  if (Buffer.byteLength(payload) > settings.maxPayloadBytes) {
    return { routeKey, answer: refuse(413, `${limitOf(settings.maxPayloadBytes)} Binary counts 4/3 of its size.`) };
  }
  try {
    return { routeKey, ...(await call(route, routeKey, payload, settings, refuse)) };
  } catch (error) {
    return { routeKey, error, answer: refuse(500, `Request ${requestId} failed.`) };
  }
}

/** Runs the handler; event and result go through JSON, as on Lambda, so that nothing of this process leaks. */
async function call(
  route: Route,
  routeKey: string,
  payload: string,
  { timeoutMs: longest, maxPayloadBytes }: Settings,
  refuse: Refuse,
): Promise<Outcome> {
  const timeoutMs = Math.min(route.timeoutMs ?? longest, longest);
  const result = await within(timeoutMs, invoke(route, routeKey, payload, timeoutMs));
  if (result === TIMED_OUT) {
    const error = new Error(`${routeKey} did not answer within ${timeoutMs} ms`);
    return { error, answer: refuse(503, 'The operation took too long. Try again.') };
  }
  const returned = JSON.stringify(result) ?? 'null';
  if (Buffer.byteLength(returned) > maxPayloadBytes) {
    throw new Error(`${routeKey} answered with more than ${maxPayloadBytes} bytes`);
  }
  return { answer: toAnswer(JSON.parse(returned)) };
}

const limitOf = (bytes: number): string =>
  `The request is larger than ${bytes} bytes, the most that can be sent at once. Files go straight to storage: see POST …/files with JSON.`;

const TIMED_OUT = Symbol('timed out');

/** What the work gives, or TIMED_OUT when it takes longer; the work itself goes on, as nothing can stop it. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof TIMED_OUT> {
  const clock = Promise.withResolvers<typeof TIMED_OUT>();
  const timer = setTimeout(clock.resolve, ms, TIMED_OUT);
  return Promise.race([work, clock.promise]).finally(() => clearTimeout(timer));
}

async function invoke(route: Route, routeKey: string, payload: string, timeoutMs: number): Promise<unknown> {
  const endsAt = performance.now() + timeoutMs;
  return route.handler(JSON.parse(payload), {
    awsRequestId: randomUUID(),
    functionName: routeKey,
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:local',
    memoryLimitInMB: '1024',
    logGroupName: 'local',
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, Math.ceil(endsAt - performance.now())),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  });
}

const TITLES = {
  400: 'Bad Request',
  404: 'Not Found',
  413: 'Content Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function refusal(status: keyof typeof TITLES, detail: string, request: HttpRequest, requestId: string): Answer {
  const instance = splitUrl(request.url)[0];
  const code = TITLES[status].toLowerCase().replaceAll(' ', '_');
  const problem = { type: 'about:blank', title: TITLES[status], status, detail, instance, code };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'x-request-id': requestId,
      ...(status === 503 && { 'retry-after': '1' }),
    },
    cookies: [],
    body: Buffer.from(JSON.stringify(problem)),
  };
}

/** A part of a template between slashes; `name` when it is a parameter. */
interface Segment {
  text: string;
  name?: string;
}

/**
 * A look-up of routes by method and path. A literal segment wins over a parameter, from left to right; a trailing
 * slash, an empty segment and HEAD match nothing, exactly as on an HTTP API.
 */
function compileRoutes(routes: readonly Route[]) {
  const compiled = routes
    .map((route) => ({ route, routeKey: `${route.method} ${route.path}`, segments: segmentsOf(route.path) }))
    .sort((a, b) => (shapeOf(a.segments) < shapeOf(b.segments) ? -1 : 1));
  const seen = new Map<string, string>();
  for (const { routeKey } of compiled) {
    const asked = routeKey.replaceAll(/\{\w+\}/g, '{}');
    if (seen.has(asked)) throw new Error(`${seen.get(asked)} and ${routeKey} answer the same requests`);
    seen.set(asked, routeKey);
  }
  const groups = Map.groupBy(compiled, ({ route, segments }) => `${route.method} ${segments.length}`);
  return (method: string, path: string) => {
    const given = decodeSegments(path);
    if (given === undefined) return 'malformed';
    for (const { route, routeKey, segments } of groups.get(`${method} ${given.length}`) ?? []) {
      const pathParameters = match(segments, given);
      if (pathParameters) return { route, routeKey, pathParameters };
    }
    return undefined;
  };
}

function segmentsOf(path: string): Segment[] {
  return path.split('/').map((text) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    if (name === undefined && /[{}]/.test(text)) throw new Error(`${path}: ${text} is no literal and no {parameter}`);
    return name === undefined ? { text } : { text, name };
  });
}

/** Sorts more specific templates first: `0` for a literal segment, `1` for a parameter. */
const shapeOf = (segments: readonly Segment[]): string => segments.map(({ name }) => (name ? '1' : '0')).join('');

function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function match(segments: readonly Segment[], given: readonly string[]): Record<string, string> | undefined {
  const parameters: [string, string][] = [];
  for (const [index, { text, name }] of segments.entries()) {
    const value = given[index];
    if (name !== undefined && value) parameters.push([name, value]);
    else if (text !== value) return undefined;
  }
  return Object.fromEntries(parameters);
}
