/** Compares what was called with what our own policies allow, as IAM evaluates them. */
import * as z from 'zod';
import type { DeployedFunction } from '#stacks/functions.ts';
import { type Target as GrantTarget, listGrants } from '#stacks/grants.ts';
import type { Resource } from '#test/deployment/synthesis/synthesize.ts';
import type { Call } from './calls.ts';
import { arnOf } from './ministack.ts';

const Statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.array(z.string()),
  Resource: z.array(z.string()),
  Condition: z.record(z.string(), z.record(z.string(), z.array(z.string()))).default({}),
});
type Statement = z.output<typeof Statement>;
const Policy = z.object({ Statement: z.array(Statement) });
const Role = z.object({ name: z.string(), inlinePolicies: z.array(z.object({ policy: z.string() })).default([]) });

type Resources = readonly Resource[];
/** The calls of each function. */
export type Calls = ReadonlyMap<string, ReadonlyMap<string, Call>>;
/** A function by the name that it has in the program, with the statements of its role. */
export type Granted = { name: string; statements: readonly Statement[] };

/** The inputs of the resources of a type; `name` is that in the program, unless the schema has one. */
const inputsOf = <T extends z.ZodType<object>>(resources: Resources, type: string, inputs: T) =>
  resources.filter((each) => each.type === type).map((each) => ({ name: each.name, ...inputs.parse(each.inputs) }));

/** The statements of the role with an ARN. */
function statementsOf(resources: Resources, roleArn: string): Statement[] {
  const role = inputsOf(resources, 'aws:iam/role:Role', Role).find(({ name }) => roleArn.endsWith(`role/${name}`));
  return role?.inlinePolicies.flatMap(({ policy }) => Policy.parse(JSON.parse(policy)).Statement) ?? [];
}

/** Whether a text matches a pattern with the wildcards of IAM. */
const matches = (pattern: string, text: string): boolean => {
  const escaped = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
};

const CONDITIONS: Readonly<Record<string, (expected: string, actual: string) => boolean>> = {
  StringEquals: (expected, actual) => expected === actual,
  StringLike: matches,
};

/** Whether a statement is about a call. Throws for a kind of condition that it does not know. */
const isAbout = ({ Action, Resource, Condition }: Statement, { action, resource, context }: Call): boolean =>
  Action.some((pattern) => matches(pattern, action)) &&
  Resource.some((pattern) => matches(pattern, resource)) &&
  Object.entries(Condition).every(([kind, keys]) => {
    const holds = CONDITIONS[kind];
    if (!holds) throw new Error(`unknown condition ${kind}`);
    return Object.entries(keys).every(([key, values]) => values.some((value) => holds(value, context?.[key] ?? '')));
  });

/** A call is allowed if a statement allows it and none denies it. */
function isAllowed(statements: readonly Statement[], call: Call): boolean {
  const effects = statements.filter((each) => isAbout(each, call)).map(({ Effect }) => Effect);
  return effects.length > 0 && !effects.includes('Deny');
}

const LambdaFunction = z.object({ role: z.string(), name: z.string() });

/** The functions of a deployment. */
export const functionsOf = (resources: Resources) =>
  resources
    .filter(({ type }) => type === 'aws:lambda/function:Function')
    .map(({ name, inputs }) => {
      const { role, name: physicalName } = LambdaFunction.parse(inputs);
      return { name, arn: arnOf('lambda', `function:${physicalName}`), statements: statementsOf(resources, role) };
    });

