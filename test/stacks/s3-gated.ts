/**
 * A local S3 for one test file, with an object in it, and what signs URLs for it: shared by the tests of the gate.
 */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { startS3 } from '#stacks/local/s3/s3.ts';

export const Bucket = 'uploads';
/** What the object `digits` holds. */
export const CONTENT = '0123456789';
/** The origin that the bucket lets in, unless a test says otherwise. */
export const PAGE = 'http://localhost:5173';

/** A client that adds no checksum of its own, like the service's. */
export const clientOf = (endpoint: string, secretAccessKey = 'local', accessKeyId = 'local'): S3Client =>
  new S3Client({
    endpoint,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

export type Gated = Awaited<ReturnType<typeof startGated>>;

/** Starts an S3 with the bucket and the object; `pages` may be changed while it runs. */
export async function startGated() {
  const gated = { pages: [PAGE] };
  const s3 = await startS3({ directory: null, buckets: [Bucket], origins: () => gated.pages });
  const inside = clientOf(s3.endpoint);
  const signer = clientOf(s3.publicEndpoint);
  await inside.send(new PutObjectCommand({ Bucket, Key: 'digits', Body: CONTENT, ContentType: 'text/plain' }));
  return Object.assign(gated, {
    url: s3.publicEndpoint,
    storeUrl: s3.endpoint,
    /** Talks to the store behind the gate. */
    inside,
    /** Signs for the gate. */
    signer,
    toGet: (input: Partial<GetObjectCommand['input']> = {}, expiresIn = 60, by = signer) =>
      getSignedUrl(by, new GetObjectCommand({ Bucket, Key: 'digits', ...input }), { expiresIn }),
    toPut: (Key: string, by = signer) => getSignedUrl(by, new PutObjectCommand({ Bucket, Key }), { expiresIn: 60 }),
    toPutExactly: (Key: string, ContentLength: number) =>
      getSignedUrl(signer, new PutObjectCommand({ Bucket, Key, ContentLength }), {
        expiresIn: 60,
        signableHeaders: new Set(['host', 'content-length']),
      }),
    isStored: (Key: string) =>
      inside.send(new HeadObjectCommand({ Bucket, Key })).then(
        () => true,
        () => false,
      ),
    async stop() {
      inside.destroy();
      signer.destroy();
      await s3.stop();
    },
  });
}

/** The status of a response, and the code in its XML. */
export const codeOf = async (response: Response) => [
  response.status,
  /<Code>(.*)<\/Code>/.exec(await response.text())?.[1],
];
