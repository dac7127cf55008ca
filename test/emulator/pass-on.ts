/** An HTTP server that passes every request on to another one, unchanged but for its path. */
import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';

export type PassedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

/** Creates the server; `pathAt` receives each request and returns its path and query at `target`. */
export const passOn = (target: string, pathAt: (request: PassedRequest) => string): Server =>
  createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = 'GET', url = '/', headers } = incoming;
    const body = Buffer.concat(chunks);
    const path = pathAt({ method, url, headers, body });
    const { hostname, port } = new URL(target);
    const passed = send({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    passed.once('error', (error) => {
      outgoing.writeHead(502).end(error.message);
    });
    passed.end(body);
  });
