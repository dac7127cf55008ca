/**
 * Packs the parts of a workbook into a zip, one after the other, as they are produced. fflate knows the container
 * format; the bytes are deflated by node:zlib on another thread while the next rows are rendered.
 * Nothing runs ahead of the reader by more than a few chunks. The parts come from `xlsx.ts`.
 */
import { pipeline } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { crc32, createDeflateRaw, type ZlibOptions } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of the package: its path, and its content at once or in chunks. */
export type Part = { path: string; content: string | AsyncIterable<Uint8Array> };

/** Level 3 is where more effort stops paying for rows of text. */
const DEFLATE_LEVEL = 3;
const DEFLATE = 8;
const CHUNK_BYTES = 65_536;
// The streams of node:zlib take the options of every stream, which their types do not say. Half a megabyte may
// wait to be compressed, so that rendering and compressing overlap.
const DEFLATE_OPTIONS: ZlibOptions & { writableHighWaterMark: number } = {
  level: DEFLATE_LEVEL,
  chunkSize: CHUNK_BYTES,
  writableHighWaterMark: 8 * CHUNK_BYTES,
};
/** fflate writes no zip64: sizes and offsets have 32 bits. */
const MAX_ZIP_BYTES = 0xffff_ffff;
/** The first and last years that a zip can name, by the clock of any zone. */
const ZIP_TIMES = { first: Date.UTC(1980, 0, 2), last: Date.UTC(2099, 11, 30) };

/**
 * The parts as one zip.
 * @param modifiedAt the time that the entries carry
 * @throws RangeError when the zip would grow beyond what its 32-bit offsets can address (4 GiB), and whatever the
 *   parts throw. Stopping to read closes the parts.
 */
export async function* zip(
  parts: AsyncIterable<Part>,
  modifiedAt: Date,
  maxBytes: number = MAX_ZIP_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  const mtime = Math.min(Math.max(modifiedAt.getTime(), ZIP_TIMES.first), ZIP_TIMES.last);
  const out = openArchive(maxBytes);
  for await (const part of parts) {
    const entry: ZipInputFile = { filename: part.path, size: 0, crc: 0, compression: DEFLATE, mtime };
    out.archive.add(entry);
    for await (const chunk of deflated(part.content, entry)) {
      entry.ondata?.(null, chunk, false);
      yield* out.take();
    }
    entry.ondata?.(null, new Uint8Array(0), true);
    yield* out.take();
  }
  out.archive.end();
  yield* out.take();
}

/** fflate hands its bytes to a callback at once; they are kept until the reader takes them. */
function openArchive(maxBytes: number): { archive: Zip; take: () => Uint8Array[] } {
  let ready: Uint8Array[] = [];
  let total = 0;
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    total += chunk.length;
    if (total > maxBytes) throw new RangeError(`The file would be larger than ${maxBytes} bytes.`);
    if (chunk.length > 0) ready.push(chunk);
  });
  const take = (): Uint8Array[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  return { archive, take };
}

/** The content compressed; its size and checksum are kept on the entry, which must have them at the end. */
async function* deflated(
  content: Part['content'],
  entry: ZipInputFile,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const deflate = createDeflateRaw(DEFLATE_OPTIONS);
  const chunks = typeof content === 'string' ? [Buffer.from(content)] : content;
  // An error destroys the stream that is read below, which throws it on.
  pipeline(measured(chunks, entry), deflate, () => {});
  for await (const chunk of deflate) yield chunk;
}

async function* measured(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  entry: ZipInputFile,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    entry.crc = crc32(chunk, entry.crc);
    entry.size += chunk.length;
    yield chunk;
    // Rows that need no waiting would keep the thread, and the compressor would get its next chunk only when its
    // buffer is full: let it come by after each one.
    await setImmediate();
  }
}
