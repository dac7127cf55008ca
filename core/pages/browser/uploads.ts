/**
 * Files go straight to storage: announced to the service, sent with progress, completed. An upload can be cancelled and
 * tried again.
 */
import { apiFetch } from './api-fetch.ts';
import { fill, type Texts } from './texts.ts';

type Entry = { fileId: string; upload: { url: string; headers: Record<string, string> } };

/** Waits for the uploads that run; undefined when there are none. Becomes whether all files were taken. */
export type PendingUploads = () => Promise<boolean> | undefined;

/** Improves every file control of a form. */
export function uploadDirectly(form: HTMLFormElement, texts: Texts): PendingUploads {
  const running = new Set<Promise<void>>();
  form.addEventListener('change', (event) => {
    const input = event.target instanceof HTMLInputElement ? event.target : null;
    if (!input?.dataset.upload) return;
    const files = [...(input.files ?? [])];
    // The files are sent here: the form must not send them again.
    input.value = '';
    const uploads = uploadAll(input, files, texts).finally(() => running.delete(uploads));
    running.add(uploads);
  });
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-remove]') : null;
    const row = button?.closest<HTMLElement>('[data-file]');
    if (!row) return;
    event.preventDefault();
    void removeFile(row);
  });
  return () =>
    running.size === 0 ? undefined : Promise.all(running).then(() => form.querySelector('.files .error') === null);
}

/** One after the other: each adds its file to the answer. */
async function uploadAll(input: HTMLInputElement, files: readonly File[], texts: Texts): Promise<void> {
  const rows = files.map((file) => ({ file, row: addRow(input, file) }));
  for (const { file, row } of rows) await upload(input, file, row, texts);
}

function addRow(input: HTMLInputElement, file: File): HTMLElement {
  const row = document.createElement('li');
  row.textContent = file.name;
  listOf(input)?.append(row);
  return row;
}

const listOf = (input: HTMLInputElement): HTMLElement | null | undefined =>
  input.closest('[data-question]')?.querySelector<HTMLElement>('[data-files]');

async function upload(input: HTMLInputElement, file: File, row: HTMLElement, texts: Texts): Promise<void> {
  const abort = new AbortController();
  const progress = document.createElement('progress');
  progress.className = 'upload-progress';
  progress.max = 1;
  progress.setAttribute('aria-label', fill(texts.uploading, { name: file.name, percent: 0 }));
  row.replaceChildren(
    nameOf(file),
    progress,
    button(texts.cancel, () => abort.abort()),
  );
  try {
    const fileId = await sendFile(input, file, abort.signal, (share) => {
      progress.value = share;
    });
    row.dataset.file = fileId;
    const remove = button(texts.remove, () => undefined);
    remove.dataset.remove = '';
    remove.append(hiddenName(file));
    row.replaceChildren(link(file, fileId), remove);
  } catch (error) {
    if (abort.signal.aborted) return row.remove();
    const isRefused = error instanceof Refused;
    const message = document.createElement('span');
    message.className = 'error';
    message.setAttribute('role', 'alert');
    message.textContent = fill(isRefused ? texts.uploadRefused : texts.uploadFailed, { name: file.name });
    const retry = button(texts.retry, () => void upload(input, file, row, texts));
    row.replaceChildren(
      message,
      ...(isRefused ? [] : [retry]),
      button(texts.remove, () => row.remove()),
    );
  }
}

/** The service does not take the file. */
class Refused extends Error {}

/** Announces, sends and completes one file. Returns its id. */
async function sendFile(
  input: HTMLInputElement,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<string> {
  const path = input.dataset.upload ?? '';
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const contentType = file.type || 'application/octet-stream';
  const announced = await request(
    path,
    { files: [{ filename: file.name, contentType, size: file.size, sha256 }] },
    signal,
  );
  const [entry]: Entry[] = announced.files;
  if (!entry) throw new Refused();
  await put(entry, file, signal, onProgress);
  const fileIds = [...attachedIds(input), entry.fileId];
  await request(`${path}/complete`, { fileIds }, signal);
  return entry.fileId;
}

/** The files of the answer, which stay attached. */
const attachedIds = (input: HTMLInputElement): string[] =>
  [...(listOf(input)?.querySelectorAll<HTMLElement>('[data-file]') ?? [])].flatMap(({ dataset }) => dataset.file ?? []);

async function request(path: string, body: unknown, signal: AbortSignal) {
  const response = await apiFetch(path, { method: 'POST', body: JSON.stringify(body), signal });
  if (response.ok) return response.json();
  throw response.status >= 400 && response.status < 500 ? new Refused() : new Error(`status ${response.status}`);
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

async function removeFile(row: HTMLElement): Promise<void> {
  const response = await apiFetch(`/api/files/${row.dataset.file}`, { method: 'DELETE' });
  const input = row.closest('[data-question]')?.querySelector<HTMLElement>('input[type="file"]');
  if (response.ok || response.status === 404) row.remove();
  input?.focus();
}

function nameOf(file: File): HTMLElement {
  const name = document.createElement('span');
  name.textContent = file.name;
  return name;
}

function link(file: File, fileId: string): HTMLElement {
  const anchor = document.createElement('a');
  anchor.href = `/files/${fileId}`;
  anchor.textContent = file.name;
  return anchor;
}

function hiddenName(file: File): HTMLElement {
  const name = nameOf(file);
  name.className = 'visually-hidden';
  name.textContent = ` ${file.name}`;
  return name;
}

function button(text = '', onClick: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'quiet';
  made.textContent = text;
  made.addEventListener('click', onClick);
  return made;
}
