/**
 * The typed client, derived from the declarations: `client.forms.createForm({ params, body })`. It needs only `fetch`:
 * in a browser it uses the cookies of the session, in Node an access token.
 */
import type { Infer } from '#core/schema/schema.ts';
import type {
  BodyInput,
  Declaration,
  OtherBody,
  ParametersOf,
  PartsSpec,
  ProblemObject,
  QueryInput,
  ResponseBody,
} from './declare.ts';
import type { Api } from './index.ts';
import { type ClientRoute, ROUTES } from './routes.ts';

type DeclaredProblem = Infer<typeof ProblemObject>;

/** The body of an error response (RFC 9457). The code is `unknown` if the error is not from the service itself. */
export type ProblemBody = Omit<DeclaredProblem, 'type' | 'code'> & {
  type: string;
  code: DeclaredProblem['code'] | 'unknown';
};

/** Thrown for every response with a status of 400 or more. */
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
  /** The URL of the service, without `/api`. */
  baseUrl: string;
  /** An access token for the Authorization header; a browser uses the cookies of its session instead. */
  token?: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Params<D extends Declaration> = [ParametersOf<D['path']>] extends [never]
  ? { params?: undefined }
  : { params: Record<ParametersOf<D['path']>, string> };
type OptionalQuery<D extends Declaration> = { query?: QueryInput<D> };
type JsonBody<D extends Declaration> = D extends { bodyOptional: true }
  ? { body?: BodyInput<D> }
  : [BodyInput<D>] extends [undefined]
    ? { body?: undefined }
    : { body: BodyInput<D> };
/** JSON or, where the operation accepts files, a form; never both. */
type RequestBody<D extends Declaration> =
  | (JsonBody<D> & { form?: undefined })
  | (D extends { parts: PartsSpec } ? { form: FormData; body?: undefined } : never);

/** The input of a call: path parameters, query, JSON as `body` or files as `form`, and headers such as `if-match`. */
export type CallInput<D extends Declaration> = Params<D> &
  OptionalQuery<D> &
  RequestBody<D> & { headers?: Record<string, string> };

type HtmlPage<D extends Declaration> = D extends { otherSuccess: { contentType: 'text/html' } } ? string : never;
/** The JSON of an operation that returns either a file or an object; the status distinguishes them. */
type InsteadOfFile<D extends Declaration> = D['success'] extends { contentType: string } ? OtherBody<D> : never;

/**
 * The result of a call: the JSON body, the bytes of a file or an HTML page. A redirect has its `location` in the
 * headers.
 */
export type CallResult<D extends Declaration> = {
  status: number;
  headers: Headers;
  body: (D['success'] extends { contentType: string } ? Uint8Array : ResponseBody<D>) | InsteadOfFile<D> | HtmlPage<D>;
};

type ClientCall<D extends Declaration> =
  Record<never, never> extends CallInput<D>
    ? (input?: CallInput<D>) => Promise<CallResult<D>>
    : (input: CallInput<D>) => Promise<CallResult<D>>;

/** One function per operation, by noun. */
export type Client = {
  [N in keyof Api]: { [O in keyof Api[N]]: Api[N][O] extends Declaration ? ClientCall<Api[N][O]> : never };
};

type AnyInput = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
};

