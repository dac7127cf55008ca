/**
 * Sends files directly to storage, one after the other for each question. An upload can be cancelled and repeated; each
 * file is added to the attached ones, also those of other tabs.
 */
import { announce } from './announce.ts';
import { findQuestion, findQuestionId } from './question.ts';
import { showError } from './question-error.ts';
import { fill, type Texts } from './texts.ts';
import { changeFiles, checkFiles, sendFile, UploadRefused } from './upload-requests.ts';

export type Uploads = {
  /** Whether files are being sent or wait for their turn. */
  isBusy(): boolean;
  /** Finds the button that repeats a failed upload. */
  findFailed(): HTMLElement | null;
  /** Called whenever an upload has ended. */
  onSettled: () => void;
};

type Uploader = {
  form: HTMLFormElement;
  texts: Texts;
  /** The last upload of each question. */
  queues: Map<string, Promise<void>>;
  pendingCount: number;
  uploads: Uploads;
};

/** A file on its way to the answer of a question. */
type Upload = { questionId: string; path: string; file: File; row: HTMLElement };

/** Improves every file control of a form. */
export function uploadDirectly(form: HTMLFormElement, texts: Texts): Uploads {
  const uploads: Uploads = {
    isBusy: () => uploader.pendingCount > 0,
    findFailed: () => form.querySelector<HTMLElement>('[data-retry]'),
    onSettled: () => undefined,
  };
  const uploader: Uploader = { form, texts, queues: new Map(), pendingCount: 0, uploads };
  form.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset.upload) uploadChosenFiles(uploader, target);
  });
  // Files that were chosen while the script was on its way.
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-upload]')) {
    if (input.files?.length) uploadChosenFiles(uploader, input);
  }
  form.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('[data-remove]') : null;
    if (!button) return;
    event.preventDefault();
    void removeFile(uploader, button);
  });
  addEventListener('online', () => {
    for (const retry of form.querySelectorAll<HTMLElement>('[data-retry]')) retry.click();
  });
  return uploads;
}

/** Uploads the chosen files that the question accepts, and says what is wrong with the others. */
function uploadChosenFiles(uploader: Uploader, input: HTMLInputElement): void {
  const questionId = findQuestionId(input) ?? '';
  const files = [...(input.files ?? [])];
  // The files are sent here: the form must not send them again.
  input.value = '';
  const list = findFileList(uploader, questionId);
  for (const row of list?.querySelectorAll('[data-refused]') ?? []) row.remove();
  const { accepted, faults } = checkFiles(input, files, list?.children.length ?? 0, uploader.texts);
  for (const fault of faults) showRefused(uploader, addRow(uploader, questionId), fault);
  for (const file of accepted) {
    enqueue(uploader, { questionId, path: input.dataset.upload ?? '', file, row: addRow(uploader, questionId) });
  }
}

const findFileList = ({ form }: Uploader, questionId: string): HTMLElement | null =>
  findQuestion(form, questionId)?.querySelector<HTMLElement>('[data-files]') ?? null;

function addRow(uploader: Uploader, questionId: string): HTMLElement {
  const row = document.createElement('li');
  findFileList(uploader, questionId)?.append(row);
  return row;
}

function enqueue(uploader: Uploader, upload: Upload): void {
  const { queues, texts, uploads } = uploader;
  const abort = new AbortController();
  const cancel = button(texts.cancel, () => {
    abort.abort();
    findFileControl(uploader, upload.questionId)?.focus();
    upload.row.remove();
  });
  const waitingText = element('span', texts.queued ?? '');
  waitingText.className = 'muted';
  upload.row.replaceChildren(element('span', upload.file.name), waitingText, cancel);
  uploader.pendingCount += 1;
  const previousUpload = queues.get(upload.questionId) ?? Promise.resolve();
  const currentUpload = previousUpload.then(() => runUpload(uploader, upload, abort, cancel));
  queues.set(upload.questionId, currentUpload);
  void currentUpload.finally(() => {
    uploader.pendingCount -= 1;
    uploads.onSettled();
  });
}

const findFileControl = ({ form }: Uploader, questionId: string): HTMLElement | null =>
  findQuestion(form, questionId)?.querySelector<HTMLElement>('input[type="file"]') ?? null;

