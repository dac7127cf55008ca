/**
 * Creates the resources of the deployment program in the emulator, each with the AWS SDK as its provider would, so that
 * real ids and ARNs flow into the resources that follow. `program.ts` loads this file in the process of the program;
 * `EMULATOR` in its environment holds the `Target`.
 */
import { readFileSync } from 'node:fs';
import * as gateway from '@aws-sdk/client-apigatewayv2';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as eventbridge from '@aws-sdk/client-eventbridge';
import * as iam from '@aws-sdk/client-iam';
import * as lambda from '@aws-sdk/client-lambda';
import * as s3 from '@aws-sdk/client-s3';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as ses from '@aws-sdk/client-ses';
import * as z from 'zod';
import { ACCOUNT, arnOf, clientSettings, REGION } from './ministack.ts';

/** Where to create resources. */
export type Target = {
  endpoint: string;
  /** The address of the API. */
  url: string;
  /** The endpoint of AWS for each function. */
  endpoints: Readonly<Record<string, string>>;
  /** The table and bucket of another stage, which are used instead of new ones. */
  shared?: { table: string; bucket: string } | undefined;
  /** The path of a module whose function `inject(type, name, inputs)` changes the inputs of resources before they are created. */
  faults?: string | undefined;
};

type Inputs = Record<string, unknown>;
/** The id of a created resource, and what the provider adds to its inputs. */
type Created = { id?: string | undefined; outputs?: Inputs };
type Provider = (inputs: Inputs, name: string) => Promise<Created>;

const { endpoint, url, endpoints, shared, faults }: Target = JSON.parse(process.env.EMULATOR ?? '{}');
const inject: (type: string, name: string, inputs: Inputs) => void = faults
  ? (await import(faults)).inject
  : () => undefined;
const settings = clientSettings(endpoint);
const clients = {
  dynamodb: new dynamodb.DynamoDBClient(settings),
  eventbridge: new eventbridge.EventBridgeClient(settings),
  gateway: new gateway.ApiGatewayV2Client(settings),
  iam: new iam.IAMClient(settings),
  lambda: new lambda.LambdaClient(settings),
  s3: new s3.S3Client({ ...settings, forcePathStyle: true }),
  scheduler: new scheduler.SchedulerClient(settings),
  ses: new ses.SESClient(settings),
};

/** Inputs as the APIs of AWS name them: the provider has most of them in camel case. */
function toApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toApi);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.charAt(0).toUpperCase() + name.slice(1), toApi(member)]),
  );
}

type Client = { send: (command: never) => Promise<object> };
type Command = new (input: never) => object;

/** Sends a command; the emulator, not the type check, refuses inputs that AWS would refuse. Returns its output. */
const send = async (client: Client, Command: Command, input: object): Promise<Inputs> => ({
  ...(await client.send(new Command(toApi(input) as never) as never)),
});

/** Creates resources with one command: their inputs, some of them renamed; `created` reads the output. */
const creates =
  (
    [client, Command]: readonly [Client, Command],
    rename: (inputs: Inputs, name: string) => Inputs = (inputs) => inputs,
    created: (output: Inputs, inputs: Inputs, name: string) => Created = () => ({}),
  ): Provider =>
  async (inputs, name) =>
    created(await send(client, Command, rename(inputs, name)), inputs, name);

const text = (value: unknown): string => z.string().parse(value);

const Index = z.object({ name: z.string(), hashKey: z.string(), rangeKey: z.string(), nonKeyAttributes: z.unknown() });
const Table = z.looseObject({
  ...{ name: z.string(), hashKey: z.string(), rangeKey: z.string(), globalSecondaryIndexes: z.array(Index) },
  attributes: z.array(z.object({ name: z.string(), type: z.enum(dynamodb.ScalarAttributeType) })),
});

const keySchema = ({ hashKey, rangeKey }: { hashKey: string; rangeKey: string }) => [
  { attributeName: hashKey, keyType: 'HASH' },
  { attributeName: rangeKey, keyType: 'RANGE' },
];
const attributesOf = ({ attributes }: z.output<typeof Table>) =>
  attributes.map(({ name, type }) => ({ attributeName: name, attributeType: type }));
const indexOf = (index: z.output<typeof Index>) => ({
  indexName: index.name,
  keySchema: keySchema(index),
  projection: { projectionType: 'INCLUDE', nonKeyAttributes: index.nonKeyAttributes },
});

