/**
 * How an operation is declared: plain data from which the route, the validation, the OpenAPI operation, the typed client,
 * the IAM grants and the table-driven tests are derived. Each noun has a file of declarations next to this one; `index.ts`
 * collects them.
 */
import * as z from 'zod';
import type { Access } from '#core/access/access.ts';
import type { ObjectKind } from '#core/db/bucket.ts';
import { LoginProvider } from '#core/identity/model.ts';
import { Slug } from '#core/organizations/model.ts';
import { PROBLEM_CODES, type ProblemCode, type ProblemStatus } from '#core/problems/problems.ts';
import { DeliveryTarget } from '#core/responses/delivery-model.ts';
import { Id, schema, VersionNumber } from '#core/schema/schema.ts';
import { ConnectProvider } from '#core/structure/types/oauth-connect.ts';

/** The largest request body in bytes: Lambda's 6 MB less the overhead of base64. */
export const MAX_BODY_BYTES = 4_500_000;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A permission that an operation needs. Its IAM grants are derived from its needs; a test compares them with real use. */
export type Need =
  | 'table:read'
  | 'table:list'
  | 'table:write'
  /** Remove many items that need not be removed together. */
  | 'table:remove'
  | 'tokens:sign'
  /** Sign and open the states of OAuth authorization requests. */
  | 'states:sign'
  /** Objects of the bucket: files of answers, covers of forms, exported workbooks, assets of pages. */
  | `${ObjectKind}:${'read' | 'write'}`
  /** Remove objects of a kind. */
  | `${Exclude<ObjectKind, 'assets'>}:remove`
  /** Find and remove the objects of a deleted resource, of every kind. */
  | 'objects:remove'
  /** Requests to identity providers. */
  | 'providers:call'
  /** Send mail through SES. */
  | 'mail:send'
  /** Requests to the spreadsheet API. */
  | 'sheets:call';

type AnySchema = () => z.ZodType;
type ObjectSchema = () => z.ZodObject;

/** The response of an operation that succeeds. */
export type Success = {
  status: 200 | 201 | 202 | 204 | 302;
  description: string;
  /** The JSON body; without it the body is empty, or binary when `contentType` is given. */
  body?: AnySchema;
  /** `text/html` is a page; anything else a file to be saved. */
  contentType?: string;
  /** The other types of a file, of which the request chooses one. */
  otherContentTypes?: readonly string[];
  etag?: true;
  /** Cookies are set. */
  cookies?: true;
  /** The body is a bare array; the cursor of the next batch is in `Link`. */
  link?: true;
};

/** The files of a multipart body. */
export type PartsSpec = {
  name: string;
  /** The highest number of files. */
  max: number;
  description: string;
  /** How to send files that are too large for a request body; part of the 413. */
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
  /** The body may be omitted. */
  bodyOptional?: true;
  success: Success;
  /** A second response of an operation that succeeds. */
  otherSuccess?: Success;
  /** Problems beyond those that follow from access, parameters and body, and why. */
  problems?: Partial<Record<ProblemStatus, string>>;
  /** Takes `Idempotency-Key`. */
  idempotent?: true;
  /** Takes `If-Match`. */
  ifMatch?: true;
  /** HEAD is supported too: the same handler, a response without a body. */
  head?: true;
  /** Memory of the function in MB; 512 by default. */
  memoryMb?: number;
  /** Time limit of the function; 15 seconds by default. */
  timeoutSeconds?: number;
};

export type Declaration<S extends Spec = Spec> = S & { noun: string; name: string };

/** Declares the operations of a noun and adds its name to each, from which the path of its handler file follows. */
export function declare<const N extends string, const T extends Record<string, Spec>>(
  noun: N,
  specs: T,
): { [K in keyof T]: T[K] & { noun: N; name: K & string } } {
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, { ...spec, noun, name }])) as {
    [K in keyof T]: T[K] & { noun: N; name: K & string };
  };
}

/** Builds the path of an operation's handler file: `forms.createForm` is `functions/forms/create-form.ts`. */
export const handlerFile = (operation: { noun: string; name: string }): string =>
  `functions/${operation.noun}/${kebabCase(operation.name)}.ts`;

/** Converts a camelCase name to kebab-case. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Every path parameter with its schema. */
export const PATH_PARAMETERS = {
  slug: Slug,
  formId: Id,
  sectionId: Id,
  questionId: Id,
  nodeId: Id,
  responseId: Id,
  memberId: Id,
  guestId: Id,
  unitId: Id,
  childId: Id,
  viewId: Id,
  fileId: Id,
  exportId: Id,
  oauthProvider: LoginProvider,
  provider: ConnectProvider,
  kind: DeliveryTarget,
  version: VersionNumber,
} as const satisfies Record<string, AnySchema>;

