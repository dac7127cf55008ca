/** A fault in what is deployed fails the check for it, with a message that names the fault. */
import { describe, expect, test } from 'vitest';
import { bundle } from '#stacks/build/bundle.ts';
import { CHECKS } from '#test/deployment/checks/all.ts';
import type { Description } from '#test/deployment/checks/description.ts';
import { describeStage } from '#test/deployment/synthesis/describe-stage.ts';
import type { Resource } from '#test/deployment/synthesis/synthesize.ts';
import { repack } from '#test/emulator/inject.ts';

type Inputs = Record<string, unknown>;

/** The resource with a logical name. */
function resource({ resources }: Description, type: string, name: string): Resource {
  const found = resources.find((each) => each.type === type && each.name === name);
  if (!found) throw new Error(`there is no ${type} with the name ${name}`);
  return found;
}

/** Sets inputs of a resource. */
const set = (description: Description, type: string, name: string, inputs: Inputs): void => {
  Object.assign(resource(description, type, name).inputs, inputs);
};

/** Adds variables to the environment of a function. */
const addVariables = (description: Description, name: string, variables: Record<string, string>): void => {
  const { inputs } = resource(description, 'aws:lambda/function:Function', `${name}Function`);
  const { variables: existing } = inputs.environment as { variables: Record<string, string> };
  inputs.environment = { variables: { ...existing, ...variables } };
};

/** Adds a statement to the policy of a function's role. */
const addStatement = (description: Description, name: string, Action: string[], Resource: string[]): void => {
  const { inputs } = resource(description, 'aws:iam/role:Role', `${name}Role`);
  const [{ policy } = { policy: '{"Statement":[]}' }] = inputs.inlinePolicies as { policy: string }[];
  const { Statement } = JSON.parse(policy) as { Statement: unknown[] };
  const changed = { Statement: [...Statement, { Effect: 'Allow', Action, Resource }] };
  inputs.inlinePolicies = [{ policy: JSON.stringify(changed) }];
};

/** Removes resources. */
const remove = (description: Description, isFault: (each: Resource) => boolean): void => {
  description.resources = description.resources.filter((each) => !isFault(each));
};

/** Replaces a file in the archive of the code of a function, or drops it. */
const replaceFile = (description: Description, name: string, file: string, bytes?: Uint8Array): void => {
  const { inputs } = resource(description, 'aws:s3/bucketObjectv2:BucketObjectv2', `${name}Code`);
  const { path } = inputs.source as { path: string };
  inputs.source = { path: repack(path, (each, existing) => (each === file ? bytes : existing)) };
};

/** Changes the text of the dashboard. */
const editDashboard = (description: Description, edit: (body: string) => string): void => {
  const { inputs } = resource(description, 'aws:cloudwatch/dashboard:Dashboard', 'Dashboard');
  inputs.dashboardBody = edit(String(inputs.dashboardBody));
};

const IDENTITIES = 'arn:aws:ses:eu-central-1:123456789012:identity';
const MAPPING = 'aws:lambda/eventSourceMapping:EventSourceMapping';
const ALARM = 'aws:cloudwatch/metricAlarm:MetricAlarm';
const PRIVATE_KEY = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', kid: 'k', x: 'x', d: 'd' });

