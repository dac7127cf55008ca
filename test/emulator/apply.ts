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
import { TABLE_DEFINITION } from '#core/db/keys.ts';
import { ensureTable } from '#stacks/local/dynamo/table.ts';
import { ACCOUNT, arnOf, REGION } from '#test/deployment/synthesis/account.ts';
import { clientSettings } from './ministack.ts';
import { readPolicies } from './policies.ts';

/** A pattern in the inputs of a resource, as JSON, and what replaces it. */
export type Fault = readonly [pattern: string, replacement: string];
/** Where to create resources. */
export type Target = {
  endpoint: string;
  /** The address of the API. */
  url: string;
  /** The endpoint of AWS for each function. */
  endpoints: Readonly<Record<string, string>>;
  /** The table and bucket of another stage, which are used instead of new ones. */
  shared: { table: string; bucket: string } | undefined;
  /** Faults in the inputs of resources, by name; a route is named by its key. */
  faults: Readonly<Record<string, Fault>>;
};

type Inputs = Record<string, unknown>;
/** The id of a created resource, and what the provider adds to its inputs. */
type Created = { id?: string; outputs?: Inputs };
type Provider = (inputs: Inputs, name: string) => Promise<Created>;

const { endpoint, url, endpoints, shared, faults }: Target = JSON.parse(process.env.EMULATOR ?? '{}');
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

/** Creates the table, or the indexes that a shared one lacks, as an update of a deployed table does. */
async function createTable({ name }: Inputs): Promise<Created> {
  const TableName = shared?.table ?? text(name);
  await ensureTable(clients.dynamodb, TableName);
  const { Table } = await clients.dynamodb.send(new dynamodb.DescribeTableCommand({ TableName }));
  const existing = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName);
  for (const index of TABLE_DEFINITION.indexes.filter((each) => !existing?.includes(each.name))) {
    const keySchema = [
      { attributeName: index.hash, keyType: 'HASH' },
      { attributeName: index.range, keyType: 'RANGE' },
    ];
    const projection = { projectionType: 'INCLUDE', nonKeyAttributes: TABLE_DEFINITION.projected };
    await send(clients.dynamodb, dynamodb.UpdateTableCommand, {
      TableName,
      attributeDefinitions: TABLE_DEFINITION.attributes.map((each) => ({ attributeName: each, attributeType: 'S' })),
      globalSecondaryIndexUpdates: [{ create: { indexName: index.name, keySchema, projection } }],
    });
  }
  return { id: TableName, outputs: { name: TableName, arn: Table?.TableArn, streamArn: Table?.LatestStreamArn } };
}

async function createBucket({ bucket: own }: Inputs): Promise<Created> {
  const bucket = shared?.bucket ?? text(own);
  const createBucketConfiguration = { locationConstraint: REGION };
  if (!shared) await send(clients.s3, s3.CreateBucketCommand, { bucket, createBucketConfiguration });
  return { id: bucket, outputs: { bucket, arn: `arn:aws:s3:::${bucket}` } };
}

async function createRole(inputs: Inputs): Promise<Created> {
  const { name, assumeRolePolicy } = inputs;
  const roleName = text(name);
  const trust = typeof assumeRolePolicy === 'string' ? assumeRolePolicy : JSON.stringify(assumeRolePolicy);
  await send(clients.iam, iam.CreateRoleCommand, { roleName, assumeRolePolicyDocument: trust });
  for (const [index, policyDocument] of readPolicies(inputs).entries()) {
    await send(clients.iam, iam.PutRolePolicyCommand, { roleName, policyName: `inline-${index}`, policyDocument });
  }
  return { id: roleName, outputs: { arn: `arn:aws:iam::${ACCOUNT}:role/${roleName}` } };
}

/** The paths of the archives of code by key, as they would lie in the bucket of SST. */
const archives = new Map<unknown, string>();
const Source = z.object({ path: z.string() });

async function storeObject({ bucket, key, source }: Inputs): Promise<Created> {
  const { path } = Source.parse(source);
  if (path.endsWith('.zip')) archives.set(key, path);
  else await send(clients.s3, s3.PutObjectCommand, { bucket, key, body: readFileSync(path) });
  return { id: text(key) };
}

const Environment = z.object({ variables: z.record(z.string(), z.string()) });

