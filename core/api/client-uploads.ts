/**
 * Uploading files as the answer to a question, straight to storage: announce them, send each, complete (contract
 * section 8). Works in browsers, on pages of HTTPS or localhost because files are hashed there, and in Node.
 */
import type { Client } from './client.ts';

export type UploadOptions = {
  /** Ids of files that the question has already and is to keep; without them the new files replace all. */
  keep?: readonly string[];
  /** Told whenever a file has arrived in storage. */
  onProgress?: (progress: { sentFiles: number; files: number; sentBytes: number; bytes: number }) => void;
  /** Sends to storage, instead of the `fetch` that there is. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Params = { responseId: string; questionId: string };
type Sending = { file: File; upload: { url: string; headers: Record<string, string> } };

/** How many files are under way at once. */
const CONCURRENT = 3;
/** What a file that storage did not take is sent again after, in milliseconds. */
const PAUSES_MS = [200, 800];

/**
 * Makes files the answer to a question, of whatever size the question takes, and answers all files that it has then:
 * those kept, then the new ones in their order. Throws `ProblemError` for what the service refuses, and an Error that
 * names the file for what storage refuses; the answer is then what it was before.
 */
export async function uploadFiles(
  client: Pick<Client, 'files'>,
  params: Params,
  files: readonly File[],
  options: UploadOptions = {},
) {
  const sendings = files.length > 0 ? await announce(client, params, files) : [];
  await sendAll(sendings, options);
  const fileIds = [...(options.keep ?? []), ...sendings.map(({ fileId }) => fileId)];
  return (await client.files.completeUploads({ params, body: { fileIds } })).body.files;
}

/** Says what is to come, and is told how to send it. */
async function announce(client: Pick<Client, 'files'>, params: Params, files: readonly File[]) {
  const announced = [];
  // One after the other, so that only one file is in memory.
  for (const file of files) {
    announced.push({ filename: file.name, contentType: file.type, size: file.size, sha256: await sha256Of(file) });
  }
  const { body } = await client.files.uploadFiles({ params, body: { files: announced } });
  return files.map((file, index) => {
    const { fileId, upload } = body.files[index] ?? {};
    if (!fileId || !upload) throw new Error(`The service did not say where to send "${file.name}"`);
    return { file, fileId, upload };
  });
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends some files at a time; the first that fails stops the others. */
async function sendAll(sendings: readonly Sending[], options: UploadOptions): Promise<void> {
  const stop = new AbortController();
  const waiting = sendings.values();
  const sent: File[] = [];
  const sizeOf = (files: readonly File[]): number => files.reduce((sum, { size }) => sum + size, 0);
  const bytes = sizeOf(sendings.map(({ file }) => file));
  const work = async (): Promise<void> => {
    for (const sending of waiting) {
      await send(sending, stop.signal, options);
      sent.push(sending.file);
      options.onProgress?.({ sentFiles: sent.length, files: sendings.length, sentBytes: sizeOf(sent), bytes });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, work));
  } finally {
    stop.abort();
  }
}

/** Sends a file, twice more when storage fails or is not reached. Throws for what storage refuses. */
async function send({ file, upload }: Sending, signal: AbortSignal, options: UploadOptions): Promise<void> {
  const put = options.fetch ?? fetch;
  const attempt = () => put(upload.url, { method: 'PUT', headers: upload.headers, body: file, signal });
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    signal.throwIfAborted();
    const outcome = await attempt().catch((error: unknown) => ({ ok: false as const, status: undefined, error }));
    if (outcome.ok) {
      // Read to its end: the abort that stops the others would make a failure of it.
      await outcome.arrayBuffer();
      return;
    }
    const isFinal = pauseMs === undefined || (outcome.status !== undefined && outcome.status < 500);
    if (isFinal) throw await refusal(file, outcome);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The error of a file that did not get to storage. */
async function refusal(file: File, outcome: Response | { error: unknown }): Promise<Error> {
  if ('error' in outcome) return new Error(`"${file.name}" could not be sent to storage`, { cause: outcome.error });
  const code = /<Code>(\w+)<\/Code>/.exec(await outcome.text())?.[1] ?? '';
  return new Error(`Storage refused "${file.name}": ${outcome.status} ${code}`.trimEnd());
}
