/** Validates cover images: WebP by their bytes, at most 1,800 pixels wide and high. */

/** The largest width and height. */
export const MAX_COVER_PIXELS = 1_800;
export const COVER_TYPE = 'image/webp';
/** The shortest WebP header with a size; `image-size` misreads a truncated lossless one. */
const MIN_HEADER_BYTES = 25;

type CoverFault = { status: 415 | 400; detail: string };

/**
 * Why an image cannot be a cover. Never throws, whatever the bytes are.
 * @param image the whole image
 * @returns undefined for a valid cover; status 415 for anything but WebP, 400 for a wrong size in pixels
 */
export async function coverFault(image: Uint8Array): Promise<CoverFault | undefined> {
  const size = await webpSize(image);
  if (!size) return { status: 415, detail: 'must be a WebP image: save the picture as WebP' };
  const { width, height } = size;
  if (width < 1 || height < 1) return { status: 400, detail: 'must be at least 1 pixel wide and high' };
  if (width <= MAX_COVER_PIXELS && height <= MAX_COVER_PIXELS) return undefined;
  const detail = `must be at most ${MAX_COVER_PIXELS} pixels wide and high, but is ${width} × ${height}: make it smaller`;
  return { status: 400, detail };
}

/** Whether an image begins as a WebP file: `RIFF`, a size of four bytes, `WEBP`. */
function isWebp(image: Uint8Array): boolean {
  const start = Buffer.from(image.subarray(0, 12)).toString('latin1');
  return start.startsWith('RIFF') && start.endsWith('WEBP');
}

async function webpSize(image: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  // Other formats are not passed to `image-size`, which takes very long for some malformed images.
  if (image.length < MIN_HEADER_BYTES || !isWebp(image)) return undefined;
  const { imageSize } = await import('image-size');
  try {
    const { type, width, height } = imageSize(image);
    return type === 'webp' ? { width, height } : undefined;
  } catch {
    // `imageSize` throws for unknown formats.
    return undefined;
  }
}
