/**
 * The local S3 as browsers see it: an HTTP server in front of the store that accepts presigned requests to read or
 * write one object and refuses all others as S3 does, so that a URL that works here works on AWS.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';
import { BUCKET_CORS } from '../../cors-rules.ts';
import { splitUrl } from '../gateway/http-to-event.ts';
import { getObject, type ObjectName, OVERRIDES, putObject } from './object.ts';
import { errorResponse, type S3Error, type S3Response } from './response.ts';
import { type PresignedRequest, signatureError } from './signature.ts';

export type GateOptions = {
  /** A client of the store. */
  store: S3Client;
  /** Origins that the CORS rule of the bucket allows; called for each request. */
  origins: () => readonly string[];
};

/** Longer than clients keep idle connections, so that the gate never closes one while a request arrives. */
const KEEP_ALIVE_MS = 65_000;
/** The limit of the store; S3 itself accepts 5 GB in one request. */
const MAX_BYTES = 11 * 1_048_576;
const METHODS: readonly string[] = BUCKET_CORS.methods;
const HEADERS: readonly string[] = BUCKET_CORS.headers;
const PREFLIGHT_SECONDS = 3_000;
/** Supported x-amz- headers; they must be signed. */
const SUPPORTED_HEADERS = ['x-amz-checksum-sha256'];

/** Creates the gate; the caller makes it listen. */
export function createGate(options: GateOptions): Server {
  const server = createServer((request, response) => {
    serve(request, response, options).catch((error: unknown) => {
      if (!response.destroyed) console.error(`The local S3 failed at ${request.method} ${request.url}`, error);
      response.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function serve(request: IncomingMessage, response: ServerResponse, options: GateOptions): Promise<void> {
  const { origin } = request.headers;
  const isAllowed = origin !== undefined && options.origins().includes(origin);
  const result = request.method === 'OPTIONS' ? preflight(request, isAllowed) : await handle(request, options.store);
  if (result === 'disconnected' || response.destroyed) return;
  response.writeHead(result.status, {
    ...result.headers,
    ...(isAllowed && corsHeaders(origin)),
    vary: 'Origin',
    ...(result.status !== 304 && { 'content-length': result.body.length }),
  });
  response.end(result.body);
}

const corsHeaders = (origin: string): Record<string, string> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': BUCKET_CORS.exposeHeaders.join(', '),
});

function preflight({ headers }: IncomingMessage, isAllowed: boolean): S3Response {
  const method = headers['access-control-request-method'];
  if (headers.origin === undefined || method === undefined) return noPreflight;
  const requested = headers['access-control-request-headers']?.toLowerCase();
  const areKnown = (requested ?? '').split(/[, ]+/).every((name) => name === '' || HEADERS.includes(name));
  if (!isAllowed || !METHODS.includes(method) || !areKnown) return forbiddenOrigin;
  return {
    status: 200,
    headers: {
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-max-age': String(PREFLIGHT_SECONDS),
      ...(requested !== undefined && { 'access-control-allow-headers': requested }),
    },
    body: new Uint8Array(),
  };
}

/** Responds to a request; 'disconnected' when the client closed the connection before its end. */
async function handle(request: IncomingMessage, store: S3Client): Promise<S3Response | 'disconnected'> {
  const parsed = parseRequest(request);
  if (!parsed) return errorResponse(badUri);
  const { method, headers } = parsed;
  if (method === 'PUT' && headers['content-length'] === undefined) return errorResponse(noLength);
  const error = (await signatureError(parsed, new Date())) ?? unsupported(parsed);
  if (error) return errorResponse(error);
  const object = parseObjectName(parsed.path);
  if (method !== 'PUT') return getObject(store, object, parsed);
  const body = await readBody(request);
  return body === undefined ? 'disconnected' : putObject(store, object, headers, body);
}

function parseRequest({ method = 'GET', url = '/', headersDistinct }: IncomingMessage): PresignedRequest | undefined {
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

/** Splits a path `/bucket/key`. */
function parseObjectName(path: string): ObjectName {
  const [, Bucket = '', Key = ''] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  return { Bucket, Key };
}

/** Refuses what S3 supports and the gate does not, so that nothing appears done that is not. */
function unsupported({ method, path, query, headers }: PresignedRequest): S3Error | undefined {
  if (!METHODS.includes(method) || parseObjectName(path).Key === '') return notHere;
  const isKnown = (name: string) => /^x-(?:amz-|id$)/i.test(name) || name in OVERRIDES;
  const unknown =
    [...query.keys()].find((name) => !isKnown(name)) ??
    Object.keys(headers).find((name) => name.startsWith('x-amz-') && !SUPPORTED_HEADERS.includes(name));
  if (unknown !== undefined) return { ...notImplemented, details: { Header: unknown } };
  return Number(headers['content-length'] ?? 0) > MAX_BYTES ? tooLarge : undefined;
}

/** Reads the whole body; undefined when the client disconnected. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch (error) {
    if (request.destroyed) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

const badUri: S3Error = { status: 400, code: 'InvalidURI', message: "Couldn't parse the specified URI." };
const noLength: S3Error = {
  status: 411,
  code: 'MissingContentLength',
  message: 'You must provide the Content-Length HTTP header.',
};
const notHere: S3Error = {
  status: 405,
  code: 'MethodNotAllowed',
  message: 'The specified method is not allowed against this resource.',
};
const notImplemented: S3Error = {
  status: 501,
  code: 'NotImplemented',
  message: 'The local S3 does not support this header or parameter.',
};
const tooLarge: S3Error = {
  status: 400,
  code: 'EntityTooLarge',
  message: 'Your proposed upload exceeds the maximum allowed size',
  details: { MaxSizeAllowed: String(MAX_BYTES) },
};
const noPreflight = errorResponse({
  status: 400,
  code: 'BadRequest',
  message: 'Insufficient information. Origin and Access-Control-Request-Method request headers needed.',
});
const forbiddenOrigin = errorResponse({
  status: 403,
  code: 'AccessForbidden',
  message: 'CORSResponse: This CORS request is not allowed.',
});
