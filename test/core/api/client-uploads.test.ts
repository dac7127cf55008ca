/**
 * Uploads directly to storage with the typed client: what it announces, what it sends, and how it reports failures of
 * the service or of storage. Both are fakes here, because the real ones seldom fail.
 */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addressOf, createClient, ProblemError, uploadFiles } from '#core/api/client.ts';

// Pauses between attempts pass at once.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] }).setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

const params = {
  responseId: '7c9e6679-7425-8a1b-9c3d-0242ac120020',
  questionId: '7c9e6679-7425-8a1b-9c3d-0242ac120008',
};
const QUESTION = `/api/responses/${params.responseId}/questions/${params.questionId}/files`;
const OK = () => new Response(null);

const file = (name: string, content = `the content of ${name}`): File =>
  new File([content], name, { type: 'text/plain' });
const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const problem = (status: number) =>
  Response.json(
    { status, title: 'Bad Request', detail: 'no' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );

type Put = {
  name: string;
  method: string | undefined;
  headers: Headers;
  content: string;
  signal: AbortSignal | null | undefined;
};

/** A service that accepts everything, and a storage that responds as given; both record their requests. */
function fakes(respond: (put: Put, attempt: number) => Response | Promise<Response> = OK) {
  const calls: { path: string; body: unknown }[] = [];
  const puts: Put[] = [];
  let active = 0;
  const concurrency = { max: 0 };
  const client = createClient({
    baseUrl: '',
    async fetch(path, { body }) {
      const sent = JSON.parse(String(body));
      calls.push({ path, body: sent });
      if (path.endsWith('/complete')) {
        return Response.json({ files: sent.fileIds.map((fileId: string) => ({ fileId })) });
      }
      const files = sent.files.map(({ filename }: { filename: string }) => ({
        fileId: `id-of-${filename}`,
        upload: { method: 'PUT', url: `https://storage/${filename}`, headers: { 'x-signed': `for ${filename}` } },
      }));
      return Response.json({ files }, { status: 201 });
    },
  });
  const fetch = async (url: string, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    active += 1;
    concurrency.max = Math.max(concurrency.max, active);
    const put = {
      name: url.slice(16),
      method,
      headers: new Headers(headers),
      content: await new Response(body).text(),
      signal,
    };
    const attempt = puts.push(put) && puts.filter(({ name }) => name === put.name).length;
    try {
      return await respond(put, attempt);
    } finally {
      active -= 1;
    }
  };
  return { client, fetch, calls, puts, concurrency };
}

test('announces files with size and hash, sends each with its headers, and completes with those to keep', async () => {
  const { client, fetch, calls, puts, concurrency } = fakes();
  const progress: number[] = [];
  const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map((name) => file(name));
  const options = {
    keep: ['kept'],
    fetch,
    onProgress: ({ sentBytes }: { sentBytes: number }) => progress.push(sentBytes),
  };
  const attached = await uploadFiles(client, params, files, options);

  const sizes = files.map(({ size }) => size);
  const announced = files.map(({ name, size }) => ({
    filename: name,
    contentType: 'text/plain',
    size,
    sha256: hashOf(`the content of ${name}`),
  }));
  const fileIds = ['kept', ...files.map(({ name }) => `id-of-${name}`)];
  expect(calls).toEqual([
    { path: QUESTION, body: { files: announced } },
    { path: `${QUESTION}/complete`, body: { fileIds } },
  ]);
  expect(attached).toEqual(fileIds.map((fileId) => ({ fileId })));
  expect(puts.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name));
  for (const { name, method, headers, content } of puts) {
    expect({ method, content, headers: Object.fromEntries(headers) }, name).toEqual({
      method: 'PUT',
      content: `the content of ${name}`,
      headers: { 'x-signed': `for ${name}` },
    });
  }
  expect(progress).toHaveLength(5);
  expect(progress.at(-1)).toBe(sizes.reduce((sum, size) => sum + size));
  expect(concurrency.max).toBe(3);
});

test('sends a file twice more if storage fails or cannot be reached', async () => {
  const { client, fetch, puts } = fakes(({ name }, attempt) => {
    if (attempt === 1) return new Response('', { status: 503 });
    if (attempt === 2 && name === 'a.txt') throw new TypeError('fetch failed');
    return OK();
  });
  await uploadFiles(client, params, [file('a.txt'), file('b.txt')], { fetch });
  expect(puts.map(({ name }) => name).sort()).toEqual(['a.txt', 'a.txt', 'a.txt', 'b.txt', 'b.txt']);
});

