/** The chain of steps that operations and pages share, with a time limit and the app of a request. */
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Need } from '#core/api/declare.ts';
import { loadSecrets } from '#core/aws/secrets.ts';
import { inRequestContext } from '#core/db/request-context.ts';
import { StorageBusy } from '#core/db/table.ts';
import { app } from './app.ts';
import { restrictTo } from './needs.ts';
import type { HttpResponse } from './result.ts';
import type { State, Step, StepContext } from './state.ts';

export type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResponse>;

/** A handler is stopped this long before the timeout of the function, to respond with 503. */
const EARLY_TIMEOUT_MS = 1_000;
/** The budget of a request without a Lambda context, as in tests. */
const DEFAULT_BUDGET_MS = 15_000;

/** Creates a Lambda handler from steps, outermost first, and the handler at their end. */
export function createHandler(
  steps: readonly Step[],
  run: (event: APIGatewayProxyEventV2, context: StepContext) => Promise<HttpResponse>,
): LambdaHandler {
  const chain = middy<APIGatewayProxyEventV2, HttpResponse, Error, StepContext, State>({
    timeoutEarlyInMillis: EARLY_TIMEOUT_MS,
    timeoutEarlyResponse: () => {
      throw new StorageBusy(new Error('the request ran out of time'));
    },
  })
    .use([...steps])
    .handler(run);
  return (event, context) => {
    const deadline = performance.now() + (context?.getRemainingTimeInMillis?.() ?? DEFAULT_BUDGET_MS);
    // `useApp` adds the state to the context.
    return inRequestContext({ calls: 0, capacityUnits: 0, deadline }, () => chain(event, context as StepContext));
  };
}

/**
 * Gives the request the app, restricted to some needs, with their secrets; `name` is for errors. The key that signs access
 * tokens is read by the app when it signs the first one: every page may renew a session but few requests do, so a burst of
 * cold starts stays within the 40 reads a second of SSM.
 */
export function useApp(name: string, needs: readonly Need[]): Step {
  const restrict = restrictTo(name, needs);
  return {
    before: async ({ context, internal }) => {
      await loadSecrets(needs.filter((need) => need !== 'tokens:sign'));
      internal.app = restrict(app());
      // The handler of middy receives the context only, not the request of the middlewares.
      context.state = internal;
    },
  };
}
