/** The response for a static asset. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { header } from '#core/http/request.ts';
import type { HttpResponse } from '#core/http/result.ts';
import { ASSETS_DIRECTORY, assetNames } from './assets.ts';
import { acceptedEncoding } from './result.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** The asset of the path parameter `asset`; 404 for a name that was not built. */
export async function respondAsset(event: APIGatewayProxyEventV2): Promise<HttpResponse> {
  const name = event.pathParameters?.asset ?? '';
  const headers: Record<string, string> = { 'x-content-type-options': 'nosniff' };
  if (!Object.values(assetNames()).includes(name)) {
    headers['cache-control'] = 'no-store';
    return { statusCode: 404, headers, body: '' };
  }
  const type = extname(name);
  headers['content-type'] = TYPES[type] ?? 'application/octet-stream';
  headers['cache-control'] = 'public, max-age=31536000, immutable';
  headers.vary = 'accept-encoding';
  // Fonts are compressed already.
  const encoding = type === '.woff2' ? undefined : acceptedEncoding(header(event, 'accept-encoding') ?? '');
  if (encoding) headers['content-encoding'] = encoding;
  const bytes = readFileSync(`${ASSETS_DIRECTORY}/${name}${encoding ? SUFFIXES[encoding] : ''}`);
  return { statusCode: 200, headers, body: bytes.toString('base64'), isBase64Encoded: true };
}
