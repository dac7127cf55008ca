/**
 * How an operation is declared: plain data from which the route, the validation, the answer check, the OpenAPI
 * operation, the typed client, the grants and the table-driven tests all follow (architecture section 2).
 * The declarations stand in one file per noun beside this one; `index.ts` gathers them.
 */
import * as z from 'zod';
import { LoginProvider } from '#core/accounts/model.ts';
import { Slug } from '#core/organizations/model.ts';
import type { ProblemStatus } from '#core/problems/problems.ts';
import { Id, schema } from '#core/schema/schema.ts';
import { ConnectProvider } from '#core/structure/question-model.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a caller can be to the thing that an operation addresses. `creator` is a member who created it,
 * `owner` started the response, `reader` may only know it.
 */
export type Role = 'operator' | 'admin' | 'member' | 'creator' | 'owner' | 'reader';

/** What an operation needs of the world; grants are derived from it, and a test holds it against real use. */
export type Need =
  | 'table:read'
  | 'table:list'
  | 'table:write'
  | 'tokens:sign'
  /** Objects of the bucket; `files:list` is to remove all that belongs to something. */
  | 'files:read'
  | 'files:write'
  | 'files:remove'
  | 'files:list'
  /** Calls to providers of identities. */
  | 'providers:call';

/** Who may call. */
export type Access = {
  /** `none`: everybody. `refresh`: the refresh cookie. `user`: an access token. */
  credential: 'none' | 'refresh' | 'user';
  /** The caller must have chosen a username first (contract section 2). */
  onboarded?: true;
  /** What the path addresses; who may not know it gets the 404 of a missing thing. */
  target?: 'organization' | 'unit' | 'form' | 'view' | 'response' | 'file';
  /** Who of those that know the target may do this; without it, all of them. */
  roles?: readonly Role[];
};

type AnySchema = () => z.ZodType;
type ObjectSchema = () => z.ZodObject;

/** The answer of an operation that went well. */
export type Success = {
  status: 200 | 201 | 202 | 204 | 302;
  description: string;
  /** The JSON body; without it the body is empty, or binary when `contentType` is given. */
  body?: AnySchema;
  /** `text/html` is a page; anything else a file to be saved. */
  contentType?: string;
  etag?: true;
  /** Cookies are set. */
  cookies?: true;
  /** A bare array that may go on: its cursor is in `Link`. */
  link?: true;
};

/** Files that a multipart body carries. */
export type PartsSpec = {
  name: string;
  /** How many at most; one is described as one, more as a list. */
  max: number;
  description: string;
  /** What to do with files that are too large for a request body. */
  otherwise: string;
};

export type Spec = {
  method: Method;
  /** Below `/api`; parameters in braces are names of `PATH_PARAMETERS`. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  needs: readonly Need[];
  query?: ObjectSchema;
  body?: AnySchema;
  /** The body may be multipart instead: files in parts of one name. */
  parts?: PartsSpec;
  /** The body may be left out altogether. */
  bodyOptional?: true;
  success: Success;
  /** Another way in which it can go well. */
  otherSuccess?: Success;
  /** Problems beyond those that follow from access, parameters and body, and why. */
  problems?: Partial<Record<ProblemStatus, string>>;
  /** Takes `Idempotency-Key`. */
  idempotent?: true;
  /** Takes `If-Match`. */
  ifMatch?: true;
  example?: { body?: unknown; answer?: unknown };
};

export type Declaration<S extends Spec = Spec> = S & { noun: string; name: string };

/** Declares the operations of a noun; each learns its name, by which its handler file is found. */
export function declare<const N extends string, const T extends Record<string, Spec>>(
  noun: N,
  specs: T,
): { [K in keyof T]: T[K] & { noun: N; name: K & string } } {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, noun, name }])) as {
    [K in keyof T]: T[K] & { noun: N; name: K & string };
  };
}

/** The handler file of an operation: `forms.createForm` is `functions/forms/create-form.ts`. */
export const handlerFile = (operation: { noun: string; name: string }): string =>
  `functions/${operation.noun}/${kebabCase(operation.name)}.ts`;

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Every parameter that a path may have, and what it must look like. */
export const PATH_PARAMETERS = {
  slug: Slug,
  formId: Id,
  sectionId: Id,
  questionId: Id,
  nodeId: Id,
  responseId: Id,
  memberId: Id,
  unitId: Id,
  childId: Id,
  viewId: Id,
  fileId: Id,
  oauthProvider: LoginProvider,
  provider: ConnectProvider,
} as const satisfies Record<string, AnySchema>;

