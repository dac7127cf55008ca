/**
 * Reading and writing one object of the local S3 for somebody with a presigned URL: the store keeps the bytes, and
 * what S3 does around them is done here, as the store does not (ranges, overridden headers, checksums).
 * Used by `s3-gate.ts` after the signature was found good.
 */
import { createHash } from 'node:crypto';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { refusalAnswer, type S3Answer } from './s3-refusal.ts';
import type { Arrived } from './s3-signature.ts';

export type ObjectName = { Bucket: string; Key: string };

/** Which header of the answer a signed parameter overrides. */
export const OVERRIDES: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-language': 'content-language',
  'response-content-disposition': 'content-disposition',
  'response-content-encoding': 'content-encoding',
  'response-cache-control': 'cache-control',
  'response-expires': 'expires',
};

/** The object or the asked range of it, under the headers that the URL asks for. */
export async function getObject(store: S3Client, named: ObjectName, { query, headers }: Arrived): Promise<S3Answer> {
  const overrides = Object.entries(OVERRIDES).flatMap(([parameter, name]) => {
    const value = query.get(parameter);
    return value === null ? [] : [[name, value] as const];
  });
  // What Node would not write as a header, S3 does not either.
  if (overrides.some(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return unwritable;
  return unlessRefused(named, async () => {
    const conditions = { IfMatch: headers['if-match'], IfNoneMatch: headers['if-none-match'] };
    const found = await store.send(new GetObjectCommand({ ...named, ...conditions }));
    const bytes = (await found.Body?.transformToByteArray()) ?? new Uint8Array();
    // A resumed download of what has changed meanwhile begins anew.
    const isOther = headers['if-range'] !== undefined && headers['if-range'] !== found.ETag;
    const range = isOther ? 'whole' : rangeOf(headers.range, bytes.length);
    if (range === 'none') return unsatisfiable(bytes.length);
    const said = { ...headersOf(found), ...Object.fromEntries(overrides) };
    if (range === 'whole') return { status: 200, headers: said, body: bytes };
    const { first, last } = range;
    return {
      status: 206,
      headers: { ...said, 'content-range': `bytes ${first}-${last}/${bytes.length}` },
      body: bytes.subarray(first, last + 1),
    };
  });
}

function headersOf(found: GetObjectCommandOutput): Record<string, string> {
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

/** The bytes that are asked for, both ends included. S3 sends the whole object where it does not understand. */
function rangeOf(header: string | undefined, size: number): Range {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return to === '0' || size === 0 ? 'none' : { first: Math.max(0, size - Number(to)), last: size - 1 };
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first < size ? { first, last } : 'none';
}

/** Stores a body whole, or refuses it; `headers` are the request's. */
export async function putObject(
  store: S3Client,
  named: ObjectName,
  headers: Arrived['headers'],
  body: Buffer,
): Promise<S3Answer> {
  const checksum = headers['x-amz-checksum-sha256'];
  if (checksum !== undefined && !/^[A-Za-z0-9+/]{43}=$/.test(checksum)) return noChecksum;
  if (checksum !== undefined && checksum !== createHash('sha256').update(body).digest('base64')) return badDigest;
  return unlessRefused(named, async () => {
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

/** Passes on what the store refuses: a missing object or bucket, a condition that does not hold. */
async function unlessRefused({ Key }: ObjectName, call: () => Promise<S3Answer>): Promise<S3Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    const status = error.$metadata.httpStatusCode ?? 500;
    if (status === 304) return { status, headers: {}, body: new Uint8Array() };
    if (status >= 500) throw error;
    return refusalAnswer({ status, code: error.name, message: error.message, details: { Key } });
  }
}

const unsatisfiable = (size: number): S3Answer =>
  refusalAnswer({
    status: 416,
    code: 'InvalidRange',
    message: 'The requested range is not satisfiable',
    headers: { 'content-range': `bytes */${size}` },
  });
const unwritable = refusalAnswer({
  status: 400,
  code: 'InvalidArgument',
  message: 'Header value cannot be represented using ISO-8859-1.',
});
const noChecksum = refusalAnswer({
  status: 400,
  code: 'InvalidRequest',
  message: 'Value for x-amz-checksum-sha256 header is invalid.',
});
const badDigest = refusalAnswer({
  status: 400,
  code: 'BadDigest',
  message: 'The SHA256 you specified did not match the calculated checksum.',
});
