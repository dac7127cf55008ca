/**
 * The outermost layer of a request, as middy middleware: every answer carries `x-request-id`, every thrown problem
 * becomes an RFC 9457 answer, and every request leaves one log line without answers, tokens or addresses in it.
 */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Declaration } from '#core/api/declare.ts';
import { StorageBusy } from '#core/db/table.ts';
import type { HttpAnswer } from './idempotency.ts';
import { log } from './log.ts';
import { Problem, problemBody, problems } from './problems.ts';

/** The middleware of an operation. */
export function observed(declaration: Declaration): MiddlewareObj<APIGatewayProxyEventV2, HttpAnswer> {
  const startedAt = new WeakMap<object, number>();
  const finish = (event: APIGatewayProxyEventV2, answer: HttpAnswer, cause?: unknown): void => {
    const requestId = event.requestContext.requestId;
    answer.headers['x-request-id'] = requestId;
    log({
      level: answer.statusCode >= 500 ? 'error' : 'info',
      requestId,
      operation: `${declaration.noun}.${declaration.name}`,
      status: answer.statusCode,
      durationMs: Math.round(performance.now() - (startedAt.get(event) ?? performance.now())),
      ...(cause === undefined ? {} : { cause: causeText(cause) }),
    });
  };
  return {
    before: (request) => {
      startedAt.set(request.event, performance.now());
    },
    after: (request) => {
      if (request.response) finish(request.event, request.response);
    },
    onError: (request) => {
      const problem = problemOf(request.error, request.event.requestContext.requestId);
      request.response = problemAnswer(problem, request.event.rawPath);
      finish(request.event, request.response, problem.status >= 500 ? request.error : undefined);
    },
  };
}

/** The problem that an error is told as. */
function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof Problem) return error;
  return error instanceof StorageBusy ? problems.unavailable(error) : problems.internal(requestId, error);
}

const problemAnswer = (problem: Problem, path: string): HttpAnswer => ({
  statusCode: problem.status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
  body: JSON.stringify(problemBody(problem, path)),
});

const causeText = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
