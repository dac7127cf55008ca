/** The evaluation of our own policies: what IAM would deny is denied, and for the reason that IAM has. */
import { expect, test } from 'vitest';
import { allFunctions } from '#stacks/functions.ts';
import { type Call, callsOf } from '#test/emulator/calls.ts';
import { deniedCalls, deniedServices, type Granted, grantedTo, unusedGrants } from '#test/emulator/policies.ts';

const TABLE = 'arn:aws:dynamodb:eu-central-1:1:table/forms';
const ARNS = {
  table: TABLE,
  bucket: 'arn:aws:s3:::files',
  sender: 'arn:aws:ses:eu-central-1:1:identity/forms@example.org',
  identity: 'arn:aws:ses:eu-central-1:1:identity',
  configurationSet: 'arn:aws:ses:eu-central-1:1:configuration-set/forms',
};

const allow = (action: string, resource: string, more: object = {}) => ({
  ...{ Effect: 'Allow' as const, Action: [action], Resource: [resource], Condition: {} },
  ...more,
});
const functionWith = (...statements: Granted['statements']): Granted => ({ name: 'TestFunction', statements });
const calls = (...made: Call[]) =>
  new Map([['TestFunction', new Map(made.map((call) => [JSON.stringify(call), call]))]]);
const query = { action: 'dynamodb:Query', resource: `${TABLE}/index/gsi1` };

test.for<[why: string, statements: Granted['statements'], call: Call]>([
  ['nothing allows it', [], query],
  ['another action is allowed', [allow('dynamodb:GetItem', `${TABLE}/index/*`)], query],
  ['it is allowed on another resource', [allow('dynamodb:Query', TABLE)], query],
  ['the wildcard of another path', [allow('dynamodb:Query', `${TABLE}/stream/*`)], query],
  ['another statement denies it', [allow('*', '*'), allow('dynamodb:Query', '*', { Effect: 'Deny' })], query],
  [
    'its condition does not hold',
    [allow('s3:ListBucket', ARNS.bucket, { Condition: { StringLike: { 's3:prefix': ['files/*'] } } })],
    { action: 's3:ListBucket', resource: ARNS.bucket, context: { 's3:prefix': 'exports/' } },
  ],
  [
    'the key of its condition is missing',
    [allow('ses:SendEmail', '*', { Condition: { StringEquals: { 'ses:FromAddress': ['forms@example.org'] } } })],
    { action: 'ses:SendEmail', resource: ARNS.sender },
  ],
])('a call is denied if %s', ([, statements, call]) => {
  expect(deniedCalls([functionWith(...statements)], calls(call))).toEqual([
    `TestFunction may not ${call.action} on ${call.resource}`,
  ]);
});

test('a call is allowed by its action, its resource and its condition, also with wildcards', () => {
  const Condition = { StringLike: { 's3:prefix': ['files/*'] } };
  const statements = [allow('dynamodb:Q*y', `${TABLE}/index/*`), allow('s3:ListBucket', ARNS.bucket, { Condition })];
  const list = { action: 's3:ListBucket', resource: ARNS.bucket, context: { 's3:prefix': 'files/1' } };
  expect(deniedCalls([functionWith(...statements)], calls(query, list))).toEqual([]);
});

test('a condition of a kind that is not known is no permission', () => {
  const statement = allow('dynamodb:Query', '*', { Condition: { Bool: { 'aws:SecureTransport': ['true'] } } });
  expect(() => deniedCalls([functionWith(statement)], calls(query))).toThrow('unknown condition Bool');
});

test('grants that no call used are listed by function', () => {
  const statements = [allow('dynamodb:Query', `${TABLE}/index/*`), allow('dynamodb:GetItem', TABLE)];
  expect(unusedGrants([functionWith(...statements)], calls(query))).toEqual([
    `TestFunction: dynamodb:GetItem on ${TABLE}`,
  ]);
});

test('the function of public covers may read covers, and no answers', () => {
  const [cover] = grantedTo(allFunctions, ARNS).filter(({ name }) => name === 'FormsGetCoverFunction');
  const read = (key: string): Call => ({ action: 's3:GetObject', resource: `${ARNS.bucket}/${key}` });
  const made = new Map([
    ['FormsGetCoverFunction', new Map([read('covers/1'), read('files/1/2')].map((each) => [each.resource, each]))],
  ]);
  expect(deniedCalls(cover ? [cover] : [], made)).toEqual([
    'FormsGetCoverFunction may not s3:GetObject on arn:aws:s3:::files/files/1/2',
  ]);
});

test('a service without permission is named', () => {
  const target = { arn: 'arn:aws:lambda:eu-central-1:1:function:sweep', roleArn: 'arn:aws:iam::1:role/schedule' };
  const policy = JSON.stringify({ Statement: [allow('lambda:InvokeFunction', target.arn)] });
  const schedule = { type: 'aws:scheduler/schedule:Schedule', name: 'SweepSchedule', inputs: { target } };
  const role = (inlinePolicies: object[]) => ({
    ...{ type: 'aws:iam/role:Role', name: 'ScheduleRole', inputs: { name: 'schedule', inlinePolicies } },
  });
  expect(deniedServices([schedule, role([{ policy }])])).toEqual([]);
  expect(deniedServices([schedule, role([])])).toEqual([`SweepSchedule may not invoke ${target.arn}`]);
});

/** A request as the SDK sends it to a service. */
const request = (service: string, target: string, body: object) => ({
  ...{ method: 'POST', url: '/', body: Buffer.from(JSON.stringify(body)) },
  headers: {
    authorization: `AWS4-HMAC-SHA256 Credential=1/20260101/eu-central-1/${service}/aws4_request, Signature=1`,
    'x-amz-target': target,
  },
});

test('a transaction is authorized item by item, and a query on its index', () => {
  const TransactItems = [{ Put: { TableName: 'forms' } }, { ConditionCheck: { TableName: 'forms' } }];
  const transaction = request('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems });
  expect(callsOf(transaction).map(({ action }) => action)).toEqual(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem']);
  const [call] = callsOf(request('dynamodb', 'DynamoDB_20120810.Query', { TableName: 'forms', IndexName: 'gsi1' }));
  expect(call?.resource).toMatch(/:table\/forms\/index\/gsi1$/);
  expect(() => callsOf(request('sqs', 'SendMessage', {}))).toThrow('unknown request to AWS: sqs');
});
