/** Turns errors into problem responses (RFC 9457): problems as they are, busy storage as 503, anything else as 500. */
import { StorageBusy, WriteConflict } from '#core/db/table.ts';
import { Problem, problemBody, problems } from '#core/problems/problems.ts';
import type { HttpResponse } from '../result.ts';
import type { Step } from '../state.ts';

/** Responds to an error with a problem. Keeps a response that another step has made from the error. */
export const problemResponse = (): Step => ({
  onError: (request) => {
    if (request.response || !request.error) return;
    const problem = toProblem(request.error, request.event.requestContext.requestId);
    request.error = problem;
    request.response = toProblemResponse(problem, request.event.rawPath);
  },
});

/** Converts an error to the problem that reports it. */
export function toProblem(error: Error, requestId: string): Problem {
  if (error instanceof Problem) return error;
  const isBusy = error instanceof StorageBusy || error instanceof WriteConflict;
  return isBusy ? problems.unavailable(error) : problems.internal(requestId, error);
}

const toProblemResponse = (problem: Problem, path: string): HttpResponse => ({
  statusCode: problem.status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
  ...(problem.cookies.length > 0 ? { cookies: [...problem.cookies] } : {}),
  body: JSON.stringify(problemBody(problem, path)),
});
