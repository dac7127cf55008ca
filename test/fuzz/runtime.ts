/**
 * The local runtime on a real socket, and a client that can send any path, header and bytes over kept-alive
 * connections. Every handler is wrapped to measure how long it runs.
 */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { app, replaceApp } from '#core/http/app.ts';
import type { LogEntry, Route } from '#stacks/local/gateway/router.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import type { Person } from '#test/support/fixtures.ts';
import { type Documented, documented } from './document.ts';

/** A request as it is sent; `path` is not encoded further. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer };

/** A response; `json` is undefined if the body is not JSON. */
export type Received = {
  status: number;
  headers: Record<string, string>;
  cookies: readonly string[];
  bytes: Buffer;
  json: unknown;
};

/** A request, its response, and what the runtime logged. */
export type Exchange = {
  sent: Sent;
  received: Received;
  /** The owner of its credential, if that is valid. */
  by: Person | undefined;
  /** The operation it was routed to, which a mutated path may change; undefined if there was none. */
  routed: { operation: Documented; params: Record<string, string> } | undefined;
  /** Undefined if no handler ran. */
  handlerMs: number | undefined;
  /** The log entry of the router; undefined if the request did not reach it. */
  logged: LogEntry | undefined;
};

export type Runtime = {
  url: string;
  exchange(sent: Sent, by: Person | undefined): Promise<Exchange>;
  stop(): Promise<void>;
};

/** An allowed origin. */
export const OWN_ORIGIN = 'https://app.example.org';

/** Starts the local runtime with at most `connections` connections to it. */
export async function startRuntime(connections: number): Promise<Runtime> {
  const current = app();
  replaceApp({ ...current, config: { ...current.config, allowedOrigins: [OWN_ORIGIN] } });
  const logged = new Map<string, LogEntry>();
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
    log: (entry) => logged.set(entry.requestId, entry),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    url: server.url,
    async exchange(sent, by) {
      const received = await perform(server.port, agent, sent);
      const requestId = received.headers['x-request-id'] ?? '';
      const entry = take(logged, requestId);
      const routed = routedTo(sent, entry?.routeKey);
      return { sent, received, by, routed, handlerMs: take(handlerMs, requestId), logged: entry };
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

/** Removes an entry from a map and returns it. */
function take<T>(entries: Map<string, T>, key: string): T | undefined {
  const entry = entries.get(key);
  entries.delete(key);
  return entry;
}

/** The response to a request; its status is 0 if the connection broke. */
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
  // Errors are reported by the promises below; a late one without a listener would end the process.
  request.on('error', () => undefined);
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error(`${method} ${path} got no received`);
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

function routedTo({ path }: Sent, routeKey: string | null | undefined): Exchange['routed'] {
  const operation = byRoute.get((routeKey ?? '').replace(/^HEAD /, 'GET '));
  if (!operation) return undefined;
  const given = (path.split('?')[0] ?? '').split('/').map(decodeURIComponent);
  const names = `/api${operation.path}`.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1]);
  const params = names.flatMap((name, index) => (name ? [[name, given[index] ?? '']] : []));
  return { operation, params: Object.fromEntries(params) };
}