export type PathParameter = keyof typeof PATH_PARAMETERS;

/** The names of the parameters in a path. */
export type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** The names of the parameters in a path, in order. */
export const parameterNames = (path: string): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    if (name !== undefined && isPathParameter(name)) return name;
    throw new Error(`${path} has a parameter that PATH_PARAMETERS does not know: ${name}`);
  });

const isPathParameter = (name: string): name is PathParameter => Object.hasOwn(PATH_PARAMETERS, name);

/** The answer of an operation as its caller sees it. */
export type Answer<D extends Spec> = D['success'] extends { body: infer B extends AnySchema }
  ? z.output<ReturnType<B>>
  : undefined;
/** The body of an operation as its caller writes it. */
export type BodyInput<D extends Spec> = D extends { body: infer B extends AnySchema }
  ? z.input<ReturnType<B>>
  : undefined;
/** The body of an operation as its handler reads it; undefined when files came in its place. */
export type Body<D extends Spec> = D extends { body: infer B extends AnySchema }
  ? D extends { bodyOptional: true } | { parts: PartsSpec }
    ? z.output<ReturnType<B>> | undefined
    : z.output<ReturnType<B>>
  : undefined;
export type QueryInput<D extends Spec> = D extends { query: infer Q extends ObjectSchema }
  ? z.input<ReturnType<Q>>
  : undefined;
export type Query<D extends Spec> = D extends { query: infer Q extends ObjectSchema }
  ? z.output<ReturnType<Q>>
  : undefined;

/** Which problems an operation may answer, each with its reason: the stated ones and those that follow. */
export function problemsOf(spec: Spec): Map<ProblemStatus, string> {
  const all = new Map<ProblemStatus, string>();
  const takesInput = spec.path.includes('{') || spec.query || spec.body || spec.idempotent;
  if (takesInput) all.set(400, 'A path parameter, the query or the body is not as described; `errors` says where.');
  if (spec.access.credential !== 'none') all.set(401, 'The credential is missing, malformed, expired or revoked.');
  if (spec.access.roles) all.set(403, `The caller is none of: ${spec.access.roles.join(', ')}.`);
  if (spec.access.onboarded) all.set(403, 'The caller has not chosen a username yet.');
  if (spec.method !== 'GET' && !all.has(403)) all.set(403, 'The `Origin` of a request with cookies is not allowed.');
  if (spec.access.target) all.set(404, 'There is no such thing, or the caller may not know of it.');
  const conflicts = [
    ...(spec.idempotent
      ? ['The `Idempotency-Key` was used with another request, or its first request still runs.']
      : []),
    ...(spec.ifMatch ? ['`If-Match` is stale.'] : []),
  ];
  if (conflicts.length > 0) all.set(409, conflicts.join(' '));
  if (spec.body) {
    all.set(413, 'The body or what it would make is larger than the stated limit.');
    all.set(415, spec.parts ? 'A part is not a file.' : 'The body is multipart where JSON is asked for.');
  }
  for (const [status, why] of Object.entries(spec.problems ?? {})) all.set(Number(status) as ProblemStatus, why);
  all.set(500, 'A defect; the detail holds the request id only.');
  if (!all.has(503)) all.set(503, 'Storage is busy; repeat later.');
  return new Map([...all].sort(([a], [b]) => a - b));
}

/** The problem object as every error answers it. */
export const ProblemObject = schema(() =>
  z
    .object({
      type: z.literal('about:blank'),
      title: z.string().describe('The name of the status.'),
      status: z.int().min(400).max(599),
      detail: z.string().describe('What is wrong and what to do, for people.'),
      instance: z.string().describe('The path of the request.'),
      code: z
        .string()
        .regex(/^[a-z_]+$/)
        .describe('What is wrong, for programs; it does not change.'),
      errors: z
        .array(z.object({ pointer: z.string().describe('A JSON pointer into the request.'), detail: z.string() }))
        .optional()
        .describe('Each fault of the request.'),
    })
    .meta({ id: 'Problem' }),
);