/** Sends a file and attaches it; its row shows the progress, then the file or what went wrong. */
async function runUpload(
  uploader: Uploader,
  upload: Upload,
  abort: AbortController,
  cancel: HTMLElement,
): Promise<void> {
  const { form, texts } = uploader;
  const { questionId, path, file, row } = upload;
  const { name } = file;
  if (abort.signal.aborted) return;
  const progress = document.createElement('progress');
  progress.className = 'upload-progress';
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute('aria-label', fill(texts.uploading, { name }));
  const percent = element('span', '0 %');
  percent.className = 'muted upload-percent';
  // The bar says it to screen readers.
  percent.setAttribute('aria-hidden', 'true');
  row.replaceChildren(element('span', name), progress, percent, cancel);
  void showThumbnail(row, file);
  try {
    const fileId = await sendFile(path, file, abort.signal, (share) => {
      progress.value = share;
      percent.textContent = `${Math.round(100 * share)} %`;
    });
    const html = await changeFiles(form, 'attach', questionId, fileId);
    if (abort.signal.aborted) {
      showFiles(uploader, questionId, await changeFiles(form, 'remove', questionId, fileId));
      return;
    }
    const hadFocus = row.contains(document.activeElement);
    row.dataset.file = fileId;
    showFiles(uploader, questionId, html);
    if (hadFocus) findFileControl(uploader, questionId)?.focus();
    announce(fill(texts.uploaded, { name }));
  } catch (error) {
    if (abort.signal.aborted) return;
    if (error instanceof UploadRefused) {
      const text = error.code === 'form_not_open' ? texts.formClosed : texts.uploadRefused;
      showRefused(uploader, row, error.message === '' ? fill(text, { name }) : `${name}: ${error.message}`);
    } else showFailed(uploader, upload);
  }
}

/** The height of a thumbnail in pixels, for screens with two for each of those of CSS. */
const THUMBNAIL_PX = 80;

/** Shows a picture small in its row; nothing for a file that the browser cannot draw. */
async function showThumbnail(row: HTMLElement, file: File): Promise<void> {
  if (!file.type.startsWith('image/')) return;
  const picture = await createImageBitmap(file, { resizeHeight: THUMBNAIL_PX, resizeQuality: 'medium' }).catch(
    () => undefined,
  );
  // The stored row may have taken its place meanwhile.
  const shown = row.isConnected ? row : document.querySelector(`[data-file="${row.dataset.file}"]`);
  if (!picture || !shown || shown.hasAttribute('data-refused')) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'thumbnail';
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  shown.prepend(canvas);
}

/** Shows the files of the answer as the server has them, also those that another tab added or removed. */
function showFiles(uploader: Uploader, questionId: string, html: string): void {
  const list = findFileList(uploader, questionId);
  if (!list) return;
  const template = document.createElement('template');
  template.innerHTML = html;
  const stored = [...template.content.querySelectorAll<HTMLElement>('[data-file]')];
  const currentRows = new Map(
    [...list.querySelectorAll<HTMLElement>('[data-file]')].map((row) => [row.dataset.file, row]),
  );
  for (const row of stored) {
    const currentRow = currentRows.get(row.dataset.file);
    const thumbnail = currentRow?.querySelector('.thumbnail');
    if (thumbnail) row.prepend(thumbnail);
    if (currentRow) currentRow.replaceWith(row);
    else list.append(row);
    currentRows.delete(row.dataset.file);
  }
  for (const row of currentRows.values()) row.remove();
  showError(uploader.form, questionId, undefined);
}

/** Removes a file from the answer. */
async function removeFile(uploader: Uploader, pressed: HTMLButtonElement): Promise<void> {
  const { form, texts } = uploader;
  const row = pressed.closest<HTMLElement>('[data-file]');
  const questionId = findQuestionId(pressed) ?? '';
  if (!row || pressed.hasAttribute('aria-busy')) return;
  const name = row.querySelector('a')?.textContent ?? '';
  pressed.setAttribute('aria-busy', 'true');
  row.querySelector('.error')?.remove();
  try {
    const html = await changeFiles(form, 'remove', questionId, row.dataset.file ?? '');
    showFiles(uploader, questionId, html);
    findFileControl(uploader, questionId)?.focus();
    announce(fill(texts.fileRemoved, { name }));
  } catch (error) {
    pressed.removeAttribute('aria-busy');
    const reason = error instanceof UploadRefused ? error.message : '';
    row.append(alert(`${fill(texts.removeFailed, { name })} ${reason}`));
  }
}

/** Shows that the file was not accepted, without a button to repeat: that would not help. */
function showRefused({ texts }: Uploader, row: HTMLElement, message: string): void {
  row.dataset.refused = '';
  row.replaceChildren(
    alert(message),
    button(texts.remove, () => row.remove()),
  );
}

/** Shows that the file could not be sent, with a button to repeat. */
function showFailed(uploader: Uploader, upload: Upload): void {
  const { texts } = uploader;
  const { row, file, questionId } = upload;
  const retry = button(texts.retry, () => enqueue(uploader, upload));
  retry.dataset.retry = '';
  const dismiss = button(texts.remove, () => {
    row.remove();
    findFileControl(uploader, questionId)?.focus();
  });
  row.replaceChildren(alert(fill(texts.uploadFailed, { name: file.name })), retry, dismiss);
}

function alert(message: string): HTMLElement {
  const line = element('span', message);
  line.className = 'error';
  line.setAttribute('role', 'alert');
  return line;
}

function element(tag: 'span', text: string): HTMLElement {
  const newElement = document.createElement(tag);
  newElement.textContent = text;
  return newElement;
}

function button(text = '', onClick: () => void): HTMLButtonElement {
  const newButton = document.createElement('button');
  newButton.type = 'button';
  newButton.className = 'quiet';
  newButton.textContent = text;
  newButton.addEventListener('click', onClick);
  return newButton;
}
