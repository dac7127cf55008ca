/** All that is in a test file's bucket, to show what a request stored, removed or left alone. */
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { app } from '#core/http/app.ts';
import { emulatorBucketClient } from '#stacks/local/s3-client.ts';

/** The keys of all objects that begin so, in order; without a prefix, of all that there are. */
export async function objectKeys(prefix = ''): Promise<string[]> {
  const { bucketName: Bucket, s3Endpoint } = app().config;
  if (s3Endpoint === undefined) throw new Error('there is no local S3: S3_ENDPOINT is not set');
  const client = emulatorBucketClient(s3Endpoint);
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
    keys.push(...(page.Contents ?? []).flatMap(({ Key }) => Key ?? []));
  }
  client.destroy();
  return keys.sort();
}
