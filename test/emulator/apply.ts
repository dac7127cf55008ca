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

/**
 * Where to create resources: the emulator, the address of the API, and the endpoint of AWS for each function. The table and
 * bucket of another stage are used instead of new ones where they are shared.
 */
type Target = {
  endpoint: string;
  url: string;
  endpoints: Record<string, string>;
  shared?: { table: string; bucket: string };
};

/** The id of a created resource, and what the provider adds to its inputs. */
type Created = { id?: string | undefined; outputs?: Record<string, unknown> };

const { endpoint, url, endpoints, shared }: Target = JSON.parse(process.env.EMULATOR ?? '{}');
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

const text = z.string();

/** The providers of some types of resources: a schema of their inputs, and what creates one. */
const provider =
  <T extends z.ZodType>(inputs: T, create: (inputs: z.output<T>, name: string) => Promise<Created>) =>
  (given: unknown, name: string): Promise<Created> =>
    create(inputs.parse(given), name);

const Index = z.object({ name: text, hashKey: text, rangeKey: text, nonKeyAttributes: z.array(text) });
const Table = z.object({
  name: text,
  hashKey: text,
  rangeKey: text,
  attributes: z.array(z.object({ name: text, type: z.enum(dynamodb.ScalarAttributeType) })),
  globalSecondaryIndexes: z.array(Index),
  streamViewType: z.enum(dynamodb.StreamViewType),
  ttl: z.object({ attributeName: text, enabled: z.boolean() }),
});

const keySchema = ({ hashKey, rangeKey }: { hashKey: string; rangeKey: string }) => [
  { AttributeName: hashKey, KeyType: 'HASH' as const },
  { AttributeName: rangeKey, KeyType: 'RANGE' as const },
];

async function createTable(table: z.output<typeof Table>): Promise<Created> {
  if (shared) {
    const { Table: found } = await clients.dynamodb.send(
      new dynamodb.DescribeTableCommand({ TableName: shared.table }),
    );
    const outputs = { name: shared.table, arn: found?.TableArn, streamArn: found?.LatestStreamArn };
    return { id: shared.table, outputs };
  }
  const { TableDescription } = await clients.dynamodb.send(
    new dynamodb.CreateTableCommand({
      TableName: table.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: table.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
      KeySchema: keySchema(table),
      GlobalSecondaryIndexes: table.globalSecondaryIndexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.nonKeyAttributes },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: table.streamViewType },
    }),
  );
  const { attributeName: AttributeName, enabled: Enabled } = table.ttl;
  const ttl = { TableName: table.name, TimeToLiveSpecification: { AttributeName, Enabled } };
  await clients.dynamodb.send(new dynamodb.UpdateTimeToLiveCommand(ttl));
  return {
    id: table.name,
    outputs: { arn: TableDescription?.TableArn, streamArn: TableDescription?.LatestStreamArn },
  };
}

const Bucket = z.object({ bucket: text });
const CorsRule = z.object({
  allowedHeaders: z.array(text),
  allowedMethods: z.array(text),
  allowedOrigins: z.array(text),
  exposeHeaders: z.array(text),
  maxAgeSeconds: z.number(),
});

async function createBucket({ bucket }: z.output<typeof Bucket>): Promise<Created> {
  if (shared) {
    const { bucket: found } = shared;
    return { id: found, outputs: { bucket: found, arn: `arn:aws:s3:::${found}` } };
  }
  const CreateBucketConfiguration = { LocationConstraint: REGION } as const;
  await clients.s3.send(new s3.CreateBucketCommand({ Bucket: bucket, CreateBucketConfiguration }));
  return { id: bucket, outputs: { arn: `arn:aws:s3:::${bucket}` } };
}

async function allowOrigins({ bucket, corsRules }: { bucket: string; corsRules: z.output<typeof CorsRule>[] }) {
  const CORSRules = corsRules.map((rule) => ({
    AllowedHeaders: rule.allowedHeaders,
    AllowedMethods: rule.allowedMethods,
    AllowedOrigins: rule.allowedOrigins,
    ExposeHeaders: rule.exposeHeaders,
    MaxAgeSeconds: rule.maxAgeSeconds,
  }));
  await clients.s3.send(new s3.PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules } }));
  return {};
}

const Role = z.object({
  name: text,
  assumeRolePolicy: z.union([text, z.record(text, z.unknown())]),
  inlinePolicies: z.array(z.object({ policy: text })).default([]),
});

