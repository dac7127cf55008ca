/** Download URLs of files. */
import { objects } from '#core/db/objects.ts';
import type { Ports } from '#core/db/ports.ts';
import type { StoredFile } from '#core/responses/files.ts';
import { timeAfter } from '#core/schema/time.ts';
import { DOWNLOAD_URL_SECONDS } from '#core/schema/upload.ts';
import { contentDisposition } from './disposition.ts';

/** A URL in storage that returns a file for one minute, as an attachment with its stored type. */
export async function downloadUrl(
  { bucket, now }: Pick<Ports, 'bucket' | 'now'>,
  file: StoredFile,
): Promise<{ url: string; expiresAt: string }> {
  const as = { contentType: file.contentType, disposition: contentDisposition(file.filename) };
  const url = await bucket.signGet(objects.file(file.responseId, file.id), as, DOWNLOAD_URL_SECONDS);
  return { url, expiresAt: timeAfter(now(), DOWNLOAD_URL_SECONDS) };
}
