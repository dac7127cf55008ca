/**
 * Pictures of other kinds become WebP before they are sent, if the browser can write it, and large ones become smaller.
 * Drawing a picture anew also leaves out where and with what it was taken.
 */

/** What the service accepts. */
const MAX_PIXELS = 1_800;
const MAX_BYTES = 2 * 1_024 * 1_024;
const QUALITY = 0.85;

/** Converts what is chosen in a field for covers; the button waits for it. */
export function convertCovers(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-cover]')) {
    input.addEventListener('change', async () => {
      const [file] = input.files ?? [];
      const button = input.form?.querySelector<HTMLButtonElement>('button');
      if (!file || !button) return;
      button.disabled = true;
      const converted = await toWebp(file).catch(() => undefined);
      button.disabled = false;
      // The person may have chosen another file meanwhile.
      if (!converted || input.files?.[0] !== file) return;
      const chosen = new DataTransfer();
      chosen.items.add(converted);
      input.files = chosen.files;
    });
  }
}

/** The picture as WebP; undefined if it already is a small one, or the browser cannot write WebP. */
async function toWebp(file: File): Promise<File | undefined> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_PIXELS / Math.max(bitmap.width, bitmap.height));
  if (file.type === 'image/webp' && scale === 1 && file.size <= MAX_BYTES) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
  return blob?.type === 'image/webp' ? new File([blob], 'cover.webp', { type: blob.type }) : undefined;
}
