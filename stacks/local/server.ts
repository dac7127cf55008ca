/**
 * The HTTP side of the local API: reads whole requests, hands them to the router, writes its answers, lets pages such
 * as `/docs` be served beside the API. What an answer is, limits included, is decided in `router.ts`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Answer, HttpRequest } from './http-to-event.ts';
import { HOST, listen } from './listening.ts';
import { createRouter, MAX_BODY_BYTES, type Route, type Router, type RouterOptions } from './router.ts';

export interface ServerOptions extends RouterOptions {
  routes: readonly Route[];
  /** 0 takes a free one. */
  port: number;
  host?: string;
  /** Sees every request first and answers those that are not the API's; true when it did. */
  pages?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface RunningServer {
  url: string;
  port: number;
  /** Takes no new requests, lets running ones finish for at most three seconds, frees the port. */
  stop(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that the server is never the one to close it under a request. */
const KEEP_ALIVE_MS = 65_000;
const STOP_GRACE_MS = 3_000;

/**
 * Serves the routes over HTTP until `stop()`.
 * Throws when the port is taken, when two routes answer the same requests, or when the origins hold `*`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { routes, port, host = HOST, pages = () => false } = options;
  const router = createRouter(routes, options);
  const server = createServer((request, response) => {
    const isStopping = () => !server.listening;
    serve(request, response, { router, pages, isStopping }).catch((error: unknown) => {
      console.error(`${request.method} ${request.url} could not be answered`, error);
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
  const impatience = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(impatience);
}

interface Service {
  router: Router;
  pages: NonNullable<ServerOptions['pages']>;
  isStopping: () => boolean;
}

async function serve(request: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  if (service.pages(request, response)) return;
  const body = await readBody(request);
  if (body === undefined) return;
  const answer = await service.router.dispatch(httpRequest(request, body));
  // A connection that is kept would hold up the stop.
  if (service.isStopping()) response.shouldKeepAlive = false;
  if (!response.destroyed) write(response, answer);
}

/**
 * The whole body, or undefined when the client went away. It is read to its end even when it is too large, as an
 * early answer on a kept connection would make the next request hang; what is kept of it is just enough to refuse it.
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

function write(response: ServerResponse, { status, headers, cookies, body }: Answer): void {
  const hasNoBody = status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(!hasNoBody && { 'content-length': body.length }),
  });
  response.end(body);
}
