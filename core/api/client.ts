/**
 * The typed client, derived from the declarations: `client.forms.createForm({ params, body })`. It works wherever
 * there is a `fetch`: in a browser with the session's cookies, in Node with an access token.
 */
import type { Answer, BodyInput, Declaration, ParametersOf, QueryInput } from './declare.ts';
import { type Api, api } from './index.ts';

/** A problem as the service answers it (RFC 9457). */
export type ProblemBody = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  errors?: { pointer: string; detail: string }[];
};

/** Thrown when the service answers a problem. */
export class ProblemError extends Error {
  readonly status: number;
  readonly problem: ProblemBody;
  readonly headers: Headers;

  constructor(problem: ProblemBody, headers: Headers) {
    super(`${problem.status} ${problem.title}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.status = problem.status;
    this.problem = problem;
    this.headers = headers;
  }
}

export type ClientOptions = {
  /** Where the service answers, without `/api`. */
  baseUrl: string;
  /** An access token for the Authorization header; in a browser the session's cookies serve instead. */
  token?: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Given<K extends string, T> = [T] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: T };
type Params<D extends Declaration> = [ParametersOf<D['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<ParametersOf<D['path']>, string> };
type OptionalQuery<D extends Declaration> = { query?: QueryInput<D> };
type SentBody<D extends Declaration> = D extends { bodyOptional: true }
  ? { body?: BodyInput<D> }
  : Given<'body', BodyInput<D>>;

/** What a call takes: path parameters, query, body, and further headers such as `if-match` or `idempotency-key`. */
export type CallInput<D extends Declaration> = Params<D> &
  OptionalQuery<D> &
  SentBody<D> & { headers?: Record<string, string> };

/** What a call answers: the JSON body, or the bytes of a file. */
export type CallResult<D extends Declaration> = {
  status: number;
  headers: Headers;
  body: D['success'] extends { contentType: string } ? Uint8Array : Answer<D>;
};

type Caller<D extends Declaration> =
  Record<never, never> extends CallInput<D>
    ? (input?: CallInput<D>) => Promise<CallResult<D>>
    : (input: CallInput<D>) => Promise<CallResult<D>>;

/** One function for each declared operation, by noun. */
export type Client = {
  [N in keyof Api]: { [O in keyof Api[N]]: Api[N][O] extends Declaration ? Caller<Api[N][O]> : never };
};

type AnyInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Makes a client of the service at `baseUrl`. Its calls throw `ProblemError` when the service answers a problem. */
export function createClient(options: ClientOptions): Client {
  const nouns = Object.entries(api).map(([noun, operations]) => {
    const calls = Object.entries<Declaration>(operations).map(([name, declaration]) => [
      name,
      (input: AnyInput = {}) => call(options, declaration, input),
    ]);
    return [noun, Object.fromEntries(calls)];
  });
  return Object.fromEntries(nouns);
}

async function call(options: ClientOptions, declaration: Declaration, input: AnyInput) {
  const headers: Record<string, string> = { ...input.headers };
  if (options.token) headers.authorization = `Bearer ${options.token}`;
  if (input.body !== undefined) headers['content-type'] ??= 'application/json';
  const send = options.fetch ?? fetch;
  const answer = await send(options.baseUrl + pathOf(declaration, input), {
    method: declaration.method,
    headers,
    redirect: 'manual',
    credentials: 'include',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  });
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  if (answer.status >= 400) throw new ProblemError((await answer.json()) as ProblemBody, answer.headers);
  const body = isJson ? await answer.json() : declaration.success.contentType ? await answer.bytes() : undefined;
  return { status: answer.status, headers: answer.headers, body };
}

/** The path and query of a call. */
export function pathOf(declaration: Declaration, input: Pick<AnyInput, 'params' | 'query'>): string {
  const path = declaration.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each));
  }
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}
