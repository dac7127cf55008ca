/**
 * Reads and writes one object of the local S3 for a presigned request whose signature `gate.ts` has checked. Adds
 * what the store lacks: ranges, overridden headers and checksums.
 */
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { sha256 } from '#core/schema/hash.ts';
import { errorResponse, type S3Response } from './response.ts';
import type { PresignedRequest } from './signature.ts';

export type ObjectName = { Bucket: string; Key: string };

/** Response headers that signed parameters override. */
export const OVERRIDES: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-language': 'content-language',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-cache-control': 'cache-control',
  'response-expires': 'expires',
};

/** Reads an object or a range of it, with the response headers that the URL overrides. */
export async function getObject(
  store: S3Client,
  named: ObjectName,
  { query, headers }: PresignedRequest,
): Promise<S3Response> {
  const overrides = Object.entries(OVERRIDES).flatMap(([parameter, name]) => {
    const value = query.get(parameter);
    return value === null ? [] : [[name, value] as const];
  });
  // S3 refuses these too.
  if (overrides.some(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return unwritable;
  return withStoreErrors(named, async () => {
    const conditions = { IfMatch: headers['if-match'], IfNoneMatch: headers['if-none-match'] };
    const found = await store.send(new GetObjectCommand({ ...named, ...conditions }));
    const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
    // A resumed download of an object that has changed gets the whole object.
    const hasChanged = headers['if-range'] !== undefined && headers['if-range'] !== found.ETag;
    const range = hasChanged ? 'whole' : parseRange(headers.range, bytes.length);
    if (range === 'none') return unsatisfiable(bytes.length);
    const responseHeaders = { ...toHeaders(found), ...Object.fromEntries(overrides) };
    if (range === 'whole') return { status: 200, headers: responseHeaders, body: bytes };
    const { first, last } = range;
    return {
      status: 206,
      headers: { ...responseHeaders, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
      body: bytes.subarray(first, last + 1),
    };
  });
}

function toHeaders(found: GetObjectCommandOutput): Record<string, string> {
  const optional = {
    'cache-control': found.CacheControl,
    'content-disposition': found.ContentDisposition,
    'content-encoding': found.ContentEncoding,
    'content-language': found.ContentLanguage,
  };
  return {
    'accept-ranges': 'bytes',
    'content-type': found.ContentType ?? 'binary/octet-stream',
    etag: found.ETag ?? '',
    'last-modified': (found.LastModified ?? new Date(0)).toUTCString(),
    ...Object.fromEntries(Object.entries(optional).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  };
}

type Range = { first: number; last: number } | 'whole' | 'none';

/** Parses a Range header; both ends are inclusive. S3 sends the whole object for a header that is not valid. */
function parseRange(header: string | undefined, size: number): Range {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return to === '0' || size === 0 ? 'none' : { first: Math.max(0, size - Number(to)), last: size - 1 };
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first < size ? { first, last } : 'none';
}

/** Stores an object; `headers` are those of the request. */
export async function putObject(
  store: S3Client,
  named: ObjectName,
  headers: PresignedRequest['headers'],
  body: Buffer,
): Promise<S3Response> {
  const checksum = headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(checksum)) return noChecksum;
  if (checksum !== undefined && checksum !== sha256(body, 'base64')) return badDigest;
  return withStoreErrors(named, async () => {
    const { ETag = '' } = await store.send(
      new PutObjectCommand({
        ...named,
        Body: body,
        ContentType: headers['content-type'] ?? 'binary/octet-stream',
        CacheControl: headers['cache-control'],
        ContentDisposition: headers['content-disposition'],
        ContentEncoding: headers['content-encoding'],
        ContentLanguage: headers['content-language'],
        ChecksumSHA256: checksum,
      }),
    );
    const echoed: Record<string, string> = checksum === undefined ? {} : { 'x-amz-checksum-sha256': checksum };
    return { status: 200, headers: { etag: ETag, ...echoed }, body: new Uint8Array() };
  });
}

/** Passes on errors of the store: a missing object or bucket, a condition that does not hold. */
async function withStoreErrors({ Key }: ObjectName, call: () => Promise<S3Response>): Promise<S3Response> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    const status = error.$metadata.httpStatusCode ?? 500;
    if (status === 304) return { status, headers: {}, body: new Uint8Array() };
    if (status >= 500) throw error;
    return errorResponse({ status, code: error.name, message: error.message, details: { Key } });
  }
}

const unsatisfiable = (size: number): S3Response =>
  errorResponse({
    status: 416,
    code: 'InvalidRange',
    message: 'The requested range is not satisfiable',
    headers: { 'content-range': `bytes */${size}` },
  });
const unwritable = errorResponse({
  status: 400,
  code: 'InvalidArgument',
  message: 'Header value cannot be represented using ISO-8859-1.',
});
const noChecksum = errorResponse({
  status: 400,
  code: 'InvalidRequest',
  message: 'Value for x-amz-checksum-sha256 header is invalid.',
});
const badDigest = errorResponse({
  status: 400,
  code: 'BadDigest',
  message: 'The SHA256 you specified did not match the calculated checksum.',
});
