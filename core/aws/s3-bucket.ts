/** The bucket port on the AWS SDK, with one client for calls of the service and one that signs URLs for browsers. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket, ExactUpload } from '#core/db/bucket.ts';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';
import type { Config } from './config.ts';

type Settings = Pick<Config, 'bucketName' | 's3Endpoint' | 's3PublicEndpoint' | 'region'>;

/** The largest number of keys in one DeleteObjects call and in one result of ListObjectsV2. */
const MAX_KEYS = 1_000;

/** Creates the bucket port for a bucket. */
export function s3Bucket({ bucketName: Bucket, s3Endpoint, s3PublicEndpoint, region }: Settings): Bucket {
  const client = createS3Client(region, s3Endpoint);
  const signer = createS3Client(region, s3PublicEndpoint);
  return {
    signPut: (Key, upload, expiresSeconds) => signPut(signer, { Bucket, Key }, upload, expiresSeconds),
    signGet(Key, { contentType: ResponseContentType, disposition: ResponseContentDisposition }, expiresIn) {
      const get = new GetObjectCommand({ Bucket, Key, ResponseContentType, ResponseContentDisposition, ...AS_STORED });
      return getSignedUrl(signer, get, { expiresIn });
    },
    inspect: (Key, leadingBytes) => inspect(client, { Bucket, Key }, leadingBytes),
    async put(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    },
    upload: (Key, chunks, contentType) => uploadInParts(client, { Bucket, Key }, chunks, contentType),
    remove: (keys) => remove(client, Bucket, keys),
    async removeSome(prefix) {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: MAX_KEYS }),
      );
      const foundKeys = Contents.flatMap(({ Key }) => Key ?? []);
      await remove(client, Bucket, foundKeys);
      return foundKeys.length;
    },
  };
}

async function remove(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += MAX_KEYS) {
    const Objects = keys.slice(index, index + MAX_KEYS).map((Key) => ({ Key }));
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new Error(`${Errors.length} objects were not removed; ${first.Key}: ${first.Message}`);
  }
}

const createS3Client = (region: string, endpoint: string | undefined): S3Client =>
  new S3Client({
    region,
    maxAttempts: SDK_ATTEMPTS,
    // Uploads through the API have up to 4.5 MB.
    requestHandler: { connectionTimeout: ATTEMPT_MS, requestTimeout: 3 * ATTEMPT_MS, throwOnRequestTimeout: true },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint
      ? { endpoint, forcePathStyle: true, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });

/**
 * Overrides what a presigned PUT may have stored with an object: a signature covers headers that are sent, so it cannot
 * exclude others, and a wrong Content-Encoding would keep browsers from reading the bytes.
 */
const AS_STORED = { ResponseContentEncoding: 'identity', ResponseCacheControl: 'private, no-store' };

type Named = { Bucket: string; Key: string };

/** Signs length, type and SHA-256 as headers: S3 does not enforce a checksum in the query. */
async function signPut(signer: S3Client, named: Named, upload: ExactUpload, expiresIn: number) {
  const { contentType, size, sha256 } = upload;
  const exact = { ContentType: contentType, ContentLength: size, ChecksumSHA256: sha256 };
  const url = await getSignedUrl(signer, new PutObjectCommand({ ...named, ...exact }), {
    expiresIn,
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
    unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
  });
  // Content-Length is not included: browsers set it and do not let pages do so.
  return { url, headers: { 'content-type': contentType, 'x-amz-checksum-sha256': sha256 } };
}

/** Reads HEAD and the leading bytes in parallel. The object cannot change in between: a key is written only once. */
async function inspect(client: S3Client, named: Named, leadingBytes: number) {
  const [head, body] = await Promise.all([
    unlessMissing(client.send(new HeadObjectCommand({ ...named, ChecksumMode: 'ENABLED' }))),
    unlessMissing(client.send(new GetObjectCommand({ ...named, Range: `bytes=0-${leadingBytes - 1}` }))),
  ]);
  // An empty object has no range. One with bytes that has none was removed in between.
  if (!head || (!body && head.ContentLength !== 0)) return undefined;
  const { ContentLength: size = 0, ContentType: contentType = '', ChecksumSHA256: sha256 } = head;
  const start = (await body?.Body?.transformToByteArray()) ?? new Uint8Array();
  return { size, contentType, sha256, start };
}

/**
 * The statuses of what cannot be read: 404 for a missing object, 403 where the function may not list the bucket, 416 for
 * a range of an empty object. By status, because a response to HEAD has no body that names the error.
 */
const MISSING: ReadonlySet<number> = new Set([403, 404, 416]);

/** The output of a call; undefined when the object does not exist. */
async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.has(error.$metadata.httpStatusCode ?? 0)) return undefined;
    throw error;
  }
}

// Uploads an object of any size in parts of 5 MB: while two are sent, the next one is collected, so memory is flat and
// a slow upload holds its source back. Parts of an upload that was neither completed nor aborted, because the process
// died, are removed by the bucket's rule for incomplete uploads.

type NamedObject = { Bucket: string; Key: string };
type Part = { PartNumber: number; ETag: string | undefined };

/** The least that S3 allows for all parts but the last; with at most 10,000 parts, 50 GB. */
const PART_BYTES = 5 * 1_024 * 1_024;
const PARTS_AT_ONCE = 2;
/** Sending a part, or joining many, takes longer than any other call. */
const SLOW_CALL = { requestTimeout: 60_000 };

/** Uploads chunks as one object. Throws errors of the chunks and of S3, after the upload was aborted. */
export async function uploadInParts(
  client: S3Client,
  named: NamedObject,
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...named, ContentType: contentType }));
  try {
    const Parts = await sendParts(client, { ...named, UploadId }, chunks);
    const complete = new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } });
    await client.send(complete, SLOW_CALL);
  } catch (error) {
    // The first error is the one to report; the rule of the bucket removes what cannot be removed now.
    await client.send(new AbortMultipartUploadCommand({ ...named, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  client: S3Client,
  upload: NamedObject & { UploadId: string | undefined },
  chunks: AsyncIterable<Uint8Array>,
): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  for await (const Body of joinIntoParts(chunks)) {
    const PartNumber = parts.length + 1;
    const uploadedPart = client
      .send(new UploadPartCommand({ ...upload, PartNumber, Body }), SLOW_CALL)
      .then(({ ETag }) => ({ PartNumber, ETag }));
    // Awaited below; marks a rejection as handled until then.
    uploadedPart.catch(() => undefined);
    parts.push(uploadedPart);
    // Back-pressure: at most two parts are under way.
    if (parts.length >= PARTS_AT_ONCE) await parts[parts.length - PARTS_AT_ONCE];
  }
  return Promise.all(parts);
}

/** Chunks joined to parts; at least one, because an upload without parts cannot be completed. */
async function* joinIntoParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let used = 0;
  let count = 0;
  for await (let chunk of chunks) {
    while (used + chunk.length >= PART_BYTES) {
      part.set(chunk.subarray(0, PART_BYTES - used), used);
      chunk = chunk.subarray(PART_BYTES - used);
      yield part;
      count += 1;
      part = Buffer.allocUnsafe(PART_BYTES);
      used = 0;
    }
    part.set(chunk, used);
    used += chunk.length;
  }
  if (used > 0 || count === 0) yield part.subarray(0, used);
}
