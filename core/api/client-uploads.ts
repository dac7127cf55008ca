/**
 * Uploads files as the answer to a question, directly to storage: announce, send each file, complete. Works in Node and
 * in browsers. In browsers it needs a secure context (HTTPS or localhost) to hash the files.
 */
import type { Client } from './client.ts';

export type UploadOptions = {
  /** Ids of existing files of the answer to keep. All others are replaced. */
  keep?: readonly string[];
  /** Called after each file that storage accepted. */
  onProgress?: (progress: { sentFiles: number; files: number; sentBytes: number; bytes: number }) => void;
  /** Replaces the global `fetch` for requests to storage. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Params = { responseId: string; questionId: string };
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
  params: Params,
  files: readonly File[],
  options: UploadOptions = {},
) {
  const transfers = files.length > 0 ? await announce(client, params, files) : [];
  await sendAll(transfers, options);
  const fileIds = [...(options.keep ?? []), ...transfers.map(({ fileId }) => fileId)];
  return (await client.files.completeUploads({ params, body: { fileIds } })).body.files;
}

async function announce(client: Pick<Client, 'files'>, params: Params, files: readonly File[]) {
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