const PROVIDERS: Readonly<Record<string, Provider>> = {
  'dynamodb.Table': createTable,
  's3.Bucket': createBucket,
  's3.BucketCorsConfiguration': creates([clients.s3, s3.PutBucketCorsCommand], ({ bucket, corsRules: CORSRules }) => ({
    bucket,
    CORSConfiguration: { CORSRules },
  })),
  's3.BucketObjectv2': storeObject,
  'iam.Role': createRole,
  // The function has its own environment, and beside it the endpoint that stands for AWS.
  'lambda.Function': creates(
    [clients.lambda, lambda.CreateFunctionCommand],
    ({ name: functionName, s3Bucket: _, s3Key, environment, ...inputs }, name) => ({
      ...{ ...inputs, functionName, code: { ZipFile: readFileSync(archives.get(s3Key) ?? '') } },
      environment: { variables: { ...Environment.parse(environment).variables, AWS_ENDPOINT_URL: endpoints[name] } },
    }),
    ({ FunctionArn }, { name }) => ({ id: text(name), outputs: { arn: FunctionArn } }),
  ),
  'lambda.Permission': creates(
    [clients.lambda, lambda.AddPermissionCommand],
    ({ function: functionName, ...inputs }, statementId) => ({ ...inputs, functionName, statementId }),
  ),
  // The emulator knows no destinations of failed records.
  'lambda.EventSourceMapping': creates(
    [clients.lambda, lambda.CreateEventSourceMappingCommand],
    ({ destinationConfig: _, ...inputs }) => inputs,
    ({ UUID }) => ({ id: text(UUID), outputs: { uuid: UUID } }),
  ),
  'apigatewayv2.Api': creates(
    [clients.gateway, gateway.CreateApiCommand],
    ({ name, protocolType }) => ({ name, protocolType }),
    ({ ApiId: id }) => ({ id: text(id), outputs: { apiEndpoint: url, executionArn: arnOf('execute-api', text(id)) } }),
  ),
  'apigatewayv2.Stage': creates(
    [clients.gateway, gateway.CreateStageCommand],
    ({ apiId, name: stageName, autoDeploy }) => ({ apiId, stageName, autoDeploy }),
  ),
  'apigatewayv2.Integration': creates(
    [clients.gateway, gateway.CreateIntegrationCommand],
    undefined,
    ({ IntegrationId }) => ({ id: text(IntegrationId) }),
  ),
  'apigatewayv2.Route': creates([clients.gateway, gateway.CreateRouteCommand]),
  'scheduler.Schedule': creates([clients.scheduler, scheduler.CreateScheduleCommand]),
  // By the API that sends: the emulator keeps what the other one creates apart.
  'sesv2.ConfigurationSet': creates(
    [clients.ses, ses.CreateConfigurationSetCommand],
    ({ configurationSetName: name }) => ({ configurationSet: { name } }),
    (_, { configurationSetName: name }) => ({ outputs: { arn: arnOf('ses', `configuration-set/${name}`) } }),
  ),
  'sesv2.EmailIdentity': creates(
    [clients.ses, ses.VerifyEmailIdentityCommand],
    ({ emailIdentity: emailAddress }) => ({ emailAddress }),
    (_, { emailIdentity: name }) => ({ outputs: { arn: arnOf('ses', `identity/${name}`) } }),
  ),
  'cloudwatch.EventRule': creates(
    [clients.eventbridge, eventbridge.PutRuleCommand],
    ({ eventPattern }, name) => ({ name, eventPattern }),
    (_, __, name) => ({ id: name, outputs: { name, arn: arnOf('events', `rule/${name}`) } }),
  ),
  'cloudwatch.EventTarget': creates([clients.eventbridge, eventbridge.PutTargetsCommand], ({ rule, arn }) => ({
    rule,
    targets: [{ id: 'worker', arn }],
  })),
};

/** Types that the emulator lacks or that change nothing that it shows; `docs/operate/deploy.md` names them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['cloudwatch.LogGroup', 'lambda.FunctionEventInvokeConfig', 'sesv2.ConfigurationSetEventDestination'],
  ...['s3.BucketLifecycleConfiguration', 's3.BucketPolicy', 's3.BucketPublicAccessBlock'],
]);

/** Changes inputs that have a fault in place. Throws when that changes nothing. */
function inject(inputs: Inputs, [pattern, replacement]: Fault): void {
  const json = JSON.stringify(inputs);
  const changed = json.replaceAll(new RegExp(pattern, 'g'), replacement);
  if (changed === json) throw new Error(`a fault changes nothing: ${pattern} in ${json}`);
  Object.assign(inputs, JSON.parse(changed));
}

/**
 * Creates a resource of AWS in the emulator. Other resources, such as components, need no creation. Throws when a type
 * has no provider here, and with the name of the resource when the emulator refuses it.
 */
export async function apply(fullType: string, name: string, inputs: Inputs): Promise<Created> {
  const type = fullType.replace(/^aws:(\w+)\/\w+:/, '$1.');
  const fault = faults[text(inputs.routeKey ?? name)];
  if (fault) inject(inputs, fault);
  if (!fullType.startsWith('aws:') || LEFT_OUT.has(type)) return {};
  const create = PROVIDERS[type];
  if (!create) throw new Error(`test/emulator/apply.ts has no provider of ${type}`);
  try {
    return await create(inputs, name);
  } catch (cause) {
    throw new Error(`${name} (${type}): ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
