/** A small operation of a test, which is called with a real event: for the steps that all operations share. */
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type Declaration, declare, type Spec } from '#core/api/declare.ts';
import { type OperationRequest, operation } from '#core/http/operation.ts';
import type { Result } from '#core/http/result.ts';
import { toEvent } from '#stacks/local/gateway/http-to-event.ts';
import type { Person } from './fixtures.ts';

type Request = OperationRequest<Declaration> & Record<string, unknown>;
type Parts = {
  spec?: Partial<Spec>;
  /** The resources that the opener returns; or what it does. */
  opened?: Record<string, unknown> | (() => Promise<never>);
  roles?: readonly ('admin' | 'reader')[];
  run?: (request: Request) => Promise<Result<unknown>>;
  restore?: Parameters<typeof operation>[3];
};
type Call = {
  by?: Person;
  headers?: Record<string, string>;
  body?: string;
  query?: string;
  /** The time until the function's timeout. */
  remainingMs?: number;
};

const SPEC: Spec = {
  method: 'POST',
  path: '/probe',
  summary: 'Do what a test says',
  access: { credential: 'user' },
  needs: ['table:read', 'table:write'],
  success: { status: 200, description: 'The result.', body: () => z.looseObject({}) },
};

/** Makes a caller of an operation with some parts; by default it is a POST for everybody signed in. */
export function probe({ spec = {}, opened = {}, roles = [], run, restore }: Parts = {}) {
  const { test: declaration } = declare('probe', { test: { ...SPEC, ...spec } });
  const open = async () => ({ resource: typeof opened === 'function' ? await opened() : opened, roles });
  const handler = operation(
    declaration as Declaration,
    open,
    async (request) => ((await run?.(request as Request)) ?? { body: {} }) as Result<undefined>,
    restore,
  );
  return async ({ by, headers = {}, body = '', query = '', remainingMs }: Call = {}) => {
    const request = {
      method: declaration.method,
      url: `/api/probe${query && `?${query}`}`,
      headers: Object.entries({ ...(by ? { authorization: `Bearer ${by.token}` } : {}), ...headers }),
      body: Buffer.from(body),
      remoteAddress: '127.0.0.1',
      httpVersion: '1.1',
    };
    const route = { routeKey: `${declaration.method} /api/probe`, pathParameters: {} };
    const event = toEvent(request, route, new Date(), crypto.randomUUID());
    const endsAt = performance.now() + (remainingMs ?? 15_000);
    const context = { getRemainingTimeInMillis: () => endsAt - performance.now() } as Context;
    const { statusCode, headers: sent, cookies = [], body: text = '' } = await handler(event, context);
    const json: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: statusCode, headers: sent, cookies, text, json };
  };
}
