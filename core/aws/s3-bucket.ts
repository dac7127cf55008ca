/** The bucket port on the AWS SDK, with one client for calls of the service and one that signs URLs for browsers. */
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket, ExactUpload } from '#core/db/bucket.ts';
import { ATTEMPT_MS, SDK_ATTEMPTS } from './busy.ts';
import type { Config } from './config.ts';
import { uploadInParts } from './s3-upload.ts';

type Settings = Pick<Config, 'bucketName' | 's3Endpoint' | 's3PublicEndpoint' | 'region'>;

/** The largest number of keys in one DeleteObjects call and in one page of a list. */
const PAGE = 1_000;

/** The bucket port for a bucket. */
export function s3Bucket({ bucketName: Bucket, s3Endpoint, s3PublicEndpoint, region }: Settings): Bucket {
  const client = clientOf(region, s3Endpoint);
  const signer = clientOf(region, s3PublicEndpoint);
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
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: PAGE }));
      const found = Contents.flatMap(({ Key }) => Key ?? []);
      await remove(client, Bucket, found);
      return found.length;
    },
  };
}

async function remove(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += PAGE) {
    const Objects = keys.slice(index, index + PAGE).map((Key) => ({ Key }));
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new Error(`${Errors.length} objects were not removed; ${first.Key}: ${first.Message}`);
  }
}

const clientOf = (region: string, endpoint: string | undefined): S3Client =>
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
  if (!head) return undefined;
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
