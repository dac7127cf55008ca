/** The roles of functions allow what the needs demand on named resources, and nothing more. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Need } from '#core/api/declare.ts';
import { allFunctions } from '#stacks/functions.ts';
import { listGrants } from '#stacks/grants.ts';
import { listParameters, type Stage } from '#stacks/stage.ts';
import { readPolicies, readStatements } from '#test/emulator/policies.ts';
import { arnOf, readDeployed, STAGE_NAMES } from './deployed.ts';

const Trust = z.object({ Statement: z.array(z.object({ Principal: z.unknown() })) });

const BASIC_EXECUTION = 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
/** IAM's limit of the inline policies of a role. */
const MAX_ROLE_POLICY = 10_240;

const ARNS = {
  table: arnOf('dynamodb.Table', 'TableTable'),
  bucket: arnOf('s3.Bucket', 'FilesBucket'),
  sender: arnOf('sesv2.EmailIdentity', 'MailIdentity'),
  identity: 'arn:aws:ses:eu-central-1:123456789012:identity',
  configurationSet: arnOf('sesv2.ConfigurationSet', 'MailConfig'),
};

/** What the needs of a function demand: `dynamodb:Query on arn:…`. */
function listDemanded(stage: Stage, needs: readonly Need[]): string[] {
  const grants = listGrants(needs).flatMap(({ actions, targets, prefixes, fromOwnAddress }) => {
    const listed = prefixes ? ` if s3:prefix StringLike ${prefixes}` : '';
    const sent = fromOwnAddress ? ` if ses:FromAddress StringEquals ${stage.mailAddress}` : '';
    return actions.flatMap((action) =>
      targets.map(({ of, path }) => `${action} on ${ARNS[of]}${path}${listed}${sent}`),
    );
  });
  const parameters = Object.values(listParameters(stage, needs)).map(
    (name) => `ssm:GetParameters on arn:aws:ssm:eu-central-1:123456789012:parameter${name}`,
  );
  return [...grants, ...parameters];
}

const KEEP_FAILED = [`s3:PutObject on ${ARNS.bucket}/aws/lambda/*`, `s3:ListBucket on ${ARNS.bucket}`];
/** What a worker may do beyond its needs: read the stream, and keep what it cannot process in the bucket. */
const OF_SOURCE = {
  stream: [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
      (action) => `dynamodb:${action} on ${ARNS.table}/stream`,
    ),
    ...KEEP_FAILED,
  ],
  'mail-events': KEEP_FAILED,
  schedule: [],
};

describe.for(STAGE_NAMES)('the roles of %s', (stageName) => {
  const { stage, all } = readDeployed(stageName);
  const roles = all('iam.Role');
  /** What a role allows, one text for each action on a resource. */
  const listAllowed = (name: string): string[] =>
    readStatements(roles.get(name) ?? {}).flatMap(({ Action, Resource, Condition }) => {
      const conditions = Object.entries(Condition).flatMap(([kind, keys]) =>
        Object.entries(keys ?? {}).map(([key, values]) => ` if ${key} ${kind} ${values}`),
      );
      return Action.flatMap((action) => Resource.map((resource) => `${action} on ${resource}${conditions.join('')}`));
    });

  test('allow functions what they need, and nothing else', () => {
    for (const { name, needs, ...deployed } of allFunctions) {
      const ofSource = 'source' in deployed ? OF_SOURCE[deployed.source.type] : [];
      const demanded = new Set([...listDemanded(stage, needs), ...ofSource]);
      expect([...new Set(listAllowed(`${name}Role`))].sort(), name).toEqual([...demanded].sort());
    }
  });

  test('allow schedules to invoke their worker, and nothing else', () => {
    for (const [name, { target }] of all('scheduler.Schedule')) {
      const { arn, roleArn } = z.object({ arn: z.string(), roleArn: z.string() }).parse(target);
      const role = name.replace(/Schedule$/, 'Role');
      expect([roleArn, listAllowed(role)], name).toEqual([
        arnOf('iam.Role', role),
        [`lambda:InvokeFunction on ${arn}`],
      ]);
    }
  });

  test('have no wildcard and no grant on everything', () => {
    const allowed = [...roles.keys()].flatMap((name) => listAllowed(name).map((grant) => `${name}: ${grant}`));
    expect(allowed.filter((grant) => /\* on | on \*(?: if |$)/.test(grant))).toEqual([]);
  });

  test('of functions are assumed by Lambda for their function only, and have no managed policy but that for logs', () => {
    for (const { name } of allFunctions) {
      const { assumeRolePolicy, managedPolicyArns } = roles.get(`${name}Role`) ?? {};
      const trust = typeof assumeRolePolicy === 'string' ? JSON.parse(assumeRolePolicy) : assumeRolePolicy;
      expect(Trust.parse(trust).Statement, name).toEqual([{ Principal: { Service: 'lambda.amazonaws.com' } }]);
      expect(managedPolicyArns, name).toEqual([BASIC_EXECUTION]);
      expect(all('lambda.Function').get(`${name}Function`)?.role, name).toBe(arnOf('iam.Role', `${name}Role`));
    }
  });

  test('have policies within the limit of IAM', () => {
    for (const [name, role] of roles) {
      expect(readPolicies(role).join('').length, name).toBeLessThanOrEqual(MAX_ROLE_POLICY);
    }
  });
});
