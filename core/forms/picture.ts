/**
 * Reads the segments of JPEG, PNG and WebP files: their size in pixels, and the file with only the segments that a browser
 * needs to show the picture. Other segments hold metadata and previews; of those of a JPEG, only how it is turned remains.
 * Of an animation only the first picture remains: a cover that moves next to the text of a form could not be stopped. Each
 * takes linear time; a file that is cut off, or has a segment that cannot be left out and is not known, is undefined.
 */

/** A picture of a size in pixels; `bytes` is the whole file. */
export type Picture = { width: number; height: number; bytes: Uint8Array };

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The picture, and its colours. Without the chunks of an animation, its first picture remains. */
const PNG_CHUNKS: ReadonlySet<string> = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD'.split(' '));

/** Reads a PNG file: chunks of a length, a name, the content and a checksum. */
export function readPng(file: Buffer): Picture | undefined {
  if (!file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return undefined;
  const kept: Buffer[] = [PNG_SIGNATURE];
  let size: { width: number; height: number } | undefined;
  let hasPixels = false;
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    const end = at + 12 + length;
    // The header is the first chunk, and the only one of its kind.
    if (end > file.length || (size === undefined) !== (name === 'IHDR')) return undefined;
    if (name === 'IHDR') {
      if (length !== 13) return undefined;
      size = { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12) };
    }
    if (PNG_CHUNKS.has(name)) kept.push(file.subarray(at, end));
    // The name of a chunk that cannot be left out begins with a capital.
    else if (/^[A-Z]/.test(name)) return undefined;
    hasPixels ||= name === 'IDAT';
    if (name === 'IEND') return size && hasPixels ? { ...size, bytes: Buffer.concat(kept) } : undefined;
    at = end;
  }
  return undefined;
}

const JPEG_START = 0xd8;
const JPEG_END = 0xd9;
const SCAN = 0xda;
const COLOR_PROFILE = 0xe2;
const PROFILE_NAME = 'ICC_PROFILE';
/** Frames that browsers show: baseline, extended and progressive. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, the interval of restarts, and what kind of colours the picture has. */
const TABLES: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xee]);

const EXIF = 0xe1;
const EXIF_NAME = 'Exif\0\0';
/** The tag of how a picture is turned. */
const ORIENTATION = 0x0112;
/** A segment that says only how a picture is turned, with zero in place of the number. */
const ORIENTATION_SEGMENT =
  'ffe1002245786966' + '0000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000';
const ORIENTATION_AT = 29;

const isMetadata = (marker: number): boolean => (marker >= 0xe1 && marker <= 0xef) || marker === 0xfe;

