/** The requests of an upload: announced to the service, sent to storage with progress, attached to the answer. */
import { apiFetch } from './api-fetch.ts';
import type { SaveResult } from './autosave-result.ts';
import { post } from './saver.ts';
import { fill, type Texts } from './texts.ts';

type Entry = { fileId: string; upload: { url: string; headers: Record<string, string> } };

/** The service does not accept the file: `message` is its reason, if it gave one; `code` is the code of its problem. */
export class UploadRefused extends Error {
  readonly code: string | undefined;
  constructor(message = '', code?: string) {
    super(message);
    this.code = code;
  }
}

/** Announces a file and sends it to storage. Returns its id. Throws UploadRefused. */
export async function sendFile(
  path: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const contentType = file.type || 'application/octet-stream';
  const body = JSON.stringify({ files: [{ filename: file.name, contentType, size: file.size, sha256 }] });
  const response = await apiFetch(path, { method: 'POST', body, signal });
  if (!response.ok) throw await toError(response);
  const { files }: { files: Entry[] } = await response.json();
  const [entry] = files;
  if (!entry) throw new UploadRefused();
  await put(entry, file, signal, onProgress);
  return entry.fileId;
}

/**
 * Attaches an uploaded file in addition to the others, or removes one: `attach` or `remove`. Returns the HTML of the
 * question with all its files, also those of other tabs. Throws UploadRefused.
 */
export async function changeFiles(
  form: HTMLFormElement,
  action: 'attach' | 'remove',
  questionId: string,
  fileId: string,
): Promise<string> {
  const fields = { do: `${action}:${questionId}:${fileId}`, [`s.${questionId}`]: '' };
  const response = await post(form, new URLSearchParams(fields));
  if (!response.ok) throw await toError(response);
  const { problem, questions, replaced }: SaveResult = await response.json();
  const fault = problem ?? questions[questionId]?.error;
  if (fault !== undefined) throw new UploadRefused(fault);
  return replaced[questionId] ?? '';
}

/** Converts a response to a refusal or, if the session has ended or the service is busy, to a temporary error. */
async function toError(response: Response): Promise<Error> {
  if (response.status === 401 || response.status === 429 || response.status >= 500)
    return new Error('not accepted now');
  const body = await response.json().catch(() => ({}));
  return new UploadRefused('', body.code);
}

/** Sends a file with XMLHttpRequest, because `fetch` reports no progress of uploads. */
function put({ upload }: Entry, file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (): void => reject(new Error('not sent'));
    request.open('PUT', upload.url);
    for (const [name, value] of Object.entries(upload.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => (request.status < 300 ? resolve() : fail()));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

// Faults of files that are found before anything is sent, each in one sentence with its limit.

type CheckedFiles = { accepted: File[]; faults: string[] };

/** Returns the files that a control accepts in addition to `attached` others, and a sentence for each kind of fault. */
export function checkFiles(
  { accept, dataset }: HTMLInputElement,
  files: readonly File[],
  attached: number,
  texts: Texts,
): CheckedFiles {
  const extensions = accept.split(',');
  const findFault = ({ name, size }: File): string | undefined => {
    if (!extensions.some((extension) => name.toLowerCase().endsWith(extension))) return 'wrongType';
    if (size === 0) return 'empty';
    return size > Number(dataset.maxBytes) ? 'tooLarge' : undefined;
  };
  const validFiles = files.filter((file) => findFault(file) === undefined);
  const accepted = validFiles.slice(0, Math.max(0, Number(dataset.max) - attached));
  const sentence = (text: string | undefined, faulty: readonly File[], max?: string): string[] => {
    const name = new Intl.ListFormat(document.documentElement.lang).format(faulty.map((file) => file.name));
    return faulty.length === 0 ? [] : [fill(text, { name, max: max ?? '', types: dataset.types ?? '' })];
  };
  const filesWithFault = (fault: string): File[] => files.filter((file) => findFault(file) === fault);
  return {
    accepted,
    faults: [
      ...sentence(texts.wrongType, filesWithFault('wrongType')),
      ...sentence(texts.empty, filesWithFault('empty')),
      ...sentence(texts.tooLarge, filesWithFault('tooLarge'), dataset.maxSize),
      ...sentence(texts.tooMany, validFiles.slice(accepted.length), dataset.max),
    ],
  };
}