/** Some functions with what their needs grant on resources of the tests, as the deployment writes it into their roles. */
export const grantedTo = (
  functions: readonly DeployedFunction[],
  arns: Readonly<Record<GrantTarget['of'], string>>,
): Granted[] =>
  functions.map(({ name, needs }) => ({
    name: `${name}Function`,
    statements: listGrants(needs).map(({ actions, targets, prefixes, fromOwnAddress }) => ({
      Effect: 'Allow' as const,
      Action: [...actions],
      Resource: targets.map(({ of, path }) => arns[of] + path),
      Condition: {
        ...(prefixes ? { StringLike: { 's3:prefix': [...prefixes] } } : {}),
        ...(fromOwnAddress ? { StringEquals: { 'ses:FromAddress': [arns.sender.replace(/^.*\//, '')] } } : {}),
      },
    })),
  }));

/** The calls that functions made and their roles do not allow. */
export const deniedCalls = (functions: readonly Granted[], calls: Calls): string[] =>
  functions.flatMap(({ name, statements }) =>
    [...(calls.get(name)?.values() ?? [])]
      .filter((call) => !isAllowed(statements, call))
      .map(({ action, resource }) => `${name} may not ${action} on ${resource}`),
  );

/** The grants of each function that made calls which none of its calls used, a line for each function. */
export const unusedGrants = (functions: readonly Granted[], calls: Calls): string[] =>
  functions.flatMap(({ name, statements }) => {
    const made = [...(calls.get(name)?.values() ?? [])];
    const grants = statements.flatMap((statement) =>
      statement.Action.flatMap((action) =>
        statement.Resource.map((resource) => ({ ...statement, Action: [action], Resource: [resource] })),
      ),
    );
    const unused = grants.filter((grant) => !made.some((call) => isAbout(grant, call)));
    if (made.length === 0 || unused.length === 0) return [];
    return [`${name}: ${unused.map(({ Action, Resource }) => `${Action} on ${Resource}`).join(', ')}`];
  });

const Permission = z.object({ function: z.string(), principal: z.string(), sourceArn: z.string() });
const Integration = z.object({ apiId: z.string(), integrationUri: z.string() });
const Target = z.object({ rule: z.string(), arn: z.string() });
const Schedule = z.object({ target: z.object({ arn: z.string(), roleArn: z.string() }) });
const Mapping = z.object({
  eventSourceArn: z.string(),
  functionName: z.string(),
  destinationConfig: z.object({ onFailure: z.object({ destinationArn: z.string() }) }),
});

/**
 * What services of AWS do for the deployment and are not allowed to: API Gateway and EventBridge by the policy of a
 * function, the scheduler by its role, and Lambda, which reads the stream and keeps failed records, by the role of the function.
 */
export const deniedServices = (resources: Resources): string[] => [
  ...inputsOf(resources, 'aws:apigatewayv2/integration:Integration', Integration)
    .filter(({ apiId, integrationUri }) => {
      const source = arnOf('execute-api', `${apiId}/$default/GET/`);
      return !mayInvoke(resources, 'apigateway.amazonaws.com', source, integrationUri);
    })
    .map(({ name, integrationUri }) => `${name} may not invoke ${integrationUri}`),
  ...inputsOf(resources, 'aws:cloudwatch/eventTarget:EventTarget', Target)
    .filter(({ rule, arn }) => !mayInvoke(resources, 'events.amazonaws.com', arnOf('events', `rule/${rule}`), arn))
    .map(({ name, arn }) => `${name} may not invoke ${arn}`),
  ...inputsOf(resources, 'aws:scheduler/schedule:Schedule', Schedule)
    .filter(({ target }) => {
      const call = { action: 'lambda:InvokeFunction', resource: target.arn };
      return !isAllowed(statementsOf(resources, target.roleArn), call);
    })
    .map(({ name, target }) => `${name} may not invoke ${target.arn}`),
  ...inputsOf(resources, 'aws:lambda/eventSourceMapping:EventSourceMapping', Mapping).flatMap(
    ({ name, functionName, eventSourceArn, destinationConfig: { onFailure } }) => {
      const called = functionsOf(resources).find(({ arn }) => arn === functionName);
      const calls: Call[] = [
        ...READ_STREAM.map((action) => ({ action, resource: eventSourceArn })),
        { action: 's3:PutObject', resource: `${onFailure.destinationArn}/aws/lambda/record` },
        { action: 's3:ListBucket', resource: onFailure.destinationArn },
      ];
      return calls
        .filter((call) => !isAllowed(called?.statements ?? [], call))
        .map(({ action, resource }) => `${name} may not ${action} on ${resource}`);
    },
  ),
];

const READ_STREAM = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (action) => `dynamodb:${action}`,
);

/** Whether the policy of a function allows a service to invoke it on behalf of a source. */
const mayInvoke = (resources: Resources, service: string, source: string, arn: string): boolean =>
  inputsOf(resources, 'aws:lambda/permission:Permission', Permission).some(
    (each) =>
      each.principal === service &&
      matches(each.sourceArn, source) &&
      (each.function === arn || arn.endsWith(`:function:${each.function}`)),
  );
