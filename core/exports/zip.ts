/** Writes a ZIP archive in a stream: what it contains is added while it is read, so that memory does not grow with it. */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** How an entry is written; `compressionLevel` 0 stores it as it is. */
type EntryOptions = { mtime: Date; compressionLevel: number };

/** An archive that is being written. */
export type Zip = {
  add: (path: string, content: string) => void;
  /** Adds an entry of any size and waits until it is read. */
  stream: (path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<void>;
  /** Whether the reader has stopped. */
  isClosed: () => boolean;
};

/**
 * Writes an archive in chunks, on demand; large ones use zip64. `fill` adds its entries, in their order; stopping early ends what is being
 * added. Throws while it is read what `fill` throws.
 */
export async function* writeZip(
  { mtime, compressionLevel }: EntryOptions,
  fill: (zip: Zip) => Promise<void>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = new ZipFile();
  const output = file.outputStream;
  if (!(output instanceof Readable)) throw new TypeError('yazl has no readable output');
  const entry = { mtime, ...(compressionLevel === 0 ? { compress: false } : { compressionLevel }) };
  let current: Readable | undefined;
  // The archive keeps, until its end, the function that gives the content of an entry: one for all, so that no content is kept with it.
  const giveCurrent = (give: (error: unknown, content: Readable) => void): void => {
    if (current) give(null, current);
  };
  const zip: Zip = {
    add: (path, content) => file.addBuffer(Buffer.from(content), path, entry),
    stream: async (path, chunks) => {
      if (output.destroyed) throw new Error('nobody reads the archive any more');
      current = Readable.from(chunks, { objectMode: false });
      file.addReadStreamLazy(path, entry, giveCurrent);
      await finished(current);
      current = undefined;
    },
    isClosed: () => output.destroyed,
  };
  const filled = fill(zip)
    .then(() => file.end())
    .catch((error: Error) => output.destroy(error));
  try {
    yield* output;
  } finally {
    current?.destroy();
    await filled;
  }
}
