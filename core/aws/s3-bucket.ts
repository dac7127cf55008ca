/**
 * The bucket port over the AWS SDK. Two clients: one for our own calls, one that signs for browsers, which may reach
 * the bucket elsewhere. The signing one adds no checksum of its own: what is signed is exactly what the caller said,
 * and as headers, because a checksum in the query protects nothing.
 */
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket, ExactUpload } from '#core/db/bucket.ts';
import type { Config } from './config.ts';

type Settings = Pick<Config, 'bucketName' | 's3Endpoint' | 's3PublicEndpoint' | 'region'>;

/** The most keys that one DeleteObjects takes, and that one page of a list holds. */
const PAGE = 1_000;

/** The bucket port of a configuration. */
export function s3Bucket({ bucketName: Bucket, s3Endpoint, s3PublicEndpoint, region }: Settings): Bucket {
  const client = clientOf(region, s3Endpoint);
  const signer = clientOf(region, s3PublicEndpoint);
  return {
    signPut: (Key, upload, expiresSeconds) => signPut(signer, { Bucket, Key }, upload, expiresSeconds),
    signGet(Key, { contentType: ResponseContentType, disposition: ResponseContentDisposition }, expiresIn) {
      const get = new GetObjectCommand({ Bucket, Key, ResponseContentType, ResponseContentDisposition });
      return getSignedUrl(signer, get, { expiresIn });
    },
    inspect: (Key, leadingBytes) => inspect(client, { Bucket, Key }, leadingBytes),
    async put(Key, Body, ContentType) {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType }));
    },
    async copy(from, Key, { etag: CopySourceIfMatch, contentType: ContentType }) {
      const source = { CopySource: `${Bucket}/${from}`, CopySourceIfMatch };
      const copy = new CopyObjectCommand({ Bucket, Key, ...source, MetadataDirective: 'REPLACE', ContentType });
      return (await unlessMissing(client.send(copy))) !== undefined;
    },
    remove: (keys) => remove(client, Bucket, keys),
    async removeAll(prefix) {
      for (;;) {
        const list = new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: PAGE });
        const { Contents = [], IsTruncated } = await client.send(list);
        await remove(
          client,
          Bucket,
          Contents.flatMap(({ Key }) => Key ?? []),
        );
        if (!IsTruncated) return;
      }
    },
  };
}

async function remove(client: S3Client, Bucket: string, keys: readonly string[]): Promise<void> {
  for (let index = 0; index < keys.length; index += PAGE) {
    const Objects = keys.slice(index, index + PAGE).map((Key) => ({ Key }));
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
    const [first] = Errors;
    if (first) throw new Error(`${Errors.length} objects were not removed, ${first.Key} because: ${first.Message}`);
  }
}

const clientOf = (region: string, endpoint: string | undefined): S3Client =>
  new S3Client({
    region,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint
      ? { endpoint, forcePathStyle: true, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
      : {}),
  });

type Named = { Bucket: string; Key: string };

async function signPut(signer: S3Client, named: Named, upload: ExactUpload, expiresIn: number) {
  const { contentType, size, sha256 } = upload;
  const exact = { ContentType: contentType, ContentLength: size, ...(sha256 ? { ChecksumSHA256: sha256 } : {}) };
  const url = await getSignedUrl(signer, new PutObjectCommand({ ...named, ...exact }), {
    expiresIn,
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
    unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
  });
  // A browser says the length by itself, and lets nobody else say it.
  return { url, headers: { 'content-type': contentType, ...(sha256 ? { 'x-amz-checksum-sha256': sha256 } : {}) } };
}

async function inspect(client: S3Client, named: Named, leadingBytes: number) {
  const head = await unlessMissing(client.send(new HeadObjectCommand({ ...named, ChecksumMode: 'ENABLED' })));
  if (!head) return undefined;
  const { ContentLength: size = 0, ContentType: contentType = '', ETag: etag = '', ChecksumSHA256: sha256 } = head;
  const about = { size, contentType, etag, sha256 };
  // There is no range of nothing.
  if (size === 0) return { ...about, start: new Uint8Array() };
  const range = { Range: `bytes=0-${leadingBytes - 1}`, IfMatch: etag };
  const object = await unlessMissing(client.send(new GetObjectCommand({ ...named, ...range })));
  return object?.Body ? { ...about, start: await object.Body.transformToByteArray() } : undefined;
}

/** What a call answers; undefined when there is no such object, or not this one any more. */
async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    const isMissing = error instanceof Error && ['NotFound', 'NoSuchKey', 'PreconditionFailed'].includes(error.name);
    if (isMissing) return undefined;
    throw error;
  }
}