/** Creates the table, or the indexes that a shared one lacks, as an update of a deployed table does. */
async function createTable(inputs: Inputs): Promise<Created> {
  const table = Table.parse(inputs);
  const { globalSecondaryIndexes: indexes, ttl, streamEnabled, streamViewType, billingMode } = table;
  const tableName = shared?.table ?? table.name;
  if (!shared) {
    await send(clients.dynamodb, dynamodb.CreateTableCommand, {
      ...{ tableName, billingMode, attributeDefinitions: attributesOf(table), keySchema: keySchema(table) },
      globalSecondaryIndexes: indexes.map(indexOf),
      streamSpecification: { streamEnabled, streamViewType },
    });
    await send(clients.dynamodb, dynamodb.UpdateTimeToLiveCommand, { tableName, timeToLiveSpecification: ttl });
  }
  const { Table: found } = await clients.dynamodb.send(new dynamodb.DescribeTableCommand({ TableName: tableName }));
  const existing = new Set(found?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of indexes.filter(({ name }) => !existing.has(name))) {
    await send(clients.dynamodb, dynamodb.UpdateTableCommand, {
      ...{ tableName, attributeDefinitions: attributesOf(table) },
      globalSecondaryIndexUpdates: [{ create: indexOf(index) }],
    });
  }
  const outputs = { name: tableName, arn: found?.TableArn, streamArn: found?.LatestStreamArn };
  return { id: tableName, outputs };
}

async function createBucket({ bucket: own }: Inputs): Promise<Created> {
  const bucket = shared?.bucket ?? own;
  const createBucketConfiguration = { locationConstraint: REGION };
  if (!shared) await send(clients.s3, s3.CreateBucketCommand, { bucket, createBucketConfiguration });
  return { id: text(bucket), outputs: { bucket, arn: `arn:aws:s3:::${bucket}` } };
}

const Policies = z.array(z.object({ policy: z.string() })).default([]);

async function createRole({ name, assumeRolePolicy: trust, inlinePolicies }: Inputs): Promise<Created> {
  const roleName = text(name);
  const assumeRolePolicyDocument = typeof trust === 'string' ? trust : JSON.stringify(trust);
  await send(clients.iam, iam.CreateRoleCommand, { roleName, assumeRolePolicyDocument });
  for (const [index, { policy: policyDocument }] of Policies.parse(inlinePolicies).entries()) {
    await send(clients.iam, iam.PutRolePolicyCommand, { roleName, policyName: `inline-${index}`, policyDocument });
  }
  return { id: roleName, outputs: { arn: `arn:aws:iam::${ACCOUNT}:role/${roleName}` } };
}

/** The paths of the archives of code by key, as they would lie in the bucket of SST. */
const archives = new Map<unknown, string>();
const Source = z.object({ path: z.string() });

async function storeObject({ bucket: Bucket, key: Key, source }: Inputs): Promise<Created> {
  const { path } = Source.parse(source);
  if (path.endsWith('.zip')) archives.set(Key, path);
  else await send(clients.s3, s3.PutObjectCommand, { Bucket, Key, Body: readFileSync(path) });
  return { id: text(Key) };
}

const Environment = z.object({ variables: z.record(z.string(), z.string()) });

/** The function has its own environment, and beside it the endpoint that stands for AWS. */
const createFunction = creates(
  [clients.lambda, lambda.CreateFunctionCommand],
  ({ name: functionName, s3Bucket: _, s3Key, environment, ...inputs }, name) => {
    const { variables } = Environment.parse(environment);
    const code = { ZipFile: readFileSync(archives.get(s3Key) ?? '') };
    const withEndpoint = { variables: { ...variables, AWS_ENDPOINT_URL: endpoints[name] ?? endpoint } };
    return { ...inputs, functionName, code, environment: withEndpoint };
  },
  ({ FunctionArn }, { name }) => ({ id: text(name), outputs: { arn: FunctionArn } }),
);

