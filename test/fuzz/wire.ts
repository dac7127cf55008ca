/**
 * The local runtime on a real socket, and a client that can send what no typed client would: any path, header and
 * bytes, over connections that are kept. Every handler is wrapped to learn how long it ran.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { app, replaceApp } from '#core/http/app.ts';
import type { LogEntry, Route } from '#stacks/local/router.ts';
import { routes } from '#stacks/local/routes.ts';
import { startServer } from '#stacks/local/server.ts';
import type { Person } from '#test/support/world.ts';
import { type Documented, documented } from './document.ts';

/** A request as it goes over the wire; `path` is sent as it is. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer };

/** An answer as it came back; `json` is undefined where the body is none. */
export type Received = {
  status: number;
  headers: Record<string, string>;
  cookies: readonly string[];
  bytes: Buffer;
  json: unknown;
};

/** A request with its answer and what the runtime noted of it. */
export type Exchange = {
  sent: Sent;
  answer: Received;
  /** Who sent it, as a valid credential said. */
  by: Person | undefined;
  /** What was asked in truth: a spoilt path may be another operation's. Undefined when it is none's. */
  asked: { operation: Documented; params: Record<string, string> } | undefined;
  /** Undefined when no handler ran. */
  handlerMs: number | undefined;
  /** What the router noted; undefined when the request did not get as far. */
  noted: LogEntry | undefined;
};

export type Runtime = {
  url: string;
  exchange(sent: Sent, by: Person | undefined): Promise<Exchange>;
  stop(): Promise<void>;
};

/** The origin of a page that may call. */
export const OWN_ORIGIN = 'https://app.example.org';

/** Starts the local runtime with at most `connections` connections to it. */
export async function startRuntime(connections: number): Promise<Runtime> {
  const world = app();
  replaceApp({ ...world, config: { ...world.config, allowedOrigins: [OWN_ORIGIN] } });
  const noted = new Map<string, LogEntry>();
  const handlerMs = new Map<string, number>();
  const server = await startServer({
    routes: routes().map((route) => timed(route, handlerMs)),
    port: 0,
    cors: {
      origins: [OWN_ORIGIN],
      methods: ['GET', 'POST'],
      headers: ['if-match'],
      exposeHeaders: ['etag'],
      maxAgeSeconds: 1,
    },
    log: (entry) => noted.set(entry.requestId, entry),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    url: server.url,
    async exchange(sent, by) {
      const answer = await perform(server.port, agent, sent);
      const requestId = answer.headers['x-request-id'] ?? '';
      const entry = taken(noted, requestId);
      const asked = askedOf(sent, entry?.routeKey);
      return { sent, answer, by, asked, handlerMs: taken(handlerMs, requestId), noted: entry };
    },
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

function timed(route: Route, handlerMs: Map<string, number>): Route {
  return {
    ...route,
    async handler(event, context) {
      const startedAt = performance.now();
      try {
        return await route.handler(event, context);
      } finally {
        handlerMs.set(event.requestContext.requestId, performance.now() - startedAt);
      }
    },
  };
}

/** Takes an entry out of a map. */
function taken<T>(entries: Map<string, T>, key: string): T | undefined {
  const entry = entries.get(key);
  entries.delete(key);
  return entry;
}

/** The answer to a request; one of status 0 where the connection broke, which is for the judge to take amiss. */
async function perform(port: number, agent: Agent, sent: Sent): Promise<Received> {
  try {
    return await send(port, agent, sent);
  } catch (error) {
    return { status: 0, headers: {}, cookies: [], bytes: Buffer.from(String(error)), json: undefined };
  }
}

async function send(port: number, agent: Agent, sent: Sent): Promise<Received> {
  const { method, path, headers, body } = sent;
  const length = body === undefined ? {} : { 'content-length': body.length };
  const request = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } });
  // Told by the promises below; without a listener a late one would end the process.
  request.on('error', () => undefined);
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error(`${method} ${path} got no answer`);
  const bytes = Buffer.concat(await response.toArray());
  const plain = Object.entries(response.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const isJson = /json/.test(response.headers['content-type'] ?? '') && bytes.length > 0;
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(plain),
    cookies: response.headers['set-cookie'] ?? [],
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
  };
}

const byRoute = new Map(documented.map((operation) => [`${operation.method} /api${operation.path}`, operation]));

function askedOf({ path }: Sent, routeKey: string | null | undefined): Exchange['asked'] {
  const operation = byRoute.get(routeKey ?? '');
  if (!operation) return undefined;
  const given = (path.split('?')[0] ?? '').split('/').map(decodeURIComponent);
  const names = `/api${operation.path}`.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  const params = names.flatMap((name, index) => (name ? [[name, given[index] ?? '']] : []));
  return { operation, params: Object.fromEntries(params) };
}
