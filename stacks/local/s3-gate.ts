/**
 * The local S3 as browsers see it: an HTTP server in front of the store that lets through nothing but presigned
 * requests to read or write one object, and refuses the rest as S3 does, so that a URL that works here works there.
 * Who may ask from a page is the bucket's CORS rule. Started by `s3.ts`.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';
import { splitUrl } from './http-to-event.ts';
import { getObject, type ObjectName, OVERRIDES, putObject } from './s3-object.ts';
import { refusalAnswer, type S3Answer, type S3Refusal } from './s3-refusal.ts';
import { type Arrived, signatureRefusal } from './s3-signature.ts';

export type GateOptions = {
  /** Talks to what keeps the objects. */
  store: S3Client;
  /** Which pages the bucket's CORS rule allows, asked at each request. */
  origins: () => readonly string[];
};

/** Longer than any client keeps an idle connection, so that the gate is never the one to close it under a request. */
const KEEP_ALIVE_MS = 65_000;
/** What the store takes; S3 itself takes 5 GB in one request. */
const LARGEST_BYTES = 11 * 1_048_576;
const METHODS = ['GET', 'HEAD', 'PUT'];
const PREFLIGHT_SECONDS = 3_000;
/** The headers in x-amz- that the gate honours once they are signed. */
const HONOURED = ['x-amz-checksum-sha256'];

/** The gate, not listening yet. */
export function createGate(options: GateOptions): Server {
  const server = createServer((request, response) => {
    serve(request, response, options).catch((error: unknown) => {
      if (!response.destroyed) console.error(`The local S3 could not answer ${request.method} ${request.url}`, error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function serve(request: IncomingMessage, response: ServerResponse, options: GateOptions): Promise<void> {
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && options.origins().includes(origin);
  const answer = request.method === 'OPTIONS' ? preflight(request, isAllowed) : await answerTo(request, options.store);
  if (answer === 'gone' || response.destroyed) return;
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(isAllowed && allowing(origin)),
    vary: 'Origin',
    ...(answer.status !== 304 && { 'content-length': answer.body.length }),
  });
  response.end(answer.body);
}

const allowing = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'ETag',
});

function preflight({ headers }: IncomingMessage, isAllowed: boolean): S3Answer {
  const method = headers['access-control-request-method'];
  if (headers.origin === undefined || method === undefined) return noPreflight;
  if (!isAllowed || !METHODS.includes(method)) return forbiddenOrigin;
  const asked = headers['access-control-request-headers'];
  return {
    status: 200,
    headers: {
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      ...(asked !== undefined && { 'access-control-allow-headers': asked.toLowerCase() }),
    },
    body: new Uint8Array(),
  };
}

/** The answer to a request, or that whoever asked went away in the middle of it. */
async function answerTo(request: IncomingMessage, store: S3Client): Promise<S3Answer | 'gone'> {
  const arrived = arrivedOf(request);
  if (!arrived) return refusalAnswer(badUri);
  const { method, headers } = arrived;
  if (method === 'PUT' && headers['content-length'] === undefined) return refusalAnswer(noLength);
  const refusal = (await signatureRefusal(arrived, new Date())) ?? beyondTheGate(arrived);
  if (refusal) return refusalAnswer(refusal);
  const named = nameOf(arrived.path);
  if (method !== 'PUT') return getObject(store, named, arrived);
  const body = await bodyOf(request);
  return body === undefined ? 'gone' : putObject(store, named, headers, body);
}

function arrivedOf({ method = 'GET', url = '/', headersDistinct }: IncomingMessage): Arrived | undefined {
  const [path, query] = splitUrl(url);
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]);
  try {
    return {
      method,
      path: decodeURIComponent(path),
      query: new URLSearchParams(query),
      headers: Object.fromEntries(headers),
    };
  } catch {
    return undefined;
  }
}

/** The names in `/bucket/key`, which is how the local S3 is addressed. */
function nameOf(path: string): ObjectName {
  const [, Bucket = '', Key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { Bucket, Key };
}

/** What S3 would carry out for a good signature and the gate does not: nothing may look done that is not. */
function beyondTheGate({ method, path, query, headers }: Arrived): S3Refusal | undefined {
  if (!METHODS.includes(method) || nameOf(path).Key === '') return notHere;
  const isKnown = (name: string) => /^x-(?:amz-|id$)/i.test(name) || name in OVERRIDES;
  const stranger =
    [...query.keys()].find((name) => !isKnown(name)) ??
    Object.keys(headers).find((name) => name.startsWith('x-amz-') && !HONOURED.includes(name));
  if (stranger !== undefined) return { ...notImplemented, details: { Header: stranger } };
  return Number(headers['content-length'] ?? 0) > LARGEST_BYTES ? tooLarge : undefined;
}

/** The body to its end, or undefined when it was cut off. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

const badUri: S3Refusal = { status: 400, code: 'InvalidURI', message: "Couldn't parse the specified URI." };
const noLength: S3Refusal = {
  status: 411,
  code: 'MissingContentLength',
  message: 'You must provide the Content-Length HTTP header.',
};
const notHere: S3Refusal = {
  status: 405,
  code: 'MethodNotAllowed',
  message: 'The specified method is not allowed against this resource.',
};
const notImplemented: S3Refusal = {
  status: 501,
  code: 'NotImplemented',
  message: 'The local S3 does not do what this header or parameter asks for.',
};
const tooLarge: S3Refusal = {
  status: 400,
  code: 'EntityTooLarge',
  message: 'Your proposed upload exceeds the maximum allowed size',
  details: { MaxSizeAllowed: String(LARGEST_BYTES) },
};
const noPreflight = refusalAnswer({
  status: 400,
  code: 'BadRequest',
  message: 'Insufficient information. Origin and Access-Control-Request-Method request headers needed.',
});
const forbiddenOrigin = refusalAnswer({
  status: 403,
  code: 'AccessForbidden',
  message: 'CORSResponse: This CORS request is not allowed.',
});
