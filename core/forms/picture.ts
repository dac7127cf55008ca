/**
 * Reads the segments of JPEG, PNG and WebP files: their size in pixels, and the file with only the segments that a browser
 * needs to show the picture. Other segments hold metadata, previews or animations. Each takes linear time; a file that is
 * cut off, or has a segment that cannot be left out and is not known, is undefined.
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

const isMetadata = (marker: number): boolean => (marker >= 0xe1 && marker <= 0xef) || marker === 0xfe;

/** Reads a JPEG file: markers with a length and the content, and the data of a scan up to the next marker. */
export function readJpeg(file: Buffer): Picture | undefined {
  if (file[0] !== 0xff || file[1] !== JPEG_START) return undefined;
  const kept: Buffer[] = [file.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
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
    if (isFrame || marker === SCAN || isProfile || TABLES.has(marker)) kept.push(file.subarray(at, next));
    else if (!isMetadata(marker)) return undefined;
    hasScan ||= marker === SCAN && size !== undefined;
    at = next;
  }
  return undefined;
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

const WEBP_PIXELS: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ANMF']);
const WEBP_CHUNKS: ReadonlySet<string> = new Set([...WEBP_PIXELS, 'VP8X', 'ICCP', 'ANIM', 'ALPH']);
/** The flags of an extended image that announce Exif and XMP. */
const METADATA_FLAGS = 0x0c;

/** Reads a WebP file whose size is known: chunks of a name, a length and the content, made even. */
export function readWebp(file: Buffer, size: { width: number; height: number }): Picture | undefined {
  const fileEnd = 8 + file.readUInt32LE(4);
  if (fileEnd > file.length) return undefined;
  const kept: Buffer[] = [];
  let hasPixels = false;
  for (let at = 12; at + 8 <= fileEnd; ) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > fileEnd) return undefined;
    const content = Buffer.from(file.subarray(at, end));
    if (name === 'VP8X' && length > 0) content.writeUInt8(content.readUInt8(8) & ~METADATA_FLAGS, 8);
    if (WEBP_CHUNKS.has(name)) kept.push(content, Buffer.alloc(length % 2));
    hasPixels ||= WEBP_PIXELS.has(name);
    at = end + (length % 2);
  }
  if (!hasPixels) return undefined;
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  const bytes = Buffer.concat([header, ...kept]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return { ...size, bytes };
}
