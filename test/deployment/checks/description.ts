/** The description of a deployment that the checks read, and how they find what they look for in it. */
import * as z from 'zod';
import type { Bundle } from '#stacks/build/bundle.ts';
import type { ApiFunction, DeployedFunction, WorkerFunction } from '#stacks/functions.ts';
import type { Stage } from '#stacks/settings.ts';
import type { Resource, Synthesized } from '#test/deployment/synthesis/synthesize.ts';

export type Description = Synthesized & {
  stage: Stage;
  /** What the deployment should consist of. */
  functions: readonly (DeployedFunction | ApiFunction | WorkerFunction)[];
  bundles: readonly Bundle[];
};

/** A sentence that names the resource and what is wrong with it. */
export type Fault = string;
export type Check = (description: Description) => Fault[];

/** The resources of a type, such as `aws:lambda/function:Function`. */
export const ofType = ({ resources }: Synthesized, type: string): Resource[] =>
  resources.filter((resource) => resource.type === type);

/** The inputs of resources of a type, parsed with a schema; inputs that do not fit become faults in `parse`. */
export const inputsOf = <T extends z.ZodType>(
  description: Synthesized,
  type: string,
  schema: T,
): { name: string; inputs: z.output<T> }[] =>
  ofType(description, type).map(({ name, inputs }) => {
    const parsed = schema.safeParse(inputs);
    if (parsed.success) return { name, inputs: parsed.data };
    throw new Error(`${name} (${type}): ${z.prettifyError(parsed.error)}`);
  });

/** The only resource of a type. Throws when there is none or more than one. */
export function onlyOne<T extends z.ZodType>(description: Synthesized, type: string, schema: T): z.output<T> {
  const [first, ...others] = inputsOf(description, type, schema);
  if (!first || others.length > 0) throw new Error(`there are ${others.length + (first ? 1 : 0)} resources of ${type}`);
  return first.inputs;
}

/** Compares with what is expected, as JSON. */
export const differing = (what: string, actual: unknown, expected: unknown): Fault[] =>
  JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`];

/** The faults of two sets of names. */
export const differingSets = (what: string, actual: Iterable<string>, expected: Iterable<string>): Fault[] => {
  const [has, should] = [new Set(actual), new Set(expected)];
  return [
    ...[...should].filter((name) => !has.has(name)).map((name) => `${what} lacks ${name}`),
    ...[...has].filter((name) => !should.has(name)).map((name) => `${what} has ${name}, which nothing needs`),
  ];
};

/** A deployed function with the name that it has in the code: `FormsCreateForm` for `FormsCreateFormFunction`. */
export const LambdaFunction = z.object({
  description: z.string(),
  handler: z.string(),
  s3Key: z.string(),
  runtime: z.string(),
  architectures: z.array(z.string()),
  memorySize: z.number(),
  timeout: z.number(),
  reservedConcurrentExecutions: z.number().optional(),
  loggingConfig: z.object({ logFormat: z.string(), logGroup: z.string() }),
  environment: z.object({ variables: z.record(z.string(), z.string()).default({}) }),
});

/** The deployed functions by the name that they have in the code. */
export const lambdasOf = (description: Synthesized): Map<string, z.output<typeof LambdaFunction>> =>
  new Map(
    inputsOf(description, 'aws:lambda/function:Function', LambdaFunction).map(({ name, inputs }) => [
      name.replace(/Function$/, ''),
      inputs,
    ]),
  );

/** The ARN that the mocks give a resource. */
export const arnOf = (type: string, name: string): string => `arn:aws:mock:eu-central-1:123456789012:${type}/${name}`;