async function createRole({
  name: RoleName,
  assumeRolePolicy,
  inlinePolicies,
}: z.output<typeof Role>): Promise<Created> {
  const trust = typeof assumeRolePolicy === 'string' ? assumeRolePolicy : JSON.stringify(assumeRolePolicy);
  await clients.iam.send(new iam.CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }));
  for (const [index, { policy: PolicyDocument }] of inlinePolicies.entries()) {
    await clients.iam.send(new iam.PutRolePolicyCommand({ RoleName, PolicyName: `inline-${index}`, PolicyDocument }));
  }
  return { id: RoleName, outputs: { arn: `arn:aws:iam::${ACCOUNT}:role/${RoleName}` } };
}

/** The archives of code by key, as they would lie in the bucket of SST. */
const archives = new Map<string, string>();
const BucketObject = z.object({ bucket: text, key: text, source: z.object({ path: text }) });

async function storeObject({ bucket: Bucket, key: Key, source }: z.output<typeof BucketObject>): Promise<Created> {
  if (Key.endsWith('.zip')) archives.set(Key, source.path);
  else await clients.s3.send(new s3.PutObjectCommand({ Bucket, Key, Body: readFileSync(source.path) }));
  return { id: Key };
}

const LambdaFunction = z.object({
  name: text,
  handler: text,
  role: text,
  runtime: z.enum(lambda.Runtime),
  memorySize: z.number(),
  timeout: z.number(),
  s3Key: text,
  environment: z.object({ variables: z.record(text, text) }),
});

/** The function has its own environment, and beside it the endpoint that stands for AWS. */
async function createFunction(inputs: z.output<typeof LambdaFunction>, name: string): Promise<Created> {
  const { name: FunctionName, handler: Handler, role: Role, runtime: Runtime, timeout: Timeout } = inputs;
  const Variables = { ...inputs.environment.variables, AWS_ENDPOINT_URL: endpoints[name] ?? endpoint };
  const Code = { ZipFile: readFileSync(archives.get(inputs.s3Key) ?? '') };
  const Environment = { Variables };
  const create = { FunctionName, Handler, Role, Runtime, Timeout, Code, Environment, MemorySize: inputs.memorySize };
  const { FunctionArn } = await clients.lambda.send(new lambda.CreateFunctionCommand(create));
  return { id: FunctionName, outputs: { arn: FunctionArn } };
}

const Permission = z.object({ action: text, function: text, principal: text, sourceArn: text });
const Mapping = z.object({
  eventSourceArn: text,
  functionName: text,
  batchSize: z.number(),
  maximumBatchingWindowInSeconds: z.number(),
  startingPosition: z.enum(lambda.EventSourcePosition),
  functionResponseTypes: z.array(z.enum(lambda.FunctionResponseType)),
  filterCriteria: z.object({ filters: z.array(z.object({ pattern: text })) }),
});

async function createMapping(inputs: z.output<typeof Mapping>): Promise<Created> {
  const { UUID } = await clients.lambda.send(
    new lambda.CreateEventSourceMappingCommand({
      EventSourceArn: inputs.eventSourceArn,
      FunctionName: inputs.functionName,
      BatchSize: inputs.batchSize,
      MaximumBatchingWindowInSeconds: inputs.maximumBatchingWindowInSeconds,
      StartingPosition: inputs.startingPosition,
      FunctionResponseTypes: inputs.functionResponseTypes,
      FilterCriteria: { Filters: inputs.filterCriteria.filters.map(({ pattern }) => ({ Pattern: pattern })) },
    }),
  );
  return { id: UUID, outputs: { uuid: UUID } };
}

const Integration = z.object({ apiId: text, integrationUri: text, payloadFormatVersion: text });
const Route = z.object({ apiId: text, routeKey: text, target: text });

async function createIntegration({ apiId, integrationUri, payloadFormatVersion }: z.output<typeof Integration>) {
  const { IntegrationId } = await clients.gateway.send(
    new gateway.CreateIntegrationCommand({
      ApiId: apiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: integrationUri,
      PayloadFormatVersion: payloadFormatVersion,
    }),
  );
  return { id: IntegrationId };
}

const Schedule = z.object({
  name: text,
  scheduleExpression: text,
  target: z.object({ arn: text, roleArn: text, input: text }),
});

async function createSchedule({ name: Name, scheduleExpression, target }: z.output<typeof Schedule>): Promise<Created> {
  const Target = { Arn: target.arn, RoleArn: target.roleArn, Input: target.input };
  const FlexibleTimeWindow = { Mode: 'OFF' } as const;
  const schedule = { Name, ScheduleExpression: scheduleExpression, Target, FlexibleTimeWindow };
  await clients.scheduler.send(new scheduler.CreateScheduleCommand(schedule));
  return { id: Name };
}

