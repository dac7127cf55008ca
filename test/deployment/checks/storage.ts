/** The table is the one of `core/db/keys.ts`; the bucket is private, over TLS only, and tidies itself. */
import * as z from 'zod';
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { assetNames } from '#core/pages/shell/assets.ts';
import { BUCKET_CORS } from '#stacks/cors-rules.ts';
import { type Check, differing, differingSets, inputsOf, ofType, onlyOne } from './description.ts';

const Table = z.object({
  attributes: z.array(z.object({ name: z.string(), type: z.string() })),
  hashKey: z.string(),
  rangeKey: z.string(),
  globalSecondaryIndexes: z.array(
    z.object({
      name: z.string(),
      hashKey: z.string(),
      rangeKey: z.string(),
      projectionType: z.string(),
      nonKeyAttributes: z.array(z.string()).default([]),
    }),
  ),
  ttl: z.object({ attributeName: z.string(), enabled: z.boolean() }).optional(),
  streamEnabled: z.boolean(),
  streamViewType: z.string().optional(),
  billingMode: z.string(),
  pointInTimeRecovery: z.object({ enabled: z.boolean() }).optional(),
  deletionProtectionEnabled: z.boolean().optional(),
});

/** Keys, indexes, TTL, stream, backups and protection of the table. */
export const checkTable: Check = (description) => {
  const table = onlyOne(description, 'aws:dynamodb/table:Table', Table);
  const { attributes, key, indexes, projected, ttlAttribute } = TABLE_DEFINITION;
  const expectedIndexes = indexes.map(({ name, hash, range }) => [name, hash, range, 'INCLUDE', ...projected]);
  const actualIndexes = table.globalSecondaryIndexes.map((index) => [
    index.name,
    index.hashKey,
    index.rangeKey,
    index.projectionType,
    ...index.nonKeyAttributes,
  ]);
  return [
    ...differing('the key of the table', [table.hashKey, table.rangeKey], [key.hash, key.range]),
    ...differing(
      'the attributes of the table',
      table.attributes,
      attributes.map((name) => ({ name, type: 'S' })),
    ),
    ...differing('the indexes of the table', actualIndexes, expectedIndexes),
    ...differing('the TTL of the table', table.ttl, { attributeName: ttlAttribute, enabled: true }),
    ...differing('the stream of the table', [table.streamEnabled, table.streamViewType], [true, 'NEW_AND_OLD_IMAGES']),
    ...differing('the billing of the table', table.billingMode, 'PAY_PER_REQUEST'),
    ...differing('the point-in-time recovery of the table', table.pointInTimeRecovery?.enabled, true),
    ...differing(
      'the deletion protection of the table',
      table.deletionProtectionEnabled ?? false,
      description.stage.isProduction,
    ),
  ];
};

const PublicAccess = z.record(z.string(), z.unknown());
const Policy = z.object({ policy: z.string() });
const Cors = z.object({ corsRules: z.array(z.record(z.string(), z.unknown())) });
const Lifecycle = z.object({
  rules: z.array(
    z.object({
      status: z.string(),
      filter: z.object({ prefix: z.string() }).optional(),
      expiration: z.object({ days: z.number() }).optional(),
      abortIncompleteMultipartUpload: z.object({ daysAfterInitiation: z.number() }).optional(),
    }),
  ),
});

/** Access to the bucket. */
export const checkBucketAccess: Check = (description) => {
  const block = onlyOne(description, 'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock', PublicAccess);
  const { policy } = onlyOne(description, 'aws:s3/bucketPolicy:BucketPolicy', Policy);
  const { corsRules } = onlyOne(description, 'aws:s3/bucketCorsConfiguration:BucketCorsConfiguration', Cors);
  const [cors, ...others] = corsRules;
  const origins: unknown[] = Array.isArray(cors?.allowedOrigins) ? cors.allowedOrigins : [];
  const [, ...further] = origins;
  return [
    ...['blockPublicAcls', 'blockPublicPolicy', 'ignorePublicAcls', 'restrictPublicBuckets'].flatMap((name) =>
      differing(`${name} of the bucket`, block[name], true),
    ),
    ...(/"Effect":"Deny".*aws:SecureTransport/.test(policy) ? [] : ['the bucket allows requests without TLS']),
    ...(/"Effect":"Allow"/.test(policy) ? ['the policy of the bucket allows something'] : []),
    ...differing('the number of CORS rules of the bucket', 1 + others.length, 1),
    ...(origins.includes('*') ? ['the bucket allows every origin'] : []),
    ...differing('the further origins of the bucket', further, description.stage.allowedOrigins),
    ...differing('the methods of the bucket', cors?.allowedMethods, BUCKET_CORS.methods),
    ...differing('the headers of the bucket', cors?.allowedHeaders, BUCKET_CORS.headers),
    ...differing('the exposed headers of the bucket', cors?.exposeHeaders, BUCKET_CORS.exposeHeaders),
  ];
};

/** What the bucket removes by itself. */
export const checkBucketLifecycle: Check = (description) => {
  const { rules } = onlyOne(description, 'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration', Lifecycle);
  const isExpiring = (prefix: string) =>
    rules.some(({ status, filter, expiration }) => status === 'Enabled' && filter?.prefix === prefix && expiration);
  const isAborting = rules.some(
    ({ status, filter, abortIncompleteMultipartUpload }) =>
      status === 'Enabled' && !filter?.prefix && abortIncompleteMultipartUpload,
  );
  const versioned = ofType(description, 'aws:s3/bucketVersioning:BucketVersioning').length > 0;
  return [
    ...(isAborting ? [] : ['the bucket keeps the parts of aborted multipart uploads']),
    ...(isExpiring('aws/lambda/') ? [] : ['the bucket keeps failed stream records for ever']),
    ...(isExpiring('exports/') ? [] : ['the bucket keeps exports for ever']),
    ...(versioned ? ['the bucket keeps old versions, which no rule removes'] : []),
  ];
};

const StoredObject = z.object({ bucket: z.string(), key: z.string() });

/** The bucket has every asset of the pages, so that those of earlier builds are there too. */
export const checkAssets: Check = (description) => {
  const objects = inputsOf(description, 'aws:s3/bucketObjectv2:BucketObjectv2', StoredObject);
  // SST keeps the code of functions in a bucket of its own.
  const stored = objects.map(({ inputs }) => inputs.key).filter((key) => !key.endsWith('.zip'));
  return differingSets(
    'the bucket',
    stored,
    Object.values(assetNames()).map((name) => `assets/${name}`),
  );
};