/** Reads a JPEG file: markers with a length and the content, and the data of a scan up to the next marker. */
export function readJpeg(file: Buffer): Picture | undefined {
  if (file[0] !== 0xff || file[1] !== JPEG_START) return undefined;
  const kept: Buffer[] = [file.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  let isTurned = false;
  let at = 2;
  while (at + 2 <= file.length) {
    const marker = file[at + 1] ?? 0;
    if (file[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG_END) {
      const bytes = Buffer.concat([...kept, file.subarray(at, at + 2)]);
      return size && hasScan ? { ...size, bytes } : undefined;
    }
    if (at + 4 > file.length) return undefined;
    const length = file.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > file.length) return undefined;
    const isFrame = FRAMES.has(marker);
    if (isFrame) {
      if (size || length < 8) return undefined;
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    const isProfile =
      marker === COLOR_PROFILE && file.toString('latin1', at + 4, at + 4 + PROFILE_NAME.length) === PROFILE_NAME;
    const next = marker === SCAN ? findScanEnd(file, end) : end;
    const turned = marker === EXIF && !isTurned ? readOrientation(file.subarray(at + 4, end)) : undefined;
    if (turned !== undefined) {
      kept.push(writeOrientation(turned));
      isTurned = true;
    } else if (isFrame || marker === SCAN || isProfile || TABLES.has(marker)) kept.push(file.subarray(at, next));
    else if (!isMetadata(marker)) return undefined;
    hasScan ||= marker === SCAN && size !== undefined;
    at = next;
  }
  return undefined;
}

/**
 * Reads how a picture is turned or mirrored, 2 to 8, from the content of an Exif segment: tags of a length in the order of
 * bytes that it names. Undefined if it is not, or does not say so.
 */
function readOrientation(content: Buffer): number | undefined {
  if (content.toString('latin1', 0, EXIF_NAME.length) !== EXIF_NAME) return undefined;
  const tags = content.subarray(EXIF_NAME.length);
  if (tags.length < 8) return undefined;
  const isLittleEndian = tags.toString('latin1', 0, 2) === 'II';
  const readShort = (at: number): number => (isLittleEndian ? tags.readUInt16LE(at) : tags.readUInt16BE(at));
  const start = isLittleEndian ? tags.readUInt32LE(4) : tags.readUInt32BE(4);
  const count = start + 2 <= tags.length ? readShort(start) : 0;
  for (let index = 0, at = start + 2; index < count && at + 12 <= tags.length; index += 1, at += 12) {
    if (readShort(at) !== ORIENTATION) continue;
    const turned = readShort(at + 8);
    return turned >= 2 && turned <= 8 ? turned : undefined;
  }
  return undefined;
}

function writeOrientation(turned: number): Buffer {
  const segment = Buffer.from(ORIENTATION_SEGMENT, 'hex');
  segment.writeUInt8(turned, ORIENTATION_AT);
  return segment;
}

/** Finds the marker after the data of a scan, in which 0xff is followed by 0, a restart, or fill. */
function findScanEnd(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at !== -1 && at + 1 < file.length; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
  return file.length;
}

const WEBP_PIXELS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L']);
const WEBP_CHUNKS: ReadonlySet<string> = new Set([...WEBP_PIXELS, 'VP8X', 'ICCP', 'ALPH', 'ANMF']);
/** The flags of an extended image that announce Exif, XMP and an animation. */
const LEFT_OUT_FLAGS = 0x0e;
/** What precedes the chunks of a picture of an animation: its place, its size less one, its duration. */
const FRAME_HEADER = 16;

type Chunk = { name: string; content: Buffer };

/**
 * Reads a WebP file whose size is known: chunks of a name, a length and the content, made even. Of an animation, the first
 * picture remains, with its own size.
 */
export function readWebp(file: Buffer, size: { width: number; height: number }): Picture | undefined {
  const chunks = readChunks(file, 12, 8 + file.readUInt32LE(4))?.filter(({ name }) => WEBP_CHUNKS.has(name));
  const frame = chunks?.find(({ name }) => name === 'ANMF')?.content;
  if (!chunks || (frame && frame.length < FRAME_HEADER)) return undefined;
  const { width, height } = frame ? { width: frame.readUIntLE(6, 3) + 1, height: frame.readUIntLE(9, 3) + 1 } : size;
  const ofPicture = frame ? readChunks(frame, FRAME_HEADER) : chunks;
  const pixels = ofPicture?.filter(({ name }) => name === 'ALPH' || WEBP_PIXELS.has(name)) ?? [];
  if (!pixels.some(({ name }) => WEBP_PIXELS.has(name))) return undefined;
  const header = chunks.filter(({ name }) => name === 'VP8X' || name === 'ICCP');
  for (const { name, content } of header) {
    if (name !== 'VP8X') continue;
    if (content.length < 10) return undefined;
    content.writeUInt8(content.readUInt8(0) & ~LEFT_OUT_FLAGS, 0);
    content.writeUIntLE(Math.max(width - 1, 0), 4, 3);
    content.writeUIntLE(Math.max(height - 1, 0), 7, 3);
  }
  return { width, height, bytes: writeWebp([...header, ...pixels]) };
}

/** Reads the chunks of a part of a file; undefined if one goes beyond its end. Their contents are copies. */
function readChunks(file: Buffer, start: number, end = file.length): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  if (end > file.length) return undefined;
  for (let at = start; at + 8 <= end; ) {
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > end) return undefined;
    chunks.push({
      name: file.toString('latin1', at, at + 4),
      content: Buffer.from(file.subarray(at + 8, at + 8 + length)),
    });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function writeWebp(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ name, content }) => {
    const header = Buffer.alloc(8);
    header.write(name, 'latin1');
    header.writeUInt32LE(content.length, 4);
    return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
  });
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...parts]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes;
}