export type PathParameter = keyof typeof PATH_PARAMETERS;

/** The names of the parameters in a path. */
export type ParametersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never;

/** Lists the names of the parameters in a path, in order. */
export const parameterNames = (path: string): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    if (name !== undefined && isPathParameter(name)) return name;
    throw new Error(`${path} has a parameter that is not in PATH_PARAMETERS: ${name}`);
  });

const isPathParameter = (name: string): name is PathParameter => Object.hasOwn(PATH_PARAMETERS, name);

/** The response body of an operation. */
export type ResponseBody<D extends Spec> = D['success'] extends { body: infer B extends AnySchema }
  ? z.output<ReturnType<B>>
  : undefined;
/** The body of the other success of an operation. */
export type OtherBody<D extends Spec> = D extends { otherSuccess: { body: infer B extends AnySchema } }
  ? z.output<ReturnType<B>>
  : never;
/** The body that the handler of an operation returns; the request shell adds `nextCursor`. */
export type ResultBody<D extends Spec> = ResponseBody<D> | OtherBody<D> extends infer B
  ? B extends { nextCursor: string | null }
    ? Omit<B, 'nextCursor'>
    : B
  : never;
/** The request body of an operation as a client sends it. */
export type BodyInput<D extends Spec> = D extends { body: infer B extends AnySchema }
  ? z.input<ReturnType<B>>
  : undefined;
/** The request body as the handler receives it; undefined when it was omitted or is multipart. */
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

/**
 * Lists the problems of an operation by status, each with its reason: the declared ones and those implied by the
 * declaration.
 */
export function listProblems(spec: Spec): Map<ProblemStatus, string> {
  const reasons = new Map<ProblemStatus, string>();
  const takesInput = spec.path.includes('{') || spec.query || spec.body || spec.idempotent;
  if (takesInput) reasons.set(400, 'A path parameter, the query or the body is invalid; `errors` lists the faults.');
  if (spec.access.credential !== 'none') reasons.set(401, 'The credential is missing, malformed, expired or revoked.');
  if (spec.access.roles) reasons.set(403, `The caller is none of: ${spec.access.roles.join(', ')}.`);
  if (spec.access.onboarded) reasons.set(403, 'The caller has not chosen a username yet.');
  if (spec.method !== 'GET' && !reasons.has(403))
    reasons.set(403, 'The `Origin` of a request with cookies is not allowed.');
  if (spec.access.target) reasons.set(404, 'It does not exist or is not visible to the caller.');
  const conflicts = [
    ...(spec.idempotent ? ['The `Idempotency-Key` was used with another request.'] : []),
    ...(spec.ifMatch ? ['`If-Match` is stale.'] : []),
  ];
  if (conflicts.length > 0) reasons.set(409, conflicts.join(' '));
  if (spec.body) {
    reasons.set(413, 'The body, or the resource that it would create or change, exceeds its size limit.');
    reasons.set(415, spec.parts ? 'A part is not a file.' : 'The body is multipart; this operation takes JSON.');
  }
  for (const [status, reason] of Object.entries(spec.problems ?? {}))
    reasons.set(Number(status) as ProblemStatus, reason);
  reasons.set(500, 'An internal error; the detail contains the request id only.');
  if (!reasons.has(503)) reasons.set(503, 'Storage is busy; try again later.');
  return new Map([...reasons].sort(([a], [b]) => a - b));
}

/** The body of every error response. */
export const ProblemObject = schema(() =>
  z
    .object({
      type: z.literal('about:blank'),
      title: z.string().describe('The name of the HTTP status.'),
      status: z.int().min(400).max(599),
      detail: z.string().describe('What is wrong and what to do, for people.'),
      instance: z.string().describe('The path of the request.'),
      code: z
        .enum(Object.keys(PROBLEM_CODES).sort() as ProblemCode[])
        .describe('A stable identifier of the problem, for programs.'),
      errors: z
        .array(
          z.object({
            pointer: z.string().describe('A JSON pointer into the request, such as `/body/title`.'),
            detail: z.string(),
          }),
        )
        .optional()
        .describe('The faults of the request, one item each.'),
    })
    .meta({ id: 'Problem' }),
);
