/** The requests of an upload: announced to the service, sent to storage with progress, attached to the answer. */
import { apiFetch } from './api-fetch.ts';
import type { SavedByScript } from './autosave-result.ts';
import { post } from './saver.ts';
import { fill, type Texts } from './texts.ts';

type Entry = { fileId: string; upload: { url: string; headers: Record<string, string> } };

/** The service does not accept the file: why, in words where it said so; `code` is that of its problem. */
export class Refused extends Error {
  readonly code: string | undefined;
  constructor(message = '', code?: string) {
    super(message);
    this.code = code;
  }
}

/** Announces a file and sends it to storage. Returns its id. Throws Refused. */
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
  if (!response.ok) throw await failure(response);
  const { files }: { files: Entry[] } = await response.json();
  const [entry] = files;
  if (!entry) throw new Refused();
  await put(entry, file, signal, onProgress);
  return entry.fileId;
}

/**
 * Attaches an uploaded file beside the others, or removes one: `attach` or `remove`. Returns the HTML of the question with
 * all its files, also those of other tabs. Throws Refused.
 */
export async function changeFiles(
  form: HTMLFormElement,
  action: 'attach' | 'remove',
  questionId: string,
  fileId: string,
): Promise<string> {
  const fields = { do: `${action}:${questionId}:${fileId}`, [`s.${questionId}`]: '' };
  const response = await post(form, new URLSearchParams(fields));
  if (!response.ok) throw await failure(response);
  const { problem, questions, replaced }: SavedByScript = await response.json();
  const fault = problem ?? questions[questionId]?.error;
  if (fault !== undefined) throw new Refused(fault);
  return replaced[questionId] ?? '';
}

/** A refusal, or after the session has ended or on a busy service an error that may pass. */
async function failure(response: Response): Promise<Error> {
  if (response.status === 401 || response.status === 429 || response.status >= 500)
    return new Error('not accepted now');
  const body = await response.json().catch(() => ({}));
  return new Refused('', body.code);
}

/** `fetch` reports no progress of what it sends, so this is a request of the older kind. */
function put({ upload }: Entry, file: File, signal: AbortSignal, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const fail = (): void => reject(new Error('not sent'));
    sending.open('PUT', upload.url);
    for (const [name, value] of Object.entries(upload.headers)) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    sending.addEventListener('load', () => (sending.status < 300 ? resolve() : fail()));
    sending.addEventListener('error', fail);
    sending.addEventListener('abort', fail);
    signal.addEventListener('abort', () => sending.abort());
    sending.send(file);
  });
}

// Faults of files that are known before anything is sent, each in one sentence with its limit.

type Checked = { accepted: File[]; faults: string[] };

/** The files that a control accepts beside `attached` others, and a sentence for each kind of fault. */
export function checkFiles(
  { accept, dataset }: HTMLInputElement,
  files: readonly File[],
  attached: number,
  texts: Texts,
): Checked {
  const extensions = accept.split(',');
  const faultOf = ({ name, size }: File): string | undefined => {
    if (!extensions.some((extension) => name.toLowerCase().endsWith(extension))) return 'wrongType';
    if (size === 0) return 'empty';
    return size > Number(dataset.maxBytes) ? 'tooLarge' : undefined;
  };
  const fitting = files.filter((file) => faultOf(file) === undefined);
  const accepted = fitting.slice(0, Math.max(0, Number(dataset.max) - attached));
  const sentence = (text: string | undefined, faulty: readonly File[], max?: string): string[] => {
    const name = new Intl.ListFormat(document.documentElement.lang).format(faulty.map((file) => file.name));
    return faulty.length === 0 ? [] : [fill(text, { name, max: max ?? '', types: dataset.types ?? '' })];
  };
  const having = (fault: string): File[] => files.filter((file) => faultOf(file) === fault);
  return {
    accepted,
    faults: [
      ...sentence(texts.wrongType, having('wrongType')),
      ...sentence(texts.empty, having('empty')),
      ...sentence(texts.tooLarge, having('tooLarge'), dataset.maxSize),
      ...sentence(texts.tooMany, fitting.slice(accepted.length), dataset.max),
    ],
  };
}
