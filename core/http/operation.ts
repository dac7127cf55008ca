/**
 * The life of every request. `operation()` makes a Lambda handler of a declaration, an opener and a rule; what a
 * handler file says is only what is its own. The order of checks is the contract's (section 1): credential (401),
 * the thing addressed exists and the caller may know it (404), the caller's role (403), path, query and body
 * (400/413/415), then the state, which the rule itself judges.
 */
import { createHash } from 'node:crypto';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import {
  type Access,
  type Answer,
  type Body,
  type Declaration,
  PATH_PARAMETERS,
  type ParametersOf,
  parameterNames,
  type Query,
  type Role,
} from '#core/api/declare.ts';
import { withMeter } from '#core/aws/meter.ts';
import type { Caller } from '#core/identity/tokens.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { type App, app } from './app.ts';
import { authenticate, checkOrigin } from './credential.ts';
import { type HttpAnswer, once } from './idempotency.ts';
import { guarded } from './needs.ts';
import { type Observation, observationOf, observed } from './observe.ts';
import { check, filesOf, header, isMultipart, jsonBody, type Part, queryOf } from './request.ts';
import { answerOf, type Reply } from './result.ts';

/** What an opener is asked: the raw path parameters, who calls, and what the declaration says of access. */
export type Call = { params: Readonly<Record<string, string>>; user: Caller | undefined; access: Access; app: App };
/** What an opener found: the things addressed, and what the caller is to them. */
export type Opened<T> = { thing: T; roles: readonly Role[]; onboarded?: boolean };
/** Loads what a path addresses; throws 404 when it is absent or not the caller's to know, 400 for a malformed id. */
export type Opener<T extends object> = (call: Call) => Promise<Opened<T>>;

/** What a rule is given beside the things opened. */
export type Request<D extends Declaration> = {
  params: Record<ParametersOf<D['path']>, string>;
  query: Query<D>;
  body: Body<D>;
  /** The files of a multipart body; then there is no other body. */
  parts: readonly Part[] | undefined;
  app: App;
  /** Throws 409 when the caller's `If-Match` does not name this version; without the header anything goes. */
  ifMatch(version: number): void;
  event: APIGatewayProxyEventV2;
};

export type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpAnswer>;

/** Makes the Lambda handler of an operation. */
export function operation<const D extends Declaration, T extends object>(
  declaration: D,
  open: Opener<T>,
  run: (request: Request<D> & T) => Promise<Reply<Answer<D>>>,
): LambdaHandler {
  const names = parameterNames(declaration.path);
  const live = async (event: APIGatewayProxyEventV2, observation: Observation): Promise<HttpAnswer> => {
    const world = guarded(app(), declaration);
    const user = await authenticate(event, declaration.access, world);
    if (user) observation.userId = user.id;
    checkOrigin(event, declaration.method, world);
    const params = event.pathParameters ?? {};
    const raw = Object.fromEntries(names.map((name) => [name, params[name] ?? '']));
    const opened = await open({ params: raw, user, access: declaration.access, app: world });
    admit(declaration.access, opened);
    const input = await readInput(declaration, raw, event);
    const perform = async (inside: App): Promise<HttpAnswer> => {
      const request = { ...input, app: inside, ifMatch: ifMatchOf(event), event, ...opened.thing };
      return answerOf(declaration, await run(request as unknown as Request<D> & T), event);
    };
    const key = declaration.idempotent ? header(event, 'idempotency-key') : undefined;
    if (key === undefined || user === undefined) return perform(world);
    const sent = input.parts?.map(({ bytes, ...about }) => ({ ...about, hash: hashOf(bytes) })) ?? input.body ?? null;
    const request = JSON.stringify([declaration.noun, declaration.name, raw, event.rawQueryString, sent]);
    return once(world, { userId: user.id, key, request }, perform);
  };
  const handle = (event: APIGatewayProxyEventV2): Promise<HttpAnswer> => {
    const observation = observationOf(event);
    return withMeter(observation.meter, () => live(event, observation));
  };
  return middy<APIGatewayProxyEventV2, HttpAnswer>()
    .use(observed(declaration))
    .handler(handle) as unknown as LambdaHandler;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

/** 403 when the caller is none of those who may. */
function admit(access: Access, opened: Opened<object>): void {
  if (access.onboarded && !opened.onboarded) {
    throw problems.forbidden('Choose a username and a name first: PUT /api/users/onboarding', 'onboarding_required');
  }
  if (!access.roles || access.roles.some((role) => opened.roles.includes(role))) return;
  throw problems.forbidden(`You may know this, but doing this needs one of: ${access.roles.join(', ')}`);
}

/** Path, query and body by their schemas; all faults together. */
async function readInput(declaration: Declaration, raw: Record<string, string>, event: APIGatewayProxyEventV2) {
  const faults: Fault[] = [];
  const take = <T>(result: { value: T } | { faults: Fault[] }): T | undefined => {
    if ('value' in result) return result.value;
    faults.push(...result.faults);
    return undefined;
  };
  for (const name of parameterNames(declaration.path)) {
    const result = check('path', PATH_PARAMETERS[name](), raw[name]);
    if ('faults' in result) faults.push(...result.faults.map((fault) => ({ ...fault, pointer: `/path/${name}` })));
  }
  const query = declaration.query?.();
  const parsedQuery = query ? take(check('query', query, queryOf(event, listNames(query)))) : undefined;
  const parts = declaration.parts && isMultipart(event) ? await filesOf(event, declaration.parts) : undefined;
  const body = parts ? undefined : declaration.body?.();
  const rawBody = body ? jsonBody(event) : undefined;
  const left = rawBody === undefined && declaration.bodyOptional;
  const parsedBody = body && !left ? take(check('body', body, rawBody)) : undefined;
  if (faults.length > 0) throw problems.invalid(faults);
  return { params: raw, query: parsedQuery, body: parsedBody, parts };
}

/** The names of those query parameters that are lists. */
function listNames(query: { shape: Record<string, unknown> }): ReadonlySet<string> {
  return new Set(Object.keys(query.shape).filter((name) => isList(query.shape[name])));
}

function isList(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || !('def' in schema)) return false;
  const def = schema.def;
  if (typeof def !== 'object' || def === null || !('type' in def)) return false;
  return def.type === 'array' || ('innerType' in def && isList(def.innerType));
}

/** The `If-Match` check of a request. */
function ifMatchOf(event: APIGatewayProxyEventV2): (version: number) => void {
  const given = header(event, 'if-match');
  if (given === undefined || given.trim() === '*') return () => undefined;
  const tags = new Set(given.split(',').map((tag) => tag.trim()));
  return (version) => {
    if (!tags.has(`"${version}"`)) throw problems.stale();
  };
}
