/** The evaluation of our own policies: what IAM would deny is denied, and for the reason that IAM has. */
import { expect, test } from 'vitest';
import { allFunctions } from '#stacks/functions.ts';
import { type Call, callsOf } from '#test/emulator/calls.ts';
import { deniedCalls, grantedTo, readStatements, rolesOf, type Statement } from '#test/emulator/policies.ts';

const TABLE = 'arn:aws:dynamodb:eu-central-1:1:table/forms';
const ARNS = {
  table: TABLE,
  bucket: 'arn:aws:s3:::files',
  sender: 'arn:aws:ses:eu-central-1:1:identity/forms@example.org',
  identity: 'arn:aws:ses:eu-central-1:1:identity',
  configurationSet: 'arn:aws:ses:eu-central-1:1:configuration-set/forms',
};

const allow = (action: string, resource: string, Condition: Statement['Condition'] = {}): Statement => ({
  ...{ Effect: 'Allow', Action: [action], Resource: [resource], Condition },
});
/** What some statements deny of calls. */
const denied = (statements: Statement[], ...made: Call[]): string[] =>
  deniedCalls(new Map([['Test', statements]]), new Map([['Test', new Map(made.map((call, n) => [`${n}`, call]))]]));
const query = { action: 'dynamodb:Query', resource: `${TABLE}/index/gsi1` };

test.for<[why: string, statements: Statement[], call: Call]>([
  ['nothing allows it', [], query],
  ['another action is allowed', [allow('dynamodb:GetItem', `${TABLE}/index/*`)], query],
  ['it is allowed on another resource', [allow('dynamodb:Query', TABLE)], query],
  ['the wildcard of another path', [allow('dynamodb:Query', `${TABLE}/stream/*`)], query],
  [
    'its condition does not hold',
    [allow('s3:ListBucket', ARNS.bucket, { StringLike: { 's3:prefix': ['files/*'] } })],
    { action: 's3:ListBucket', resource: ARNS.bucket, context: { 's3:prefix': 'exports/' } },
  ],
  [
    'the key of its condition is missing',
    [allow('ses:SendEmail', '*', { StringEquals: { 'ses:FromAddress': ['forms@example.org'] } })],
    { action: 'ses:SendEmail', resource: ARNS.sender },
  ],
])('a call is denied if %s', ([, statements, call]) => {
  expect(denied(statements, call)).toEqual([`Test may not ${call.action} on ${call.resource}`]);
});

test('a call is allowed by its action, its resource and its condition, also with wildcards', () => {
  const files = { StringLike: { 's3:prefix': ['files/*'] } };
  const statements = [allow('dynamodb:Q*y', `${TABLE}/index/*`), allow('s3:ListBucket', ARNS.bucket, files)];
  const list = { action: 's3:ListBucket', resource: ARNS.bucket, context: { 's3:prefix': 'files/1' } };
  expect(denied(statements, query, list)).toEqual([]);
});

/** The inputs of a role with a statement. */
const roleWith = (statement: object) => ({ inlinePolicies: [{ policy: JSON.stringify({ Statement: [statement] }) }] });

test('an effect or a condition that is not known is refused', () => {
  const statement = allow('dynamodb:Query', '*');
  expect(readStatements(roleWith(statement))).toEqual([statement]);
  expect(() => readStatements(roleWith({ ...statement, Effect: 'Deny' }))).toThrow('Effect');
  const Condition = { Bool: { 'aws:SecureTransport': ['true'] } };
  expect(() => readStatements(roleWith({ ...statement, Condition }))).toThrow('Bool');
});

test('who has no role may do nothing', () => {
  const inputs = roleWith(allow('dynamodb:*', '*'));
  const roles = rolesOf([{ type: 'aws:iam/role:Role', name: 'SweepRole', inputs }]);
  const made = new Map(['Sweep', 'Other'].map((name) => [name, new Map([['1', query]])]));
  expect(deniedCalls(roles, made)).toEqual([`Other may not ${query.action} on ${query.resource}`]);
});

test('the function of public covers may read covers, and no answers', () => {
  const read = (key: string): Call => ({ action: 's3:GetObject', resource: `${ARNS.bucket}/${key}` });
  const made = new Map([['FormsGetCover', new Map(['covers/1', 'files/1/2'].map((key) => [key, read(key)]))]]);
  expect(deniedCalls(grantedTo(allFunctions, ARNS), made)).toEqual([
    'FormsGetCover may not s3:GetObject on arn:aws:s3:::files/files/1/2',
  ]);
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
