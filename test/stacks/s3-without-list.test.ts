/** The injected refusal of S3: missing keys are 403, everything else is as usual. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3WithoutList } from '#test/support/s3-without-list.ts';
import { Bucket, CONTENT, clientOf, type Gated, startGated } from './s3-gated.ts';

let s3: Gated;
let denied: Awaited<ReturnType<typeof startS3WithoutList>>;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  s3 = await startGated();
  denied = await startS3WithoutList(s3.storeUrl);
  client = clientOf(denied.endpoint);
});
afterAll(async () => {
  client.destroy();
  await denied.stop();
  await s3.stop();
});

test('HEAD and GET of a missing key are refused with 403 as the SDK reports it', async () => {
  const missing = { Bucket, Key: 'none' };
  await expect(client.send(new HeadObjectCommand(missing))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
  await expect(client.send(new GetObjectCommand(missing))).rejects.toMatchObject({
    name: 'AccessDenied',
    $metadata: { httpStatusCode: 403 },
  });
});

test('objects that exist are written and read as usual', async () => {
  await client.send(new PutObjectCommand({ Bucket, Key: 'new', Body: CONTENT }));
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: 'new' }));
  expect(await Body?.transformToString()).toBe(CONTENT);
  expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'digits' }))).toMatchObject({
    ContentLength: CONTENT.length,
  });
});
