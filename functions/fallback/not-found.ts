/** The function of requests that match no route: a page for browsers, a problem for clients of the API. */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { anyone } from '#core/accounts/accounts.ts';
import type { LambdaHandler } from '#core/http/chain.ts';
import { header } from '#core/http/request.ts';
import type { HttpResponse } from '#core/http/result.ts';
import { missingPage } from '#core/pages/shell/declare-page.ts';
import { page } from '#core/pages/shell/page.ts';
import { Problem, problemBody, problems } from '#core/problems/problems.ts';

const showMissing = page(missingPage, anyone, () => {
  throw problems.notFound();
});

/** Responds with a 404 problem. */
function respondNotFound({ rawPath, requestContext }: APIGatewayProxyEventV2): HttpResponse {
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

export const handler: LambdaHandler = async (event, context) => {
  const isApiPath = /^\/api(?:\/|$)/.test(event.rawPath);
  const acceptsPages = header(event, 'accept')?.includes('text/html') ?? false;
  return acceptsPages && !isApiPath ? showMissing(event, context) : respondNotFound(event);
};
