/** Downloads of files: safe names, the `Content-Disposition` with them, and signed URLs. */
import { encodeExtended, format } from 'content-disposition';
import { objects } from '#core/db/bucket.ts';
import type { Ports } from '#core/db/ports.ts';
import type { StoredFile } from '#core/responses/store.ts';
import { timeAfter } from '#core/schema/format.ts';
import { DOWNLOAD_URL_SECONDS } from '#core/schema/upload.ts';

/** The longest encoded name: it is part of the download URL, whose length storage and gateways limit. */
const MAX_ENCODED_BYTES = 3_000;
const MAX_SAFE_CHARACTERS = 200;

// \p{Cc}: control characters. Bidi_C: marks, embeddings, overrides and isolates that make `fdp.exe` look like `exe.pdf`.
const INVISIBLE = /[\p{Cc}\p{Bidi_C}\u200b\u2028\u2029\ufeff]/gu;
const SEPARATORS = /[/\\:*?"<>|\s]+/g;

/**
 * Makes any text a name that is safe in a path and a file manager: without control and bidi characters, path separators and
 * other characters that Windows refuses, leading and trailing spaces and dots. It may be empty.
 */
export const safeName = (name: string): string =>
  trimName(
    name
      .toWellFormed()
      .replace(/[\t\r\n]/g, ' ')
      .replace(INVISIBLE, '')
      .replace(SEPARATORS, ' '),
  );

/**
 * Trims spaces and dots of a name: leading dots hide a file, and Windows drops trailing ones. A loop, because a pattern
 * anchored at the end takes quadratic time on a long run of dots.
 */
export function trimName(name: string): string {
  let start = 0;
  let end = name.length;
  while (start < end && isEdge(name.charAt(start))) start += 1;
  while (end > start && isEdge(name.charAt(end - 1))) end -= 1;
  return name.slice(start, end);
}

const isEdge = (character: string): boolean => character === '.' || /\s/.test(character);

/**
 * Builds the `Content-Disposition` of a download: `attachment` with the exact name in `filename*`, except that path separators
 * and NUL become `_`, and a safe ASCII name in `filename` for old clients.
 * @param name any text; a name that is too long for a URL is shortened and keeps its extension
 */
export function contentDisposition(name: string): string {
  const safe = shortened(safeName(name)) || 'download';
  const exact = name.toWellFormed().replace(/[/\\\0]/g, '_') || 'download';
  const encoded = encodeExtended(exact);
  const parameters = {
    filename: safe.replace(/[^\x20-\x7e]/gu, '_').replace(/[%;]/g, '_'),
    'filename*': encoded.length > MAX_ENCODED_BYTES ? encodeExtended(safe) : encoded,
  };
  return format({ type: 'attachment', parameters });
}

/** Shortens a name to at most 200 characters, keeping the extension. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_SAFE_CHARACTERS) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return trimName(characters.slice(0, MAX_SAFE_CHARACTERS - extension.length).join('')) + extension;
}

// Signs download URLs of files.

/** Signs a URL in storage that returns a file for one minute, as an attachment with its stored type. */
export async function downloadUrl(
  { bucket, now }: Pick<Ports, 'bucket' | 'now'>,
  file: StoredFile,
): Promise<{ url: string; expiresAt: string }> {
  const options = { contentType: file.contentType, disposition: contentDisposition(file.filename) };
  const url = await bucket.signGet(objects.file(file.responseId, file.id), options, DOWNLOAD_URL_SECONDS);
  return { url, expiresAt: timeAfter(now(), DOWNLOAD_URL_SECONDS) };
}
