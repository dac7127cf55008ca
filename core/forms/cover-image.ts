/**
 * Whether some bytes can be a form's cover (contract section 4): WebP by its bytes, at most 1,800 pixels each way.
 * A WebP says its size up to three times: for the canvas, and in each frame on it. A frame that is larger than it
 * should be is found here, not in the browser that would unpack it.
 */

/** Width and height, each. */
export const MAX_COVER_PIXELS = 1_800;
export const COVER_TYPE = 'image/webp';

export type CoverFault = { status: 415 | 400; detail: string };
type Size = { width: number; height: number };

/**
 * What is wrong with a cover.
 * @param image all of its bytes
 * @returns undefined for a cover that can be taken; 415 for what is no WebP, 400 for one that is too large. Never
 * throws, whatever the bytes are.
 */
export async function coverFault(image: Uint8Array): Promise<CoverFault | undefined> {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (!isRiff(bytes)) return unsupported('must be a WebP image: save the picture as WebP');
  const found = await sizesOf(bytes);
  if (!found) return unsupported('is not a WebP image that can be read: save the picture as WebP again');
  const { canvas, frames } = found;
  for (const size of [canvas, ...frames]) {
    if (size.width < 1 || size.height < 1) return tooLarge('must be at least 1 pixel wide and high');
    if (size.width > MAX_COVER_PIXELS || size.height > MAX_COVER_PIXELS) {
      return tooLarge(
        `must be at most ${MAX_COVER_PIXELS} pixels wide and high, but is ${size.width} × ${size.height}: make it smaller`,
      );
    }
    if (size.width > canvas.width || size.height > canvas.height) {
      return tooLarge('holds a frame that is larger than the image says to be: save the picture as WebP again');
    }
  }
  return undefined;
}

const unsupported = (detail: string): CoverFault => ({ status: 415, detail });
const tooLarge = (detail: string): CoverFault => ({ status: 400, detail });

const isRiff = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** The size of the canvas, and of each frame whose header is within the bytes; undefined for what cannot be read. */
async function sizesOf(bytes: Buffer): Promise<{ canvas: Size; frames: Size[] } | undefined> {
  const { imageSize } = await import('image-size');
  const [first] = chunksOf(bytes, 12, bytes.length);
  if (first?.kind !== 'VP8X' && !isFrame(first)) return undefined;
  const frames = framesOf(bytes);
  if (!frames.every((frame) => isDecodable(bytes, frame))) return undefined;
  // All of the image is here, and no picture in it.
  if (frames.length === 0) return undefined;
  try {
    return { canvas: imageSize(bytes), frames: frames.map((frame) => imageSize(alone(bytes, frame))) };
  } catch {
    // The library throws for what it cannot read.
    return undefined;
  }
}

/** A chunk of a RIFF file: its four letters, and where its content is as far as it is there. */
type Chunk = { kind: string; start: number; end: number };

const isFrame = (chunk: Chunk | undefined): boolean => chunk?.kind === 'VP8 ' || chunk?.kind === 'VP8L';

/** In a chunk ANMF: place, size and duration of a frame of an animation, before the chunks of the frame itself. */
const ANIMATION_FRAME_BYTES = 16;

function* chunksOf(bytes: Buffer, from: number, to: number): Generator<Chunk> {
  let at = from;
  while (at + 8 <= to) {
    const size = bytes.readUInt32LE(at + 4);
    yield { kind: bytes.toString('latin1', at, at + 4), start: at + 8, end: Math.min(at + 8 + size, to) };
    at += 8 + size + (size % 2);
  }
}

/** All frames, those of an animation too. */
const framesOf = (bytes: Buffer): Chunk[] =>
  [...chunksOf(bytes, 12, bytes.length)].flatMap((chunk) => {
    if (chunk.kind !== 'ANMF') return isFrame(chunk) ? [chunk] : [];
    return [...chunksOf(bytes, chunk.start + ANIMATION_FRAME_BYTES, chunk.end)].filter(isFrame);
  });

/** Whether a frame begins as a decoder demands: a key frame with its start code, or the signature of lossless ones. */
function isDecodable(bytes: Buffer, { kind, start, end }: Chunk): boolean {
  if (kind === 'VP8L') return end - start >= 5 && bytes[start] === 0x2f;
  const isKeyFrame = ((bytes[start] ?? 1) & 1) === 0;
  return end - start >= 10 && isKeyFrame && bytes.readUIntBE(start + 3, 3) === 0x9d012a;
}

/** A frame as an image of its own, its header only: the library then tells the size of the frame. */
function alone(bytes: Buffer, { start, end }: Chunk): Buffer {
  const header = bytes.subarray(start - 8, Math.min(start + 10, end));
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), header]);
}
