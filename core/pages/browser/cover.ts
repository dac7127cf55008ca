/**
 * Pictures become WebP, or JPEG where the browser cannot write WebP, before they are sent, and large ones become smaller.
 * Drawing a picture again also turns photos upright, and leaves out where and with what they were taken.
 */

import { MAX_COVER_BYTES, MAX_COVER_PIXELS } from '../../schema/limits.ts';

const QUALITY = 0.85;

/** Converts what is chosen in a field for covers, also what was chosen while the script was on its way. */
export function convertCovers(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-cover]')) void convertChosen(target);
  });
  for (const input of document.querySelectorAll<HTMLInputElement>('[data-cover]')) void convertChosen(input);
}

/** Converts the picture of a field; the button waits for it. */
async function convertChosen(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? [];
  const button = input.form?.querySelector<HTMLButtonElement>('button');
  if (!file || !button) return;
  button.disabled = true;
  const converted = await convert(file).catch(() => undefined);
  button.disabled = false;
  // The person may have chosen another file meanwhile.
  if (!converted || input.files?.[0] !== file) return;
  const chosen = new DataTransfer();
  chosen.items.add(converted);
  input.files = chosen.files;
}

/** The picture in a format that the service accepts; undefined if it already is a small WebP. */
async function convert(file: File): Promise<File | undefined> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_COVER_PIXELS / Math.max(bitmap.width, bitmap.height));
  if (file.type === 'image/webp' && scale === 1 && file.size <= MAX_COVER_BYTES) return undefined;
  return (await draw(bitmap, scale, 'image/webp')) ?? draw(bitmap, scale, 'image/jpeg');
}

/** Draws a picture; undefined if the browser cannot write the format. JPEG has no transparency, so it gets a white ground. */
async function draw(bitmap: ImageBitmap, scale: number, type: 'image/webp' | 'image/jpeg'): Promise<File | undefined> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const area = canvas.getContext('2d');
  if (area && type === 'image/jpeg') {
    area.fillStyle = 'white';
    area.fillRect(0, 0, canvas.width, canvas.height);
  }
  area?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  return blob?.type === type ? new File([blob], type.replace('image/', 'cover.'), { type }) : undefined;
}
