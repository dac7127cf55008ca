/** The local runtime on a real socket, and a client that can send any path, header and bytes over kept connections. */
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Declaration } from '#core/api/declare.ts';
import { operations } from '#core/api/index.ts';
import { app, replaceApp } from '#core/http/app.ts';
import type { LogEntry, Route } from '#stacks/local/gateway/router.ts';
import { routes } from '#stacks/local/gateway/routes.ts';
import { startServer } from '#stacks/local/gateway/server.ts';
import { OWN_ORIGIN } from './texts.ts';

/** A request as it is sent; `path` is not encoded further. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer };

/** A response; its status is 0 if the connection broke, `json` is undefined if the body is not JSON. */
export type Received = {
  status: number;
  headers: Record<string, string>;
  cookies: readonly string[];
  bytes: Buffer;
  json: unknown;
};

export type Exchange = {
  sent: Sent;
  received: Received;
  /** Whether the router got the request; Node refuses some itself. */
  reached: boolean;
  /** The operation it was routed to, which a mutated path may change; undefined if there was none. */
  routed: Declaration | undefined;
  /** What the handler took; undefined if none ran. */
  took: Took | undefined;
};

/** The time of a handler, and what the process used of its processors meanwhile, also for requests at the same time; in ms. */
export type Took = { ms: number; cpuMs: number };

export type Runtime = { exchange(sent: Sent): Promise<Exchange>; stop(): Promise<void> };

const byRoute = new Map<string, Declaration>(operations.map((each) => [`${each.method} /api${each.path}`, each]));

/** Starts the local runtime with at most `connections` connections to it. */
export async function startRuntime(connections: number): Promise<Runtime> {
  const current = app();
  replaceApp({ ...current, config: { ...current.config, allowedOrigins: [OWN_ORIGIN] } });
  const logged = new Map<string, LogEntry>();
  const took = new Map<string, Took>();
  const server = await startServer({
    routes: routes().map((route) => timed(route, took)),
    port: 0,
    cors: { origins: [OWN_ORIGIN], methods: ['GET'], headers: ['if-match'], exposeHeaders: ['etag'], maxAgeSeconds: 1 },
    log: (entry) => logged.set(entry.requestId, entry),
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    async exchange(sent) {
      const received: Received = await send(server.port, agent, sent).catch((error) => ({
        ...NOTHING,
        bytes: Buffer.from(String(error)),
      }));
      const requestId = received.headers['x-request-id'] ?? '';
      const entry = logged.get(requestId);
      const routed = byRoute.get((entry?.routeKey ?? '').replace(/^HEAD /, 'GET '));
      return { sent, received, routed, reached: entry !== undefined, took: took.get(requestId) };
    },
    async stop() {
      agent.destroy();
      await server.stop();
    },
  };
}

const timed = (route: Route, took: Map<string, Took>): Route => ({
  ...route,
  async handler(event, context) {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    try {
      return await route.handler(event, context);
    } finally {
      const { user, system } = process.cpuUsage(before);
      took.set(event.requestContext.requestId, { ms: performance.now() - startedAt, cpuMs: (user + system) / 1_000 });
    }
  },
});

const NOTHING = { status: 0, headers: {}, cookies: [], json: undefined };

async function send(port: number, agent: Agent, { method, path, headers, body }: Sent): Promise<Received> {
  const length = body === undefined ? {} : { 'content-length': body.length };
  const request = httpRequest({ host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...length } });
  // Errors are reported by the promises below; a late one without a listener would end the process.
  request.on('error', () => undefined);
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error(`${method} ${path} got no response`);
  const bytes = Buffer.concat(await response.toArray());
  const plain = Object.entries(response.headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
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
