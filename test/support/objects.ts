/** The objects in the bucket of a test file. */
import { paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { app } from '#core/http/app.ts';
import { emulatorBucketClient } from '#stacks/local/s3-client.ts';

let client: S3Client | undefined;

/** The keys of all objects with a prefix, sorted. */
export async function objectKeys(prefix = ''): Promise<string[]> {
  const { bucketName: Bucket, s3Endpoint } = app().config;
  if (s3Endpoint === undefined) throw new Error('there is no local S3: S3_ENDPOINT is not set');
  client ??= emulatorBucketClient(process.env.S3_ENDPOINT ?? s3Endpoint);
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
  }
  return keys.sort();
}
