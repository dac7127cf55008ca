/**
 * The event filters of Lambda for DynamoDB streams, with the operators that this project uses. Others are refused, so
 * that no filter means one thing here and another on AWS.
 */
import type { DynamoDBRecord } from 'aws-lambda';
import type { FilterPattern } from '#core/api/workers.ts';

/** Returns a function that says whether a record passes one of some filters. Throws when one uses an unknown operator. */
export function compileFilters(patterns: readonly FilterPattern[]): (record: DynamoDBRecord) => boolean {
  const tests = patterns.map((pattern) => compile(pattern, 'record'));
  return (record) => tests.some((test) => test(record));
}

type Test = (value: unknown) => boolean;

/** A pattern is an object of patterns, all of which must match, or a list of alternatives for one value. */
function compile(pattern: unknown, path: string): Test {
  if (Array.isArray(pattern)) {
    const alternatives = pattern.map((alternative) => compileAlternative(alternative, path));
    return (value) => alternatives.some((test) => test(value));
  }
  if (!isRecord(pattern))
    throw new Error(`A filter has ${JSON.stringify(pattern)} at ${path}, not a list or an object.`);
  const members = Object.entries(pattern).map(([name, member]) => [name, compile(member, `${path}.${name}`)] as const);
  return (value) => members.every(([name, test]) => test(isRecord(value) ? value[name] : undefined));
}

function compileAlternative(alternative: unknown, path: string): Test {
  if (!isRecord(alternative)) return (value) => value === alternative;
  const [[operator, operand] = [], ...others] = Object.entries(alternative);
  if (others.length === 0 && operator === 'exists' && typeof operand === 'boolean')
    return (value) => (value !== undefined) === operand;
  if (others.length === 0 && operator === 'prefix' && typeof operand === 'string')
    return (value) => typeof value === 'string' && value.startsWith(operand);
  throw new Error(
    `The filter of ${path} has ${JSON.stringify(alternative)}: only values, exists and prefix are supported.`,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