test('gives up after the third failure, names the file, and leaves the answer unchanged', async () => {
  const { client, fetch, calls, puts } = fakes(() => {
    throw new TypeError('fetch failed');
  });
  const failed = uploadFiles(client, params, [file('a.txt')], { fetch });
  await expect(failed).rejects.toThrow('"a.txt" could not be sent to storage');
  await expect(failed).rejects.toMatchObject({ cause: { message: 'fetch failed' } });
  expect(puts).toHaveLength(3);
  expect(calls.map(({ path }) => path)).toEqual([QUESTION]);
});

test('does not repeat what storage refuses: the error names the file and the code of storage', async () => {
  const refusal = '<?xml version="1.0"?><Error><Code>XAmzContentSHA256Mismatch</Code><Message>No</Message></Error>';
  const { client, fetch, calls, puts } = fakes(({ name }) =>
    name === 'a.txt' ? new Response(refusal, { status: 400 }) : OK(),
  );
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt', 'g.txt', 'h.txt'];
  const failed = uploadFiles(
    client,
    params,
    names.map((name) => file(name)),
    { fetch },
  );
  await expect(failed).rejects.toThrow('Storage refused "a.txt": 400 XAmzContentSHA256Mismatch');
  expect(puts.filter(({ name }) => name === 'a.txt')).toHaveLength(1);
  expect(puts.every(({ signal }) => signal?.aborted)).toBe(true);
  expect(puts.length).toBeLessThan(names.length);
  expect(calls.map(({ path }) => path)).toEqual([QUESTION]);
});

test('throws the problem of the service if it refuses the files, and sends nothing', async () => {
  const { fetch, puts } = fakes();
  const client = createClient({ baseUrl: '', fetch: async () => problem(400) });
  await expect(uploadFiles(client, params, [file('a.exe')], { fetch })).rejects.toBeInstanceOf(ProblemError);
  expect(puts).toEqual([]);
});

test('without new files it only completes with those to keep', async () => {
  const { client, fetch, calls } = fakes();
  await uploadFiles(client, params, [], { keep: ['one', 'two'], fetch });
  expect(calls).toEqual([{ path: `${QUESTION}/complete`, body: { fileIds: ['one', 'two'] } }]);
});

test('a form is sent unchanged, and fetch sets its content type', async () => {
  const sent: RequestInit[] = [];
  const client = createClient({
    baseUrl: '',
    async fetch(_, init) {
      sent.push(init);
      return Response.json({ files: [] }, { status: 201 });
    },
  });
  const form = new FormData();
  form.append('files', file('a.txt'));
  await client.files.uploadFiles({ params, form });
  expect(sent[0]?.body).toBe(form);
  expect(new Headers(sent[0]?.headers).has('content-type')).toBe(false);
});

test('a redirect is returned with its location; in a browser, which hides it, the error says what to do', async () => {
  const location = 'https://storage/file';
  const redirecting = createClient({
    baseUrl: '',
    fetch: async () => new Response(null, { status: 302, headers: { location } }),
  });
  const { status, headers, body } = await redirecting.files.downloadFile({ params: { fileId: 'x' } });
  expect([status, headers.get('location'), body]).toEqual([302, location, undefined]);

  const opaque = Object.defineProperties(new Response(), { type: { value: 'opaqueredirect' }, status: { value: 0 } });
  const browser = createClient({ baseUrl: '', fetch: async () => opaque });
  await expect(browser.files.downloadFile({ params: { fileId: 'x' } })).rejects.toThrow(
    'GET /files/{fileId} redirects, which scripts in a browser cannot read. Navigate to addressOf(…).',
  );
});

test('the address of a GET operation is a URL to navigate to', () => {
  expect(addressOf('https://forms.example', 'files.downloadFile', { params: { fileId: 'a/b' } })).toBe(
    'https://forms.example/api/files/a%2Fb',
  );
  const login = { params: { oauthProvider: 'LOGIN_PROVIDER_1' }, query: { c: 'https://app.example/?in' } };
  expect(addressOf('', 'auth.startLogin', login)).toBe(
    '/api/auth/login/oauth/LOGIN_PROVIDER_1?c=https%3A%2F%2Fapp.example%2F%3Fin',
  );
});