const PROVIDERS: Readonly<Record<string, Provider>> = {
  'aws:dynamodb/table:Table': createTable,
  'aws:s3/bucket:Bucket': createBucket,
  'aws:s3/bucketCorsConfiguration:BucketCorsConfiguration': creates(
    [clients.s3, s3.PutBucketCorsCommand],
    ({ bucket, corsRules: CORSRules }) => ({ bucket, CORSConfiguration: { CORSRules } }),
  ),
  'aws:s3/bucketObjectv2:BucketObjectv2': storeObject,
  'aws:iam/role:Role': createRole,
  'aws:lambda/function:Function': createFunction,
  'aws:lambda/permission:Permission': creates(
    [clients.lambda, lambda.AddPermissionCommand],
    ({ function: functionName, ...inputs }, statementId) => ({ ...inputs, functionName, statementId }),
  ),
  // The emulator knows no destinations of failed records.
  'aws:lambda/eventSourceMapping:EventSourceMapping': creates(
    [clients.lambda, lambda.CreateEventSourceMappingCommand],
    ({ destinationConfig: _, ...inputs }) => inputs,
    ({ UUID }) => ({ id: text(UUID), outputs: { uuid: UUID } }),
  ),
  'aws:apigatewayv2/api:Api': creates(
    [clients.gateway, gateway.CreateApiCommand],
    ({ name, protocolType }) => ({ name, protocolType }),
    ({ ApiId }) => ({
      id: text(ApiId),
      outputs: { apiEndpoint: url, executionArn: arnOf('execute-api', text(ApiId)) },
    }),
  ),
  'aws:apigatewayv2/stage:Stage': creates(
    [clients.gateway, gateway.CreateStageCommand],
    ({ apiId, name, autoDeploy }) => ({ apiId, stageName: name, autoDeploy }),
    (_, { name }) => ({ id: text(name) }),
  ),
  'aws:apigatewayv2/integration:Integration': creates(
    [clients.gateway, gateway.CreateIntegrationCommand],
    (inputs) => inputs,
    ({ IntegrationId }) => ({ id: text(IntegrationId) }),
  ),
  'aws:apigatewayv2/route:Route': creates([clients.gateway, gateway.CreateRouteCommand]),
  'aws:scheduler/schedule:Schedule': creates([clients.scheduler, scheduler.CreateScheduleCommand]),
  // By the API that sends: the emulator keeps what the other one creates apart.
  'aws:sesv2/configurationSet:ConfigurationSet': creates(
    [clients.ses, ses.CreateConfigurationSetCommand],
    ({ configurationSetName }) => ({ configurationSet: { name: configurationSetName } }),
    (_, { configurationSetName: name }) => ({
      id: text(name),
      outputs: { arn: arnOf('ses', `configuration-set/${name}`) },
    }),
  ),
  'aws:sesv2/emailIdentity:EmailIdentity': creates(
    [clients.ses, ses.VerifyEmailIdentityCommand],
    ({ emailIdentity }) => ({ emailAddress: emailIdentity }),
    (_, { emailIdentity: name }) => ({ id: text(name), outputs: { arn: arnOf('ses', `identity/${name}`) } }),
  ),
  'aws:cloudwatch/eventRule:EventRule': creates(
    [clients.eventbridge, eventbridge.PutRuleCommand],
    ({ eventPattern }, name) => ({ name, eventPattern }),
    (_, __, name) => ({ id: name, outputs: { name, arn: arnOf('events', `rule/${name}`) } }),
  ),
  'aws:cloudwatch/eventTarget:EventTarget': creates(
    [clients.eventbridge, eventbridge.PutTargetsCommand],
    ({ rule, arn }) => ({ rule, targets: [{ id: 'worker', arn }] }),
  ),
};

/** Types that the emulator lacks or that change nothing that it shows; `docs/operate/deploy.md` names them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'aws:cloudwatch/logGroup:LogGroup',
  'aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig',
  'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration',
  'aws:s3/bucketPolicy:BucketPolicy',
  'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock',
  'aws:sesv2/configurationSetEventDestination:ConfigurationSetEventDestination',
]);

/**
 * Creates a resource of AWS in the emulator. Other resources, such as components, need no creation. Throws when a type
 * has no provider here, and with the name of the resource when the emulator refuses it.
 */
export async function apply(type: string, name: string, inputs: Inputs): Promise<Created> {
  inject(type, name, inputs);
  if (!type.startsWith('aws:') || LEFT_OUT.has(type)) return {};
  const create = PROVIDERS[type];
  if (!create) throw new Error(`test/emulator/apply.ts has no provider of ${type}`);
  try {
    return await create(inputs, name);
  } catch (cause) {
    throw new Error(`${name} (${type}): ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
