/** The IAM permissions of each need. A function has those of its declared needs and no others. */
import type { Need } from '#core/api/declare.ts';
import { OBJECT_PREFIXES, type ObjectKind } from '#core/db/bucket.ts';

/** A resource of the deployment, and the path below its ARN: `/index/*` of the table. */
export type Target = { of: 'table' | 'bucket' | 'sender' | 'identity' | 'configurationSet'; path: string };

/** Allowed actions on some resources. */
export type Grant = {
  actions: readonly string[];
  targets: readonly Target[];
  /** ListBucket names the bucket; the prefixes that may be listed are a condition. */
  prefixes?: readonly string[];
  /** Only for mails from the address of the stage. */
  fromOwnAddress?: true;
};

const TABLE: Target = { of: 'table', path: '' };
const INDEXES: Target = { of: 'table', path: '/index/*' };
/** Sending needs the identity of the sender and the configuration set. */
const MAIL: readonly Target[] = [
  { of: 'sender', path: '' },
  { of: 'configurationSet', path: '' },
];
/** Mails with headers for mail programs are sent as their source. */
const SEND = ['ses:SendEmail', 'ses:SendRawEmail'] as const;
const toObjects = (prefix: string): Target => ({ of: 'bucket', path: `/${prefix}*` });
const OBJECTS: readonly Target[] = OBJECT_PREFIXES.map(toObjects);
const read = (kind: ObjectKind): Grant[] => [{ actions: ['s3:GetObject'], targets: [toObjects(`${kind}/`)] }];
const write = (kind: ObjectKind): Grant[] => [{ actions: ['s3:PutObject'], targets: [toObjects(`${kind}/`)] }];

const remove = (kind: ObjectKind): Grant[] => [{ actions: ['s3:DeleteObject'], targets: [toObjects(`${kind}/`)] }];

/**
 * The grants of each need. Reading an object needs no ListBucket: without it S3 responds with 403 instead of 404 for a
 * missing object, and the service treats both alike.
 */
export const GRANTS: Readonly<Record<Need, readonly Grant[]>> = {
  'table:read': [{ actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], targets: [TABLE] }],
  'table:list': [{ actions: ['dynamodb:Query'], targets: [TABLE, INDEXES] }],
  'table:write': [
    {
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'],
      targets: [TABLE],
    },
  ],
  'table:remove': [{ actions: ['dynamodb:BatchWriteItem'], targets: [TABLE] }],
  'files:read': read('files'),
  'files:write': write('files'),
  'covers:read': read('covers'),
  'covers:write': write('covers'),
  'assets:read': read('assets'),
  'assets:write': write('assets'),
  'exports:read': read('exports'),
  // A multipart upload needs PutObject, and another permission only to be aborted.
  'exports:write': [{ actions: ['s3:PutObject', 's3:AbortMultipartUpload'], targets: [toObjects('exports/')] }],
  'files:remove': remove('files'),
  'covers:remove': remove('covers'),
  'exports:remove': remove('exports'),
  'objects:remove': [
    {
      actions: ['s3:ListBucket'],
      targets: [{ of: 'bucket', path: '' }],
      prefixes: OBJECT_PREFIXES.map((prefix) => `${prefix}*`),
    },
    { actions: ['s3:DeleteObject'], targets: OBJECTS },
  ],
  // These need secrets, which are granted by name, or the internet.
  'tokens:sign': [],
  'states:sign': [],
  'providers:call': [],
  'sheets:call': [],
  'mail:send': [
    { actions: SEND, targets: MAIL },
    // In the sandbox, SES also checks the permission on the verified identity of the recipient.
    { actions: SEND, targets: [{ of: 'identity', path: '/*' }], fromOwnAddress: true },
  ],
};

/** The grants of some needs, without repetition. */
export const listGrants = (needs: readonly Need[]): Grant[] => {
  const all = needs.flatMap((need) => GRANTS[need]);
  return [...new Map(all.map((grant) => [JSON.stringify(grant), grant])).values()];
};
