/** Counts the calls and capacity units of each request, in a middleware of the SDK client that sees every call. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { requestContext } from '#core/db/request-context.ts';

/** Adds middleware that requests the consumed capacity of each call and adds it to the request context. */
export function countCapacity(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' as const };
      const result = await next({ ...args, input });
      const context = requestContext();
      if (context) {
        context.calls += 1;
        context.capacityUnits += unitsOf(result.output);
      }
      return result;
    },
    { step: 'initialize', name: 'countCapacity', priority: 'low' },
  );
}

function unitsOf(output: object): number {
  const consumed: unknown = Reflect.get(output, 'ConsumedCapacity');
  const parts = Array.isArray(consumed) ? consumed : [consumed];
  return parts.reduce((sum: number, part: unknown) => {
    const units: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'CapacityUnits') : undefined;
    return sum + (typeof units === 'number' ? units : 0);
  }, 0);
}
