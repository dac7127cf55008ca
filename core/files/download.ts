/** Where the bytes of a file can be had for a minute (contract section 8, "Download"). */
import { uploadDisposition } from '#core/files/disposition.ts';
import type { App } from '#core/http/app.ts';
import { DOWNLOAD_URL_SECONDS, type StoredFile } from './model.ts';
import { placeOf } from './objects.ts';

/** The address of a file in storage, which answers it as an attachment of its stored type. */
export function downloadUrl(app: App, file: StoredFile): Promise<string> {
  const as = { contentType: file.contentType, disposition: uploadDisposition(file.filename) };
  return app.bucket.signGet(placeOf(file), as, DOWNLOAD_URL_SECONDS);
}
