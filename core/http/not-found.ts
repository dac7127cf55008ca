/** The response to requests that match no route, instead of API Gateway's own. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Problem, problemBody } from '#core/problems/problems.ts';
import type { HttpResponse } from './result.ts';

/** Responds with a 404 problem. */
export async function respondNotFound({ rawPath, requestContext }: APIGatewayProxyEventV2): Promise<HttpResponse> {
  const problem = new Problem('not_found', `There is no operation ${requestContext.http.method} ${rawPath}.`);
  return {
    statusCode: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestContext.requestId,
    },
    body: JSON.stringify(problemBody(problem, rawPath)),
  };
}