const PROVIDERS = {
  'aws:dynamodb/table:Table': provider(Table, createTable),
  'aws:s3/bucket:Bucket': provider(Bucket, createBucket),
  'aws:s3/bucketCorsConfiguration:BucketCorsConfiguration': provider(
    z.object({ bucket: text, corsRules: z.array(CorsRule) }),
    allowOrigins,
  ),
  'aws:s3/bucketObjectv2:BucketObjectv2': provider(BucketObject, storeObject),
  'aws:iam/role:Role': provider(Role, createRole),
  'aws:lambda/function:Function': provider(LambdaFunction, createFunction),
  'aws:lambda/permission:Permission': provider(Permission, async (inputs, name) => {
    const { action: Action, function: FunctionName, principal: Principal, sourceArn: SourceArn } = inputs;
    const permission = { Action, FunctionName, Principal, SourceArn, StatementId: name };
    await clients.lambda.send(new lambda.AddPermissionCommand(permission));
    return {};
  }),
  'aws:lambda/eventSourceMapping:EventSourceMapping': provider(Mapping, createMapping),
  'aws:apigatewayv2/api:Api': provider(z.object({ name: text }), async ({ name: Name }) => {
    const { ApiId = '' } = await clients.gateway.send(new gateway.CreateApiCommand({ Name, ProtocolType: 'HTTP' }));
    return { id: ApiId, outputs: { apiEndpoint: url, executionArn: arnOf('execute-api', ApiId) } };
  }),
  'aws:apigatewayv2/stage:Stage': provider(z.object({ apiId: text, name: text }), async ({ apiId, name }) => {
    await clients.gateway.send(new gateway.CreateStageCommand({ ApiId: apiId, StageName: name, AutoDeploy: true }));
    return { id: name };
  }),
  'aws:apigatewayv2/integration:Integration': provider(Integration, createIntegration),
  'aws:apigatewayv2/route:Route': provider(Route, async ({ apiId, routeKey, target }) => {
    const route = { ApiId: apiId, RouteKey: routeKey, Target: target };
    return { id: (await clients.gateway.send(new gateway.CreateRouteCommand(route))).RouteId };
  }),
  'aws:scheduler/schedule:Schedule': provider(Schedule, createSchedule),
  // By the API that sends: the emulator keeps what the other one creates apart.
  'aws:sesv2/configurationSet:ConfigurationSet': provider(
    z.object({ configurationSetName: text }),
    async ({ configurationSetName: name }) => {
      await clients.ses.send(new ses.CreateConfigurationSetCommand({ ConfigurationSet: { Name: name } }));
      return { id: name, outputs: { arn: arnOf('ses', `configuration-set/${name}`) } };
    },
  ),
  'aws:sesv2/emailIdentity:EmailIdentity': provider(
    z.object({ emailIdentity: text }),
    async ({ emailIdentity: name }) => {
      await clients.ses.send(new ses.VerifyEmailIdentityCommand({ EmailAddress: name }));
      return { id: name, outputs: { arn: arnOf('ses', `identity/${name}`) } };
    },
  ),
  'aws:cloudwatch/eventRule:EventRule': provider(z.object({ eventPattern: text }), async ({ eventPattern }, name) => {
    await clients.eventbridge.send(new eventbridge.PutRuleCommand({ Name: name, EventPattern: eventPattern }));
    return { id: name, outputs: { name, arn: arnOf('events', `rule/${name}`) } };
  }),
  'aws:cloudwatch/eventTarget:EventTarget': provider(
    z.object({ rule: text, arn: text }),
    async ({ rule, arn: Arn }) => {
      await clients.eventbridge.send(
        new eventbridge.PutTargetsCommand({ Rule: rule, Targets: [{ Id: 'worker', Arn }] }),
      );
      return {};
    },
  ),
};

/** Types that change nothing that the emulator shows: retention, encryption and what only operators read. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'aws:cloudwatch/logGroup:LogGroup',
  'aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig',
  'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration',
  'aws:s3/bucketPolicy:BucketPolicy',
  'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock',
  'aws:sesv2/configurationSetEventDestination:ConfigurationSetEventDestination',
]);

const isProvided = (type: string): type is keyof typeof PROVIDERS => type in PROVIDERS;

/**
 * Creates a resource of AWS in the emulator. Other resources, such as components, need no creation. Throws when a type
 * has no provider here, and with the name of the resource when the emulator refuses it.
 */
export async function apply(type: string, name: string, inputs: unknown): Promise<Created> {
  if (!type.startsWith('aws:') || LEFT_OUT.has(type)) return {};
  if (!isProvided(type)) throw new Error(`test/emulator/apply.ts has no provider of ${type}`);
  try {
    return await PROVIDERS[type](inputs, name);
  } catch (cause) {
    throw new Error(`${name} (${type}): ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
