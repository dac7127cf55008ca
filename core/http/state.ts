/** The state that the steps of an operation share: the `internal` object of its middy request. */
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Caller, Opened } from '#core/access/access.ts';
import type { Key } from '#core/db/keys.ts';
import type { Item } from '#core/db/table.ts';
import type { Problem } from '#core/problems/problems.ts';
import type { App } from './app.ts';
import type { FilePart } from './request.ts';
import type { HttpResponse } from './result.ts';

/** The validated input of an operation. */
export type Input = {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  parts: readonly FilePart[] | undefined;
  /** The position after which a list continues, from the cursor. */
  after: string | undefined;
};

/** The idempotency key of a request with its record. */
export type IdempotencyKey = {
  key: Key;
  /** The stored record, if any; read in parallel with the opener. */
  stored: Promise<Item | undefined>;
  /** Whether there is a record that has not expired. */
  isRepeated(): Promise<boolean>;
  /** The hash of the request: a different request with the same key is refused. */
  requestHash: string;
  /** This request has written its record. */
  isRecorded: boolean;
};

export type State = {
  app: App;
  user?: Caller;
  /** The guest of the form of the path, who may be somebody else than `user`. */
  guest?: Caller | undefined;
  params: Record<string, string>;
  opened: Opened<Record<never, never>>;
  input: Input;
  /** The faults of the input, instead of `input`. */
  inputProblem?: Problem;
  idempotency?: IdempotencyKey;
};

/** The Lambda context, with the state for the handler at the end of the chain. */
export type StepContext = Context & { state: State };

/** A step of an operation. */
export type Step = MiddlewareObj<APIGatewayProxyEventV2, HttpResponse, Error, StepContext, State>;
