/** The table is the one of `core/db/keys.ts`; the bucket is private, over TLS only, and tidies itself. */
import { describe, expect, test } from 'vitest';
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { assetNames } from '#core/pages/shell/assets.ts';
import { BUCKET_CORS } from '#stacks/cors-rules.ts';
import { readDeployed, STAGE_NAMES } from './deployed.ts';

test.for(['production', 'alice'] as const)('the table of %s is the one of the key design', (name) => {
  const { stage, only } = readDeployed(name);
  const { attributes, key, indexes, projected, ttlAttribute } = TABLE_DEFINITION;
  const projection = { projectionType: 'INCLUDE', nonKeyAttributes: projected };
  expect(only('dynamodb.Table')).toMatchObject({
    ...{ hashKey: key.hash, rangeKey: key.range, attributes: attributes.map((each) => ({ name: each, type: 'S' })) },
    globalSecondaryIndexes: indexes.map((index) => ({
      ...{ name: index.name, hashKey: index.hash, rangeKey: index.range },
      ...projection,
    })),
    ttl: { attributeName: ttlAttribute, enabled: true },
    ...{ streamEnabled: true, streamViewType: 'NEW_AND_OLD_IMAGES', billingMode: 'PAY_PER_REQUEST' },
    pointInTimeRecovery: { enabled: true },
    deletionProtectionEnabled: stage.isProduction,
  });
});

test('a stage uses its restored table, and creates none', () => {
  expect(readDeployed('restored').all('dynamodb.Table').size).toBe(0);
});

describe.for(STAGE_NAMES)('the bucket of %s', (name) => {
  const { stage, all, only } = readDeployed(name);

  test('is private', () => {
    expect(only('s3.BucketPublicAccessBlock')).toMatchObject({
      ...{ blockPublicAcls: true, blockPublicPolicy: true, ignorePublicAcls: true, restrictPublicBuckets: true },
    });
  });

  test('refuses requests without TLS, and its policy allows nothing', () => {
    const { Statement } = JSON.parse(String(only('s3.BucketPolicy').policy));
    expect(Statement).toMatchObject([
      { Effect: 'Deny', Action: ['s3:*'], Condition: { Bool: { 'aws:SecureTransport': ['false'] } } },
    ]);
  });

  test('allows the service itself and the origins that are named', () => {
    const own = `https://${stage.domain?.name ?? 'api.example.net'}`;
    expect(only('s3.BucketCorsConfiguration').corsRules).toMatchObject([
      {
        allowedOrigins: [own, ...stage.allowedOrigins],
        ...{ allowedMethods: BUCKET_CORS.methods, allowedHeaders: BUCKET_CORS.headers },
        exposeHeaders: BUCKET_CORS.exposeHeaders,
      },
    ]);
  });

  test('removes failed records, exports and the parts of aborted uploads, and keeps no old versions', () => {
    expect(only('s3.BucketLifecycleConfiguration').rules).toMatchObject([
      { status: 'Enabled', filter: { prefix: 'aws/lambda/' }, expiration: { days: 14 } },
      { status: 'Enabled', filter: { prefix: 'exports/' }, expiration: { days: 8 } },
      { status: 'Enabled', filter: { prefix: '' }, abortIncompleteMultipartUpload: { daysAfterInitiation: 1 } },
    ]);
    expect(all('s3.BucketVersioning').size).toBe(0);
  });

  test('has every asset of the pages, so that those of earlier builds are there too', () => {
    // SST keeps the code of functions in a bucket of its own.
    const stored = [...all('s3.BucketObjectv2').values()].map(({ key }) => String(key));
    const assets = Object.values(assetNames()).map((asset) => `assets/${asset}`);
    expect(stored.filter((key) => !key.endsWith('.zip')).sort()).toEqual(assets.sort());
  });
});
