/**
 * `operation()` creates a Lambda handler from a declaration, an opener and a function. Request lifecycle: credential
 * (401), read the input, open the resource (404), role (403), faults of the input (400, 413, 415), replay of a recorded
 * result, handler, check of the result against the declaration.
 */
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Opener, Resources, Role } from '#core/access/access.ts';
import type { Body, Declaration, ParametersOf, Query, ResultBody } from '#core/api/declare.ts';
import { GUEST_COOKIES } from '#core/identity/redirects.ts';
import { problems } from '#core/problems/problems.ts';
import { acceptedLanguage } from '#core/schema/format.ts';
import type { App, RequestApp } from './app.ts';
import { createHandler, type LambdaHandler, useApp } from './chain.ts';
import { encodeCursor, identifyList } from './cursors.ts';
import { operationNeeds } from './needs.ts';
import { cookiesWith, credentialCookie, type FilePart, header } from './request.ts';
import { buildHttpResponse, type HttpResponse, type Result } from './result.ts';
import type { StepContext } from './state.ts';
import { authenticate, checkOrigin } from './steps/authenticate.ts';
import { findRecord, type Restore, replayRecord, writeWithRecord } from './steps/idempotency.ts';
import { logRequest } from './steps/log-request.ts';
import { openResource, requireRole } from './steps/open-resource.ts';
import { problemResponse } from './steps/problem-response.ts';
import { readInput, requireInput } from './steps/read-input.ts';

/** The request that a handler receives, together with the opened resources. */
export type OperationRequest<D extends Declaration> = {
  params: Record<ParametersOf<D['path']>, string>;
  query: Query<D>;
  body: Body<D>;
  /** The files of a multipart body; `body` is then undefined. */
  parts: readonly FilePart[] | undefined;
  /** The position after which a list continues, from the cursor. */
  after: string | undefined;
  app: RequestApp;
  /** The roles of the caller for the resource. */
  roles: readonly Role[];
  /** The query as it was sent, without the question mark. */
  rawQuery: string;
  /** The value of a cookie. */
  readCookie(name: string): string | undefined;
  /** The cookies with guest credentials, of this and of other forms. */
  readGuestCookies(): { name: string; value: string }[];
  /** Whether the `Accept` header names a media type. */
  accepts(mediaType: string): boolean;
  /** Whether the `Prefer` header has a preference such as `respond-async`. */
  prefers(preference: string): boolean;
};

/**
 * Creates the Lambda handler of an operation: `open` loads the resource, `run` handles the request. `restore` renews the
 * parts of a replayed body that expire.
 */
export function operation<const D extends Declaration, T extends Resources>(
  declaration: D,
  open: Opener<T, App>,
  run: (request: T & OperationRequest<D>) => Promise<Result<ResultBody<D>>>,
  restore?: Restore,
): LambdaHandler {
  return createHandler(
    [
      logRequest(declaration),
      problemResponse(),
      useApp(`${declaration.noun}.${declaration.name}`, operationNeeds(declaration)),
      authenticate(declaration),
      checkOrigin(declaration),
      findRecord(declaration),
      readInput(declaration),
      openResource(declaration, open),
      requireRole(declaration),
      requireInput(),
      replayRecord(declaration, restore),
    ],
    createFinalHandler(declaration, run),
  );
}

/** Creates the handler at the end of the chain, which runs the operation and converts its result to a response. */
const createFinalHandler =
  <D extends Declaration, T extends Resources>(
    declaration: D,
    run: (request: T & OperationRequest<D>) => Promise<Result<ResultBody<D>>>,
  ) =>
  async (event: APIGatewayProxyEventV2, { state }: StepContext): Promise<HttpResponse> => {
    const toCursor = (position: string): string => encodeCursor(identifyList(declaration, state), position);
    const toResponse = (result: Result<unknown>): HttpResponse =>
      buildHttpResponse(declaration, result, event, toCursor);
    let committed: { result: unknown; response: HttpResponse } | undefined;
    const requestApp: RequestApp = {
      ...state.app,
      ifMatch: declaration.ifMatch ? createVersionCheck(event) : () => undefined,
      language: acceptedLanguage(header(event, 'accept-language') ?? ''),
      async commit(writes, result) {
        if (!state.idempotency) await state.app.table.write(writes);
        else {
          committed = { result, response: toResponse(result as Result<unknown>) };
          await writeWithRecord(state.app, state.idempotency, writes, committed.response);
        }
        return result;
      },
    };
    const request = {
      ...state.opened.resource,
      ...state.input,
      app: requestApp,
      roles: state.opened.roles,
      rawQuery: event.rawQueryString,
      readCookie: (name: string) => credentialCookie(event, name),
      readGuestCookies: () => cookiesWith(event, GUEST_COOKIES),
      accepts: (mediaType: string) => (header(event, 'accept') ?? '').includes(mediaType),
      prefers: (preference: string) =>
        (header(event, 'prefer') ?? '').split(',').some((entry) => entry.trim().toLowerCase() === preference),
    };
    const result = await run(request as unknown as T & OperationRequest<D>);
    const response = committed && committed.result === result ? committed.response : toResponse(result);
    return event.requestContext.http.method === 'HEAD' ? { ...response, body: '' } : response;
  };

/** Creates the `ifMatch` port of a request, which throws 409 for a version that the header does not name. */
function createVersionCheck(event: APIGatewayProxyEventV2): RequestApp['ifMatch'] {
  const ifMatch = header(event, 'if-match');
  if (ifMatch === undefined) return () => undefined;
  const tags = new Set(ifMatch.split(',').map((tag) => tag.trim()));
  return (version) => {
    if (version === undefined || !(tags.has('*') || tags.has(`"${version}"`))) throw problems.stale();
  };
}
