/** The response for a static asset. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Bucket } from '#core/db/bucket.ts';
import { objects } from '#core/db/bucket.ts';
import { header } from '#core/http/request.ts';
import type { HttpResponse } from '#core/http/result.ts';
import { ASSETS_DIRECTORY, assetNames } from './assets.ts';
import { chooseEncoding } from './result.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** A name that a build may have given an asset: with the hash of its content. */
const BUILT_NAME = /^[\w-]+\.\w{8,10}\.(?:css|js|svg|woff2)$/;
/** The most bytes of an asset; the largest font has a tenth. */
const MAX_BYTES = 1_048_576;

/**
 * Responds with the asset of the path parameter `asset`: of this build or, from the bucket, of another one, since pages
 * opened before a deployment request the old names, and new pages may reach this function before it is replaced. 404 for
 * an unknown name.
 */
export async function respondAsset(
  event: APIGatewayProxyEventV2,
  bucket: () => Promise<Bucket>,
): Promise<HttpResponse> {
  const name = event.pathParameters?.asset ?? '';
  const headers: Record<string, string> = { 'x-content-type-options': 'nosniff' };
  const isOfThisBuild = Object.values(assetNames()).includes(name);
  const storedAsset =
    !isOfThisBuild && BUILT_NAME.test(name)
      ? await (await bucket()).inspect(objects.asset(name), MAX_BYTES)
      : undefined;
  if (!isOfThisBuild && !storedAsset) {
    headers['cache-control'] = 'no-store';
    return { statusCode: 404, headers, body: '' };
  }
  const type = extname(name);
  headers['content-type'] = TYPES[type] ?? 'application/octet-stream';
  headers['cache-control'] = 'public, max-age=31536000, immutable';
  if (storedAsset) {
    return { statusCode: 200, headers, body: Buffer.from(storedAsset.start).toString('base64'), isBase64Encoded: true };
  }
  headers.vary = 'accept-encoding';
  // Fonts are compressed already.
  const encoding = type === '.woff2' ? undefined : chooseEncoding(header(event, 'accept-encoding') ?? '');
  if (encoding) headers['content-encoding'] = encoding;
  const bytes = readFileSync(`${ASSETS_DIRECTORY}/${name}${encoding ? SUFFIXES[encoding] : ''}`);
  return { statusCode: 200, headers, body: bytes.toString('base64'), isBase64Encoded: true };
}
