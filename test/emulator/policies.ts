/** Compares what was called with what our own policies allow, as IAM evaluates them. */
import * as z from 'zod';
import type { DeployedFunction } from '#stacks/functions.ts';
import { listGrants, type Target } from '#stacks/grants.ts';
import type { Resource } from '#test/deployment/synthesis/synthesize.ts';
import type { Call } from './calls.ts';

const Values = z.record(z.string(), z.array(z.string()));
/** Statements of other effects, and conditions of other kinds, are not known. */
const Statement = z.object({
  ...{ Effect: z.literal('Allow'), Action: z.array(z.string()), Resource: z.array(z.string()) },
  Condition: z.strictObject({ StringLike: Values, StringEquals: Values }).partial().default({}),
});
export type Statement = z.output<typeof Statement>;
const Policy = z.object({ Statement: z.array(Statement) });
const Role = z.object({ inlinePolicies: z.array(z.object({ policy: z.string() })).default([]) });

/** Reads the inline policies in the inputs of a role. */
export const readPolicies = (inputs: unknown): string[] =>
  Role.parse(inputs).inlinePolicies.map(({ policy }) => policy);

/** Reads the statements of these. */
export const readStatements = (inputs: unknown): Statement[] =>
  readPolicies(inputs).flatMap((policy) => Policy.parse(JSON.parse(policy)).Statement);

/** The statements that allow somebody something, and the calls that somebody made, both by name. */
export type Granted = ReadonlyMap<string, readonly Statement[]>;
export type Calls = ReadonlyMap<string, ReadonlyMap<string, Call>>;

/** The roles of a deployment by the name of who assumes it: `FormsGetForm` for `FormsGetFormRole`. */
export const rolesOf = (resources: readonly Resource[]): Granted =>
  new Map(
    resources
      .filter(({ type }) => type === 'aws:iam/role:Role')
      .map(({ name, inputs }) => [name.replace(/Role$/, ''), readStatements(inputs)]),
  );

/** Some functions with what their needs grant on resources of the tests, as the deployment writes it into their roles. */
export const grantedTo = (
  functions: readonly DeployedFunction[],
  arns: Readonly<Record<Target['of'], string>>,
): Granted =>
  new Map(
    functions.map(({ name, needs }) => [
      name,
      listGrants(needs).map(({ actions, targets, prefixes, fromOwnAddress }) => ({
        ...{ Effect: 'Allow', Action: [...actions], Resource: targets.map(({ of, path }) => arns[of] + path) },
        Condition: {
          ...(prefixes ? { StringLike: { 's3:prefix': [...prefixes] } } : {}),
          ...(fromOwnAddress ? { StringEquals: { 'ses:FromAddress': [arns.sender.replace(/^.*\//, '')] } } : {}),
        },
      })),
    ]),
  );

/** Whether a text matches a pattern with the wildcards of IAM. */
const matches = (pattern: string, text: string): boolean => {
  const escaped = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
};

const isEqual = (expected: string, actual: string): boolean => expected === actual;

const allows = ({ Action, Resource, Condition }: Statement, { action, resource, context }: Call): boolean => {
  const holds = (compare: typeof matches, keys: z.output<typeof Values> = {}): boolean =>
    Object.entries(keys).every(([key, values]) => values.some((value) => compare(value, context?.[key] ?? '')));
  return (
    Action.some((pattern) => matches(pattern, action)) &&
    Resource.some((pattern) => matches(pattern, resource)) &&
    holds(matches, Condition.StringLike) &&
    holds(isEqual, Condition.StringEquals)
  );
};

/** The calls that somebody made and no statement allows. */
export const deniedCalls = (granted: Granted, calls: Calls): string[] =>
  [...calls].flatMap(([name, made]) =>
    [...made.values()]
      .filter((call) => !granted.get(name)?.some((statement) => allows(statement, call)))
      .map(({ action, resource }) => `${name} may not ${action} on ${resource}`),
  );

/** The actions on resources that are granted to somebody who made calls, none of which used them. */
export const listUnusedGrants = (granted: Granted, calls: Calls): string[] =>
  [...granted].flatMap(([name, statements]) => {
    const made = [...(calls.get(name)?.values() ?? [])];
    if (made.length === 0) return [];
    const single = statements.flatMap((statement) =>
      statement.Action.flatMap((action) =>
        statement.Resource.map((resource) => ({ ...statement, Action: [action], Resource: [resource] })),
      ),
    );
    return single
      .filter((statement) => !made.some((call) => allows(statement, call)))
      .map(({ Action, Resource }) => `${name}: ${Action} on ${Resource}`);
  });