/**
 * Creates a client. Its calls throw `ProblemError` for error responses. Operations that redirect can be called in Node
 * only: scripts in a browser cannot read redirects and navigate to `addressOf` instead.
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
  const response = await send(options.baseUrl + buildPath(path, input), {
    method,
    headers,
    redirect: 'manual',
    credentials: 'include',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    // `fetch` sets the content type of a form, because it chooses the boundary.
    ...(input.form === undefined ? {} : { body: input.form }),
  });
  if (response.type === 'opaqueredirect') {
    throw new Error(`${method} ${path} redirects, which scripts in a browser cannot read. Navigate to addressOf(…).`);
  }
  if (response.status >= 400) throw new ProblemError(await parseProblem(response), response.headers);
  return { status: response.status, headers: response.headers, body: await parseBody(response) };
}

async function parseBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  // A file is saved, also one of JSON.
  if (response.headers.has('content-disposition')) return new Uint8Array(await response.arrayBuffer());
  if (/json/.test(type)) {
    const text = await response.text();
    // A gateway may add a content type to an empty body.
    return text === '' ? undefined : JSON.parse(text);
  }
  return /^text\/html/.test(type) ? response.text() : undefined;
}

/** Parses the problem of an error response. Errors of others, such as a gateway, get the same shape. */
async function parseProblem(response: Response): Promise<ProblemBody> {
  const text = await response.text();
  if (/problem\+json/.test(response.headers.get('content-type') ?? '')) return JSON.parse(text);
  const { status, url } = response;
  return {
    type: 'about:blank',
    title: `HTTP ${status}`,
    status,
    detail: text.slice(0, 500),
    instance: url,
    code: 'unknown',
  };
}

/** Builds the path and query of a call, encoded. */
export function buildPath(
  template: string,
  input: { params?: Record<string, string> | undefined; query?: Record<string, unknown> | undefined },
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) query.append(name, String(item));
  }
  return `/api${path}${query.size > 0 ? `?${query}` : ''}`;
}

type OperationOf<N extends string> = N extends `${infer Noun extends keyof Api & string}.${infer Name}`
  ? Name extends keyof Api[Noun]
    ? Api[Noun][Name]
    : never
  : never;
type GetNames<N extends keyof Api & string> = {
  [O in keyof Api[N] & string]: Api[N][O] extends { method: 'GET' } ? `${N}.${O}` : never;
}[keyof Api[N] & string];

/** The name of a GET operation, such as `files.downloadFile`. */
export type Address = { [N in keyof Api & string]: GetNames<N> }[keyof Api & string];

/**
 * Builds the URL of a GET operation, for links, images and `location`; mostly for redirects, which a browser must follow
 * itself. `addressOf('', 'files.downloadFile', { params: { fileId } })` is `/api/files/…`.
 */
export function addressOf<N extends Address>(
  baseUrl: string,
  name: N,
  input: OperationOf<N> extends Declaration ? Params<OperationOf<N>> & OptionalQuery<OperationOf<N>> : never,
): string {
  const [noun = '', operation = ''] = name.split('.');
  const routes: Record<string, Record<string, ClientRoute>> = ROUTES;
  return baseUrl + buildPath(routes[noun]?.[operation]?.[1] ?? '', input);
}

type ListResponse = { headers: Headers; body: unknown };

/**
 * Reads a list batch by batch: `for await (const batch of paginate(client.responses.listResponses, { params }))`.
 * Works for objects with `nextCursor` and for bare arrays, whose cursor is in the `Link` header.
 */
export async function* paginate<I extends { query?: unknown }, R extends ListResponse>(
  list: (input: I) => Promise<R>,
  input: I,
): AsyncGenerator<R> {
  let cursor: string | undefined;
  do {
    const query = { ...(typeof input.query === 'object' ? input.query : {}), ...(cursor ? { cursor } : {}) };
    const batch = await list({ ...input, query });
    yield batch;
    cursor = nextCursor(batch);
  } while (cursor !== undefined);
}