const FAULTS: [fault: string, inject: (description: Description) => void, check: keyof typeof CHECKS, says: RegExp][] =
  [
    [
      'a wildcard grant',
      (it) =>
        addStatement(it, 'FormsGetForm', ['dynamodb:*'], ['arn:aws:dynamodb:eu-central-1:123456789012:table/forms']),
      'no role has a wildcard',
      /^FormsGetFormRole allows the wildcard dynamodb:\*$/,
    ],
    [
      'a grant on everything',
      (it) => addStatement(it, 'FormsGetForm', ['s3:GetObject'], ['*']),
      'no role has a wildcard',
      /^FormsGetFormRole allows s3:GetObject on everything$/,
    ],
    [
      'a grant without use',
      (it) =>
        addStatement(it, 'FormsGetForm', ['dynamodb:DeleteItem'], ['arn:aws:dynamodb:eu-central-1:1:table/forms']),
      'every function may do what it needs, and nothing else',
      /^the role of FormsGetForm has dynamodb:DeleteItem on .*, which nothing needs$/,
    ],
    [
      'a use without grant',
      (it) => set(it, 'aws:iam/role:Role', 'FilesDownloadFileRole', { inlinePolicies: [] }),
      'every function may do what it needs, and nothing else',
      /^the role of FilesDownloadFile lacks s3:GetObject on /,
    ],
    [
      'a list of the whole bucket',
      (it) => addStatement(it, 'WorkerSweep', ['s3:ListBucket'], ['arn:aws:s3:::files']),
      'every function may do what it needs, and nothing else',
      /^the role of WorkerSweep has s3:ListBucket on arn:aws:s3:::files, which nothing needs$/,
    ],
    [
      'mails from every address of the account',
      (it) => addStatement(it, 'WorkerSweep', ['ses:SendEmail'], [`${IDENTITIES}/*`]),
      'every function may do what it needs, and nothing else',
      /^the role of WorkerSweep has ses:SendEmail on .*:identity\/\*, which nothing needs$/,
    ],
    [
      'a role that the whole account may assume',
      (it) =>
        set(it, 'aws:iam/role:Role', 'FormsGetFormRole', {
          assumeRolePolicy: '{"Statement":[{"Principal":{"AWS":"arn:aws:iam::123456789012:root"}}]}',
        }),
      'only Lambda assumes the roles of functions',
      /^who may assume the role of FormsGetForm is .*:root/,
    ],
    [
      'a missing route',
      (it) => remove(it, ({ inputs }) => inputs.routeKey === 'GET /api/forms/{formId}'),
      'every route of the plan leads to its function',
      /^the API lacks GET \/api\/forms\/\{formId\}$/,
    ],
    [
      'a missing $default route',
      (it) => remove(it, ({ inputs }) => inputs.routeKey === '$default'),
      'every route of the plan leads to its function',
      /^the API lacks \$default$/,
    ],
    [
      'too many routes',
      (it) => {
        const routes = it.resources.filter(({ type }) => type === 'aws:apigatewayv2/route:Route');
        it.resources.push(...routes.slice(0, 281 - routes.length));
      },
      'every route of the plan leads to its function',
      /^the API has 281 of 300 routes: route all methods of a page with ANY/,
    ],
    [
      'too many routes of one function',
      (it) => {
        it.functions = it.functions.map((each) =>
          each.name === 'PagesAuthors' ? { ...each, routes: Array.from({ length: 56 }, (_, n) => `GET /${n}`) } : each,
        );
      },
      'every route of the plan leads to its function',
      /^PagesAuthors has 56 of 58 routes: split its audience in two/,
    ],
    [
      'a route to another function',
      (it) => {
        const routes = it.resources.filter(({ type }) => type === 'aws:apigatewayv2/route:Route');
        const [one, other] = ['GET /api/forms/{formId}', 'DELETE /api/forms/{formId}'].map((key) =>
          routes.find(({ inputs }) => inputs.routeKey === key),
        );
        if (one && other) one.inputs.target = other.inputs.target;
      },
      'every route of the plan leads to its function',
      /^the route GET \/api\/forms\/\{formId\} leads to .*FormsDeleteForm.* instead of FormsGetForm$/,
    ],
    [
      'a wrong index',
      (it) => {
        const { inputs } = resource(it, 'aws:dynamodb/table:Table', 'TableTable');
        const [first, ...others] = inputs.globalSecondaryIndexes as Inputs[];
        inputs.globalSecondaryIndexes = [{ ...first, rangeKey: 'sk' }, ...others];
      },
      'the table is the one of the key design',
      /^the indexes of the table is \[\["gsi1","gsi1pk","sk",.* instead of \[\["gsi1","gsi1pk","gsi1sk"/,
    ],
    [
      'a table without backups',
      (it) => set(it, 'aws:dynamodb/table:Table', 'TableTable', { pointInTimeRecovery: { enabled: false } }),
      'the table is the one of the key design',
      /^the point-in-time recovery of the table is false/,
    ],
    [
      'a bucket for every origin',
      (it) =>
        set(it, 'aws:s3/bucketCorsConfiguration:BucketCorsConfiguration', 'FilesCors', {
          corsRules: [{ allowedOrigins: ['*'], allowedMethods: ['PUT'], allowedHeaders: ['*'], exposeHeaders: [] }],
        }),
      'the bucket is private and over TLS only',
      /^the bucket allows every origin$/,
    ],
    [
      'a public bucket',
      (it) =>
        set(it, 'aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock', 'FilesPublicAccessBlock', {
          blockPublicPolicy: false,
        }),
      'the bucket is private and over TLS only',
      /^blockPublicPolicy of the bucket is false/,
    ],
    [
      'parts of uploads that stay',
      (it) =>
        set(it, 'aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration', 'FilesLifecycle', { rules: [] }),
      'the bucket tidies itself',
      /^the bucket keeps the parts of aborted multipart uploads$/,
    ],
    [
      'a secret in clear',
      (it) => addVariables(it, 'AuthRefresh', { TOKEN_KEY: PRIVATE_KEY }),
      'no secret is in clear',
      /^the environment of AuthRefresh contains a secret in clear: TOKEN_KEY$/,
    ],
    [
      'a private key among the public ones',
      (it) => addVariables(it, 'FormsGetForm', { TOKEN_PUBLIC_KEYS: `{"keys":[${PRIVATE_KEY}]}` }),
      'no secret is in clear',
      /^the environment of FormsGetForm contains a secret in clear: TOKEN_PUBLIC_KEYS$/,
    ],
    [
      'a private key in a function that only verifies',
      (it) => addVariables(it, 'FormsGetForm', { TOKEN_KEY_PARAMETER: '/form-service/production/TOKEN_KEY' }),
      'every function has the environment of its needs',
      /^the environment of FormsGetForm has TOKEN_KEY_PARAMETER, which nothing needs$/,
    ],
    [
      'a function that may read a private key and only verifies',
      (it) =>
        addStatement(
          it,
          'FormsGetForm',
          ['ssm:GetParameters'],
          ['arn:aws:ssm:eu-central-1:123456789012:parameter/form-service/production/TOKEN_KEY'],
        ),
      'every function may do what it needs, and nothing else',
      /^the role of FormsGetForm has ssm:GetParameters on .*TOKEN_KEY, which nothing needs$/,
    ],
    [
      'the secret of another stage',
      (it) => addVariables(it, 'AuthRefresh', { TOKEN_KEY_PARAMETER: '/form-service/alice/TOKEN_KEY' }),
      'no secret is in clear',
      /^TOKEN_KEY_PARAMETER of AuthRefresh is "\/form-service\/alice\/TOKEN_KEY"/,
    ],
    [
      'an environment that is too large',
      (it) => addVariables(it, 'FormsGetForm', { OPERATOR_EMAILS: 'x'.repeat(4_096) }),
      'every function has the environment of its needs',
      /^the environment of FormsGetForm has \d+ bytes/,
    ],
    [
      'a function with another size than declared',
      (it) => set(it, 'aws:lambda/function:Function', 'ExportsDownloadTableFunction', { memorySize: 512 }),
      'every function has its runtime, memory and time',
      /^the memory of ExportsDownloadTable is 512 instead of 1024$/,
    ],
    [
      'an export without time',
      (it) => set(it, 'aws:lambda/function:Function', 'WorkerBuildExportsFunction', { timeout: 30 }),
      'every function ends in time, and an export has enough of it',
      /^WorkerBuildExports may run for 30 s instead of 780 to 900 s$/,
    ],
    [
      'a function that outlives the request',
      (it) => set(it, 'aws:lambda/function:Function', 'FormsGetFormFunction', { timeout: 30 }),
      'every function ends in time, and an export has enough of it',
      /^FormsGetForm may run for 30 s, but API Gateway waits 29 s$/,
    ],
    [
      'a handler path that does not exist',
      (it) => set(it, 'aws:lambda/function:Function', 'FormsGetFormFunction', { handler: 'main.handler' }),
      'every function has its code',
      /^the handler of FormsGetForm is "main.handler" instead of "index.handler"$/,
    ],
    [
      'code without the module of the handler',
      (it) => replaceFile(it, 'FormsGetForm', 'index.mjs'),
      'every function has its code',
      /^the code of FormsGetForm has no index.mjs$/,
    ],
    [
      'a module without a handler',
      (it) => replaceFile(it, 'FormsGetForm', 'index.mjs', Buffer.from('export{x as main};')),
      'every function has its code',
      /^index.mjs of FormsGetForm has no handler$/,
    ],
    [
      'pages without their assets',
      (it) => replaceFile(it, 'PagesReviewers', 'dist/assets/manifest.json'),
      'every function has its code',
      /^the code of PagesReviewers has no dist\/assets\/manifest.json$/,
    ],
    [
      'reserved concurrency',
      (it) => set(it, 'aws:lambda/function:Function', 'FormsGetFormFunction', { reservedConcurrentExecutions: 100 }),
      'every function has its runtime, memory and time',
      /^FormsGetForm reserves concurrency$/,
    ],
    [
      'a log that is kept for ever',
      (it) => set(it, 'aws:cloudwatch/logGroup:LogGroup', 'ApiLogs', { retentionInDays: undefined }),
      'every log has a retention',
      /^ApiLogs is kept for ever$/,
    ],
    [
      'an API without throttling',
      (it) => set(it, 'aws:apigatewayv2/stage:Stage', 'ApiStage', { defaultRouteSettings: undefined }),
      'the API limits and logs its requests',
      /^the API has no throttling$/,
    ],
    [
      'a missing on-failure destination',
      (it) => set(it, MAPPING, 'WorkerDeliverStream', { destinationConfig: undefined }),
      'every stream mapping is as declared and loses nothing',
      /^the stream mapping of WorkerDeliver has no bucket as on-failure destination: records that fail are lost$/,
    ],
    [
      'a stream mapping without partial failures',
      (it) => set(it, MAPPING, 'WorkerDeliverStream', { functionResponseTypes: [] }),
      'every stream mapping is as declared and loses nothing',
      /^the stream mapping of WorkerDeliver does not accept partial failures$/,
    ],
    [
      'a worker that nothing invokes',
      (it) => remove(it, ({ type }) => type === 'aws:scheduler/schedule:Schedule'),
      'every schedule is as declared',
      /^nothing invokes WorkerSweep$/,
    ],
    [
      'bounces that nobody hears of',
      (it) =>
        set(it, 'aws:sesv2/configurationSetEventDestination:ConfigurationSetEventDestination', 'MailEventworker', {
          eventDestination: {
            enabled: true,
            matchingEventTypes: ['SEND'],
            eventBridgeDestination: { eventBusArn: 'x' },
          },
        }),
      'events of mails reach their worker',
      /^the reported events of mails is \["SEND"\]/,
    ],
    [
      'events of mails that are dropped when their worker fails',
      (it) => remove(it, ({ type }) => type === 'aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig'),
      'events of mails reach their worker',
      /^WorkerMailEvents has no bucket as on-failure destination: events that fail are lost$/,
    ],
    [
      'an alarm without a runbook',
      (it) => set(it, 'aws:cloudwatch/metricAlarm:MetricAlarm', 'ApiErrors', { alarmDescription: 'Errors' }),
      'every alarm notifies and says what to do',
      /^form-service-production-ApiErrors does not say what to do$/,
    ],
    [
      'an index whose throttles nobody hears of',
      (it) => remove(it, ({ name }) => name === 'ReadThrottlesgsi1'),
      'every alarm notifies and says what to do',
      /^the deployment lacks form-service-production-ReadThrottles-gsi1$/,
    ],
    [
      'dropped stream records that nobody hears of',
      (it) => set(it, MAPPING, 'WorkerDeliverStream', { metricsConfig: undefined }),
      'every stream mapping is as declared and loses nothing',
      /^the metrics of the stream mapping of WorkerDeliver is undefined instead of \["EventCount"\]$/,
    ],
    [
      'an alarm on dropped stream records by function',
      (it) => set(it, ALARM, 'DroppedRecordsWorkerDeliver', { dimensions: { FunctionName: 'deliver' } }),
      'every alarm notifies and says what to do',
      /-DroppedRecords-WorkerDeliver watches AWS\/Lambda DroppedEventCount by FunctionName, which nobody counts$/,
    ],
    [
      'an alarm on dropped mail events with a wrong metric',
      (it) => set(it, ALARM, 'DroppedMailEventsWorkerMailEvents', { metricName: 'AsyncEventDropped' }),
      'every alarm notifies and says what to do',
      /-DroppedMailEvents-WorkerMailEvents watches AWS\/Lambda AsyncEventDropped by FunctionName, which nobody counts$/,
    ],
    [
      'lost mail events that nobody hears of',
      (it) => remove(it, ({ name }) => name === 'LostMailEventsWorkerMailEvents'),
      'every alarm notifies and says what to do',
      /^the deployment lacks form-service-production-LostMailEvents-WorkerMailEvents$/,
    ],
    [
      'a chart with a worker that does not read the stream',
      (it) => editDashboard(it, (body) => body.replace(/("IteratorAge","FunctionName",")[^"]+/, '$1sweep')),
      'the dashboard shows what is watched',
      /^the chart of the age of stream records has sweep, which does not read the stream$/,
    ],
    [
      'a chart of a metric that does not exist',
      (it) => editDashboard(it, (body) => body.replace('"AWS/SES","Complaint"', '"AWS/SES","Complaints"')),
      'the dashboard shows what is watched',
      /^the chart "Mail" has AWS\/SES Complaints by nothing, which nobody counts$/,
    ],
    [
      'an alarm that people without an address ring',
      (it) =>
        set(it, 'aws:cloudwatch/logMetricFilter:LogMetricFilter', 'FailedDeliveriesCount', {
          pattern: '"failedDelivery"',
        }),
      'the dashboard shows what is watched',
      /^FailedDeliveriesCount counts people without an address, whom no operator can help$/,
    ],
    [
      'a budget of another amount',
      (it) => set(it, 'aws:budgets/budget:Budget', 'Budget', { limitAmount: '2500' }),
      'the operators are told what is spent',
      /^the budget is "2500 USD MONTHLY" instead of "250 USD MONTHLY"$/,
    ],
    [
      'a budget that tells nobody in time',
      (it) =>
        set(it, 'aws:budgets/budget:Budget', 'Budget', {
          notifications: [
            { notificationType: 'ACTUAL', threshold: 100, subscriberEmailAddresses: ['operators@example.org'] },
          ],
        }),
      'the operators are told what is spent',
      /^nobody is told before the budget is spent$/,
    ],
    [
      'alarms that nobody receives',
      (it) => remove(it, ({ type }) => type === 'aws:sns/topicSubscription:TopicSubscription'),
      'every alarm notifies and says what to do',
      /^nobody receives the alarms: operators@example.org is not subscribed$/,
    ],
    [
      'addresses of people in the access log',
      (it) =>
        set(it, 'aws:apigatewayv2/stage:Stage', 'ApiStage', {
          accessLogSettings: { format: '$context.requestId $context.identity.sourceIp' },
        }),
      'the API limits and logs its requests',
      /^the access log contains sourceIp$/,
    ],
  ];

describe('a fault is named:', () => {
  test.for(FAULTS)('%s', ([, inject, check, says]) => {
    const description = describeStage('production');
    expect(CHECKS[check](description)).toEqual([]);
    inject(description);
    expect(CHECKS[check](description)).toContainEqual(expect.stringMatching(says));
  });
});

test('S3 in the real bundle of a hot function is named', async () => {
  const { bundles, ...description } = describeStage('production');
  const [faulty] = await bundle([{ file: 'functions/files/upload-files.ts', needs: ['files:write'] }], '.sst/faulty');
  if (!faulty) throw new Error('there is no bundle');
  const file = 'functions/responses/submit-response.ts';
  const withFault = [...bundles.filter((each) => each.file !== file), { ...faulty, file }];
  expect(CHECKS['no bundle contains what its function does not use']({ ...description, bundles: withFault })).toEqual(
    expect.arrayContaining([
      'the bundle of ResponsesSubmitResponse contains @aws-sdk/client-s3, which it must not use',
    ]),
  );
});
