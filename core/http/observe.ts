/**
 * The outermost layer of a request, as middy middleware: every answer carries `x-request-id`, every thrown problem
 * becomes an RFC 9457 answer, and every request leaves one log line and its metrics, without answers, tokens or
 * addresses in them.
 */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Declaration } from '#core/api/declare.ts';
import { isLogging } from '#core/aws/config.ts';
import { type Meter, newMeter } from '#core/aws/meter.ts';
import { StorageBusy } from '#core/db/table.ts';
import { Problem, problemBody, problems } from '#core/problems/problems.ts';
import type { HttpAnswer } from './idempotency.ts';
import { log } from './log.ts';
import { publish } from './metrics.ts';

/** What is noted of a request while it runs. */
export type Observation = { startedAt: number; coldStart: boolean; meter: Meter; userId?: string };

const observations = new WeakMap<object, Observation>();
let hasServed = false;

/** What is being noted of the request of an event. */
export function observationOf(event: APIGatewayProxyEventV2): Observation {
  const known = observations.get(event);
  if (known) return known;
  const fresh = { startedAt: performance.now(), coldStart: !hasServed, meter: newMeter() };
  hasServed = true;
  observations.set(event, fresh);
  return fresh;
}

/** The middleware of an operation. */
export function observed(declaration: Declaration): MiddlewareObj<APIGatewayProxyEventV2, HttpAnswer> {
  const operation = `${declaration.noun}.${declaration.name}`;
  const finish = (event: APIGatewayProxyEventV2, answer: HttpAnswer, cause?: unknown): void => {
    const { requestId } = event.requestContext;
    answer.headers['x-request-id'] = requestId;
    const { startedAt, coldStart, meter, userId } = observationOf(event);
    const durationMs = Math.round(performance.now() - startedAt);
    const measured = {
      operation,
      status: answer.statusCode,
      durationMs,
      capacityUnits: meter.capacityUnits,
      coldStart,
    };
    const level = answer.statusCode >= 500 ? 'error' : 'info';
    const why = cause === undefined ? {} : { cause: causeText(cause) };
    log({ level, requestId, ...measured, calls: meter.calls, ...(userId === undefined ? {} : { userId }), ...why });
    if (isLogging()) publish(measured);
  };
  return {
    before: (request) => {
      observationOf(request.event);
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
