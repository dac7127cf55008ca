/**
 * The typed client, derived from the declarations: `client.forms.createForm({ params, body })`. It works wherever
 * there is a `fetch`: in a browser with the session's cookies, in Node with an access token. Files are uploaded by
 * `uploadFiles` of `client-uploads.ts`.
 */
import type { Answer, BodyInput, Declaration, ParametersOf, PartsSpec, QueryInput } from './declare.ts';
import type { Api } from './index.ts';
import { type ClientRoute, ROUTES } from './routes.ts';

// biome-ignore lint/performance/noBarrelFile: the package has one entry, and this is it
export { type UploadOptions, uploadFiles } from './client-uploads.ts';

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
type JsonBody<D extends Declaration> = D extends { bodyOptional: true }
  ? { body?: BodyInput<D> }
  : Given<'body', BodyInput<D>>;
/** JSON, or files as a form, never both. */
type SentBody<D extends Declaration> =
  | (JsonBody<D> & { form?: undefined })
  | (D extends { parts: PartsSpec } ? { form: FormData; body?: undefined } : never);

/**
 * What a call takes: path parameters, query, JSON as `body` or files as `form`, and further headers such as `if-match`
 * or `idempotency-key`.
 */
export type CallInput<D extends Declaration> = Params<D> &
  OptionalQuery<D> &
  SentBody<D> & { headers?: Record<string, string> };

type Page<D extends Declaration> = D extends { otherSuccess: { contentType: 'text/html' } } ? string : never;

/** What a call answers: the JSON body, the bytes of a file, or a page; of a redirect the `location` among the headers. */
export type CallResult<D extends Declaration> = {
  status: number;
  headers: Headers;
  body: (D['success'] extends { contentType: string } ? Uint8Array : Answer<D>) | Page<D>;
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
  form?: FormData;
  headers?: Record<string, string>;
};

/**
 * Makes a client of the service at `baseUrl`. Its calls throw `ProblemError` when the service answers a problem. What
 * answers a redirect is for Node: a browser shows no script where a redirect leads, and follows `addressOf` instead.
 */
export function createClient(options: ClientOptions): Client {
  const nouns = Object.entries(ROUTES).map(([noun, routes]) => {
    const calls = Object.entries<ClientRoute>(routes).map(([name, route]) => [
      name,
      (input: AnyInput = {}) => call(options, route, input),
    ]);
    return [noun, Object.fromEntries(calls)];
  });
  return Object.fromEntries(nouns);
}

async function call(options: ClientOptions, [method, path]: ClientRoute, input: AnyInput) {
  const headers: Record<string, string> = { ...input.headers };
  if (options.token) headers.authorization = `Bearer ${options.token}`;
  if (input.body !== undefined) headers['content-type'] ??= 'application/json';
  const send = options.fetch ?? fetch;
  const answer = await send(options.baseUrl + pathOf(path, input), {
    method,
    headers,
    redirect: 'manual',
    credentials: 'include',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    // The platform writes the content type of a form, because it chooses the boundary.
    ...(input.form === undefined ? {} : { body: input.form }),
  });
  if (answer.type === 'opaqueredirect') {
    throw new Error(`${method} ${path} redirects, and a browser does not say where: let it go to addressOf(…) instead`);
  }
  if (answer.status >= 400) throw new ProblemError(await problemIn(answer), answer.headers);
  return { status: answer.status, headers: answer.headers, body: await bodyOf(answer) };
}

/** JSON as its value, a file as its bytes, a page as its text, and nothing as undefined. */
async function bodyOf(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? '';
  if (/json/.test(type)) return answer.json();
  if (/^text\/html/.test(type)) return answer.text();
  return answer.headers.has('content-disposition') ? new Uint8Array(await answer.arrayBuffer()) : undefined;
}

/** The problem of an answer; one that did not come from the service, such as a gateway's, is told in the same shape. */
async function problemIn(answer: Response): Promise<ProblemBody> {
  const text = await answer.text();
  if (/problem\+json/.test(answer.headers.get('content-type') ?? '')) return JSON.parse(text);
  const { status, url } = answer;
  return {
    type: 'about:blank',
    title: `HTTP ${status}`,
    status,
    detail: text.slice(0, 500),
    instance: url,
    code: 'unknown',
  };
}

/** The path and query of a call. */
export function pathOf(
  template: string,
  input: { params?: Record<string, string> | undefined; query?: Record<string, unknown> | undefined },
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, String(each));
  }
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}

type Named<N extends string> = N extends `${infer Noun extends keyof Api & string}.${infer Name}`
  ? Name extends keyof Api[Noun]
    ? Api[Noun][Name]
    : never
  : never;
type Names<N extends keyof Api & string> = {
  [O in keyof Api[N] & string]: Api[N][O] extends { method: 'GET' } ? `${N}.${O}` : never;
}[keyof Api[N] & string];

/** What a browser can go to: `files.downloadFile`, `auth.startLogin`, and all else that is read. */
export type Address = { [N in keyof Api & string]: Names<N> }[keyof Api & string];

/**
 * The URL of an operation that is read, for links, images and `location`: of redirects above all, which a browser has
 * to follow by itself. `addressOf('', 'files.downloadFile', { params: { fileId } })` is `/api/files/…`.
 */
export function addressOf<N extends Address>(
  baseUrl: string,
  name: N,
  input: Named<N> extends Declaration ? Params<Named<N>> & OptionalQuery<Named<N>> : never,
): string {
  const [noun = '', operation = ''] = name.split('.');
  const routes: Record<string, Record<string, ClientRoute>> = ROUTES;
  return baseUrl + pathOf(routes[noun]?.[operation]?.[1] ?? '', input);
}

type Paged = { headers: Headers; body: unknown };

/**
 * Follows a list from page to page: `for await (const page of paginate(client.responses.listResponses, { params }))`.
 * Works for lists that answer `nextCursor` and for bare arrays, whose cursor is in the `Link` header.
 */
export async function* paginate<I extends { query?: unknown }, R extends Paged>(
  list: (input: I) => Promise<R>,
  input: I,
): AsyncGenerator<R> {
  let cursor: string | undefined;
  do {
    const query = { ...(typeof input.query === 'object' ? input.query : {}), ...(cursor ? { cursor } : {}) };
    const page = await list({ ...input, query });
    yield page;
    cursor = nextCursor(page);
  } while (cursor !== undefined);
}

function nextCursor({ headers, body }: Paged): string | undefined {
  if (typeof body === 'object' && body !== null && 'nextCursor' in body) {
    return typeof body.nextCursor === 'string' ? body.nextCursor : undefined;
  }
  const link = /<([^>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link ? (new URL(link, 'http://localhost').searchParams.get('cursor') ?? undefined) : undefined;
}
