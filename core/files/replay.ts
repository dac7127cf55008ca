/** Replays an announcement of uploads: its URLs are signed again, because the recorded ones expire. */
import { signUpload } from '#core/db/bucket.ts';
import { objects } from '#core/db/objects.ts';
import type { Ports } from '#core/db/ports.ts';
import { UploadResult } from './model.ts';

/** The recorded body of an announcement with fresh upload URLs. */
export async function resignUploads(
  app: Pick<Ports, 'bucket' | 'now'>,
  responseId: string,
  body: unknown,
): Promise<UploadResult> {
  const recorded = UploadResult().parse(body);
  const files = recorded.files.map(async (file) => {
    if (!file.upload) return file;
    const sha256 = file.upload.headers['x-amz-checksum-sha256'] ?? '';
    return { ...file, upload: await signUpload(app, objects.file(responseId, file.fileId), { ...file, sha256 }) };
  });
  return { files: await Promise.all(files) };
}