function nextCursor({ headers, body }: ListResponse): string | undefined {
  if (typeof body === 'object' && body !== null && 'nextCursor' in body) {
    return typeof body.nextCursor === 'string' ? body.nextCursor : undefined;
  }
  const link = /<([^<>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return link ? (new URL(link, 'http://localhost').searchParams.get('cursor') ?? undefined) : undefined;
}

// Uploads files as the answer to a question, directly to storage: announce, send each file, complete. Works in Node and
// in browsers, where it needs a secure context (HTTPS or localhost) to hash the files.

export type UploadOptions = {
  /** Ids of existing files of the answer to keep. All others are replaced. */
  keep?: readonly string[];
  /** Called after each file that storage accepted. */
  onProgress?: (progress: { sentFiles: number; files: number; sentBytes: number; bytes: number }) => void;
  /** Replaces the global `fetch` for requests to storage. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type UploadTarget = { responseId: string; questionId: string };
type Transfer = { file: File; upload: { url: string; headers: Record<string, string> } };

/** How many files are sent at the same time. */
const CONCURRENT_TRANSFERS = 3;
/** The pauses before each retry of a failed transfer. */
const RETRY_AFTER_MS = [200, 800];

/**
 * Uploads files of any size as the answer to a question. Returns all files of the answer: those kept, then the new ones
 * in their order. Throws `ProblemError` if the service refuses them, and an Error that names the file if storage does;
 * the answer is unchanged then.
 */
export async function uploadFiles(
  client: Pick<Client, 'files'>,
  params: UploadTarget,
  files: readonly File[],
  options: UploadOptions = {},
) {
  const transfers = files.length > 0 ? await announce(client, params, files) : [];
  await sendAll(transfers, options);
  const fileIds = [...(options.keep ?? []), ...transfers.map(({ fileId }) => fileId)];
  return (await client.files.completeUploads({ params, body: { fileIds } })).body.files;
}

async function announce(client: Pick<Client, 'files'>, params: UploadTarget, files: readonly File[]) {
  const announcements = [];
  // One at a time, so that only one file is in memory.
  for (const file of files) {
    announcements.push({ filename: file.name, contentType: file.type, size: file.size, sha256: await hashFile(file) });
  }
  const { body } = await client.files.uploadFiles({ params, body: { files: announcements } });
  return files.map((file, index) => {
    const { fileId, upload } = body.files[index] ?? {};
    if (!fileId || !upload) throw new Error(`The service returned no upload URL for "${file.name}"`);
    return { file, fileId, upload };
  });
}

async function hashFile(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends `CONCURRENT_TRANSFERS` files at a time; the first failure stops the others. */
async function sendAll(transfers: readonly Transfer[], options: UploadOptions): Promise<void> {
  const controller = new AbortController();
  const queue = transfers.values();
  const sentFiles: File[] = [];
  const sumSizes = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
  const bytes = sumSizes(transfers.map(({ file }) => file));
  const sendQueued = async (): Promise<void> => {
    for (const transfer of queue) {
      await send(transfer, controller.signal, options);
      sentFiles.push(transfer.file);
      options.onProgress?.({
        sentFiles: sentFiles.length,
        files: transfers.length,
        sentBytes: sumSizes(sentFiles),
        bytes,
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT_TRANSFERS }, sendQueued));
  } finally {
    controller.abort();
  }
}

/** Sends a file, with two retries if storage fails or cannot be reached. Throws if storage refuses it. */
async function send({ file, upload }: Transfer, signal: AbortSignal, options: UploadOptions): Promise<void> {
  const put = options.fetch ?? fetch;
  const attempt = () => put(upload.url, { method: 'PUT', headers: upload.headers, body: file, signal });
  for (const pauseMs of [...RETRY_AFTER_MS, undefined]) {
    signal.throwIfAborted();
    const outcome = await attempt().catch((error: unknown) => ({ ok: false as const, status: undefined, error }));
    if (outcome.ok) {
      // An unread body would be aborted together with the other transfers.
      await outcome.arrayBuffer();
      return;
    }
    const isFinal = pauseMs === undefined || (outcome.status !== undefined && outcome.status < 500);
    if (isFinal) throw await transferError(file, outcome);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function transferError(file: File, outcome: Response | { error: unknown }): Promise<Error> {
  if ('error' in outcome) return new Error(`"${file.name}" could not be sent to storage`, { cause: outcome.error });
  const code = /<Code>(\w+)<\/Code>/.exec(await outcome.text())?.[1] ?? '';
  return new Error(`Storage refused "${file.name}": ${outcome.status} ${code}`.trimEnd());
}
