/** The roles of functions allow what the needs demand on named resources, and nothing more. */
import * as z from 'zod';
import { listSecrets } from '#core/aws/secrets.ts';
import { type DeployedFunction, workerFunctions } from '#stacks/functions.ts';
import { listGrants } from '#stacks/grants.ts';
import { parameterName } from '#stacks/settings.ts';
import { arnOf, type Check, type Description, differing, differingSets, inputsOf } from './description.ts';

const Statement = z.object({
  Effect: z.string(),
  Action: z.array(z.string()),
  Resource: z.array(z.string()),
  Condition: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
});
const Policy = z.object({ Statement: z.array(Statement) });
const Role = z.object({
  assumeRolePolicy: z.union([z.string(), z.record(z.string(), z.unknown())]),
  inlinePolicies: z.array(z.object({ policy: z.string() })).default([]),
  managedPolicyArns: z.array(z.string()).default([]),
});

const ROLE = 'aws:iam/role:Role';
const statementsOf = ({ inlinePolicies }: z.output<typeof Role>) =>
  inlinePolicies.flatMap(({ policy }) => Policy.parse(JSON.parse(policy)).Statement);

/** No role allows an action by wildcard, or anything on every resource. */
export const checkWildcards: Check = (description) =>
  inputsOf(description, ROLE, Role).flatMap(({ name, inputs }) =>
    statementsOf(inputs).flatMap(({ Action, Resource }) => [
      ...Action.filter((action) => action.endsWith('*')).map((action) => `${name} allows the wildcard ${action}`),
      ...Resource.filter((resource) => resource === '*').map(() => `${name} allows ${Action.join(', ')} on everything`),
    ]),
  );

const BASIC_EXECUTION = 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

/** The roles of functions can be assumed by Lambda only, and have no managed policy but the one for logs. */
export const checkTrust: Check = (description) =>
  description.functions.flatMap(({ name }) => {
    const role = inputsOf(description, ROLE, Role).find((each) => each.name === `${name}Role`)?.inputs;
    if (!role) return [`${name} has no role`];
    const trust =
      typeof role.assumeRolePolicy === 'string' ? role.assumeRolePolicy : JSON.stringify(role.assumeRolePolicy);
    const principals = [...trust.matchAll(/"Principal":(\{[^}]*\})/g)].map(([, principal]) => principal);
    return [
      ...differing(`who may assume the role of ${name}`, principals, ['{"Service":"lambda.amazonaws.com"}']),
      ...differing(`the managed policies of ${name}`, role.managedPolicyArns, [BASIC_EXECUTION]),
    ];
  });

const ARNS = {
  table: arnOf('aws:dynamodb/table:Table', 'TableTable'),
  bucket: arnOf('aws:s3/bucket:Bucket', 'FilesBucket'),
  sender: arnOf('aws:sesv2/emailIdentity:EmailIdentity', 'MailIdentity'),
  identity: 'arn:aws:ses:eu-central-1:123456789012:identity',
  configurationSet: arnOf('aws:sesv2/configurationSet:ConfigurationSet', 'MailConfig'),
};

/** Allowed actions with their resources, one text each: `dynamodb:Query on arn:…`. */
function expectedOf({ stage }: Description, needs: Parameters<typeof listGrants>[0]): string[] {
  const grants = listGrants(needs).flatMap(({ actions, targets, prefixes, fromOwnAddress }) => {
    const condition = prefixes
      ? ` if s3:prefix StringLike ${prefixes}`
      : fromOwnAddress
        ? ` if ses:FromAddress StringEquals ${stage.mailAddress}`
        : '';
    return actions.flatMap((action) => targets.map(({ of, path }) => `${action} on ${ARNS[of]}${path}${condition}`));
  });
  const secrets = listSecrets(needs).filter((secret) => stage.secrets.includes(secret));
  const parameters = secrets.map(
    (secret) => `ssm:GetParameters on arn:aws:ssm:eu-central-1:123456789012:parameter${parameterName(stage, secret)}`,
  );
  return [...grants, ...parameters];
}

/** The conditions of a statement as a text. */
const conditionOf = (conditions: NonNullable<z.output<typeof Statement>['Condition']>): string =>
  Object.entries(conditions)
    .flatMap(([test, variables]) => Object.entries(variables).map(([name, values]) => ` if ${name} ${test} ${values}`))
    .join('');

const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (action) => `dynamodb:${action} on ${ARNS.table}/stream`,
);
const KEEP_FAILED = [`s3:PutObject on ${ARNS.bucket}/aws/lambda/*`, `s3:ListBucket on ${ARNS.bucket}`];

/** What a worker may do beyond its needs: read the stream, and keep what it cannot process in the bucket. */
function expectedOfSource(deployed: DeployedFunction): string[] {
  const source = workerFunctions.find(({ name }) => name === deployed.name)?.source;
  if (source?.type === 'stream') return [...READ_STREAM, ...KEEP_FAILED];
  return source?.type === 'mail-events' ? KEEP_FAILED : [];
}

/** Every function may do what its needs demand, and nothing else. */
export const checkGrants: Check = (description) => {
  const roles = new Map(inputsOf(description, ROLE, Role).map(({ name, inputs }) => [name, inputs]));
  return description.functions.flatMap((deployed) => {
    const role = roles.get(`${deployed.name}Role`);
    if (!role) return [];
    const actual = statementsOf(role).flatMap(({ Action, Resource, Condition = {} }) =>
      Action.flatMap((action) => Resource.map((resource) => `${action} on ${resource}${conditionOf(Condition)}`)),
    );
    return differingSets(`the role of ${deployed.name}`, actual, [
      ...expectedOf(description, deployed.needs),
      ...expectedOfSource(deployed),
    ]);
  });
};

/** IAM's limit of the inline policies of a role. */
const MAX_ROLE_POLICY = 10_240;

/** No policy of a role outgrows its limit. */
export const checkPolicySizes: Check = (description) =>
  inputsOf(description, ROLE, Role).flatMap(({ name, inputs }) => {
    const size = inputs.inlinePolicies.reduce((sum, { policy }) => sum + policy.length, 0);
    return size > MAX_ROLE_POLICY ? [`the policies of ${name} have ${size} characters; IAM allows 10,240`] : [];
  });
