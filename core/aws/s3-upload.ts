/**
 * Uploads an object of any size in parts of 5 MB: while two are sent, the next one is collected, so memory is flat and
 * a slow upload holds its source back. Parts of an upload that was neither completed nor aborted, because the process
 * died, are removed by the bucket's rule for incomplete uploads.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

type NamedObject = { Bucket: string; Key: string };
type Part = { PartNumber: number; ETag: string | undefined };

/** The least that S3 allows for all parts but the last; with at most 10,000 parts, 50 GB. */
const PART_BYTES = 5 * 1_024 * 1_024;
const PARTS_AT_ONCE = 2;
/** Sending a part, or joining many, takes longer than any other call. */
const SLOW_CALL = { requestTimeout: 60_000 };

/** Uploads chunks as one object. Throws errors of the chunks and of S3, after the upload was aborted. */
export async function uploadInParts(
  client: S3Client,
  named: NamedObject,
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...named, ContentType: contentType }));
  try {
    const Parts = await sendParts(client, { ...named, UploadId }, chunks);
    const complete = new CompleteMultipartUploadCommand({ ...named, UploadId, MultipartUpload: { Parts } });
    await client.send(complete, SLOW_CALL);
  } catch (error) {
    // The first error is the one to report; the rule of the bucket removes what cannot be removed now.
    await client.send(new AbortMultipartUploadCommand({ ...named, UploadId })).catch(() => undefined);
    throw error;
  }
}

async function sendParts(
  client: S3Client,
  upload: NamedObject & { UploadId: string | undefined },
  chunks: AsyncIterable<Uint8Array>,
): Promise<Part[]> {
  const parts: Promise<Part>[] = [];
  for await (const Body of partsOf(chunks)) {
    const PartNumber = parts.length + 1;
    const sent = client
      .send(new UploadPartCommand({ ...upload, PartNumber, Body }), SLOW_CALL)
      .then(({ ETag }) => ({ PartNumber, ETag }));
    // Awaited below; marks a rejection as handled until then.
    sent.catch(() => undefined);
    parts.push(sent);
    // Back-pressure: at most two parts are under way.
    if (parts.length >= PARTS_AT_ONCE) await parts[parts.length - PARTS_AT_ONCE];
  }
  return Promise.all(parts);
}

/** Chunks joined to parts; at least one, because an upload without parts cannot be completed. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let part = Buffer.allocUnsafe(PART_BYTES);
  let used = 0;
  let count = 0;
  for await (let chunk of chunks) {
    while (used + chunk.length >= PART_BYTES) {
      part.set(chunk.subarray(0, PART_BYTES - used), used);
      chunk = chunk.subarray(PART_BYTES - used);
      yield part;
      count += 1;
      part = Buffer.allocUnsafe(PART_BYTES);
      used = 0;
    }
    part.set(chunk, used);
    used += chunk.length;
  }
  if (used > 0 || count === 0) yield part.subarray(0, used);
}
