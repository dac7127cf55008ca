/**
 * The HTTP server of the local API: reads whole requests, dispatches them through `router.ts` and writes the responses.
 * Pages such as `/docs` are served before the API.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HttpRequest, HttpResponse } from './http-to-event.ts';
import { HOST, listen } from './listening.ts';
import { createRouter, MAX_BODY_BYTES, type Route, type Router, type RouterOptions } from './router.ts';

export interface ServerOptions extends RouterOptions {
  routes: readonly Route[];
  /** 0 takes a free port. */
  port: number;
  host?: string;
  /** Gets every request before the API. */
  pages?: PageHandler;
}

/** Responds to the requests of some pages and returns true; returns false for any other request. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Several page handlers as one: the first that responds to a request ends it. */
export const combinePages =
  (...handlers: readonly PageHandler[]): PageHandler =>
  (request, response) =>
    handlers.some((respond) => respond(request, response));

export interface RunningServer {
  url: string;
  port: number;
  /** Takes no new requests, gives running ones at most three seconds to finish, and frees the port. */
  stop(): Promise<void>;
}

/** Longer than clients keep idle connections, so that the server never closes one while a request arrives. */
const KEEP_ALIVE_MS = 65_000;
const STOP_GRACE_MS = 3_000;
/**
 * How many requests run at once; the others wait. On Lambda each runs in a process of its own; here they share one, where
 * the storage calls of 200 long lists would all wait for the processor until they time out.
 */
const MAX_RUNNING = 16;

/**
 * Serves the routes over HTTP until `stop()`.
 * Throws when the port is taken, when two routes match the same requests, or when an allowed origin is `*`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { routes, port, host = HOST, pages = () => false } = options;
  const { dispatch } = createRouter(routes, options);
  const service = { dispatch: inTurn(MAX_RUNNING, dispatch), pages, isStopping: () => !server.listening };
  const server = createServer((request, response) => {
    serve(request, response, service).catch((error: unknown) => {
      console.error(`${request.method} ${request.url} failed`, error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const boundPort = await listen(server, port, host);
  return { url: `http://${host}:${boundPort}`, port: boundPort, stop: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

/** A function of which at most `max` calls run at once; further ones start in order as those before them end. */
function inTurn<A extends unknown[], R>(max: number, call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (...args) => {
    if (running === max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await call(...args);
    } finally {
      const startNext = waiting.shift();
      if (startNext) startNext();
      else running -= 1;
    }
  };
}

interface Service {
  dispatch: Router['dispatch'];
  pages: PageHandler;
  isStopping: () => boolean;
}

async function serve(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  if (service.pages(request, response)) return;
  const body = await readBody(request);
  if (body === undefined) return;
  const result = await service.dispatch(httpRequest(request, body));
  // A kept connection would delay the stop.
  if (service.isStopping()) response.shouldKeepAlive = false;
  if (!response.destroyed) write(response, result);
}

/**
 * Reads the whole body; undefined when the client disconnected. A body that is too large is read to its end, because
 * the next request on the connection would hang otherwise, but only enough of it is kept to refuse it.
 */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      length += chunk.length;
    }
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

function httpRequest(request: IncomingMessage, body: Buffer): HttpRequest {
  const headers: [string, string][] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    headers.push([request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? '']);
  }
  return {
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    headers,
    body,
    remoteAddress: (request.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, ''),
    httpVersion: request.httpVersion,
  };
}

function write(response: ServerResponse, { status, headers, cookies, body }: HttpResponse): void {
  const hasNoBody = status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(!hasNoBody && { 'content-length': body.length }),
  });
  response.end(body);
}
