/**
 * Checks cover images by their bytes: at most 2 MB and 1,800 pixels wide and high. The API takes WebP as it is; the pages
 * also take JPEG and PNG, and leave out what says where and with what a picture was taken.
 */
import { problems } from '#core/problems/problems.ts';
import { MAX_COVER_BYTES, MAX_COVER_PIXELS } from '#core/schema/limits.ts';
import { NO_UPLOAD } from './edit.ts';
import { type Picture, readJpeg, readPng, readWebp } from './picture.ts';

/** The shortest WebP header with a size; `image-size` misreads a truncated lossless one. */
const MIN_HEADER_BYTES = 25;

type Size = { width: number; height: number };

/** An image that can be a cover, with the content type that its bytes say. */
export type CoverImage = { type: 'image/webp' | 'image/jpeg' | 'image/png'; bytes: Uint8Array };

type CoverFault = { status: 415 | 400; detail: string };

/**
 * Finds why an image cannot be a cover. Never throws, whatever the bytes are.
 * @param image the whole image
 * @returns undefined for a valid cover; status 415 for anything but WebP, 400 for a wrong size in pixels
 */
export async function coverFault(image: Uint8Array): Promise<CoverFault | undefined> {
  const size = await webpSize(image);
  return size ? pixelFault(size) : { status: 415, detail: 'must be a WebP image: save the picture as WebP' };
}

function pixelFault({ width, height }: Size): CoverFault | undefined {
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

async function webpSize(image: Uint8Array): Promise<Size | undefined> {
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

/** Says why an image of some bytes is too large for a cover; undefined if it is not. */
export const coverSizeFault = (size: number): string | undefined =>
  size > MAX_COVER_BYTES ? `must have at most ${MAX_COVER_BYTES} bytes (2 MB), but has ${size}` : undefined;

/** Returns a WebP image as it is. Throws 413 for more than 2 MB, 415 for anything but WebP, 400 for too many pixels. */
export async function requireWebpCover(bytes: Uint8Array): Promise<CoverImage> {
  requireCoverSize(bytes);
  refuse(await coverFault(bytes));
  return { type: 'image/webp', bytes };
}

/**
 * Returns a WebP, JPEG or PNG image without its metadata. Throws 413 for more than 2 MB, 415 for anything else and for an
 * image that is cut off, 400 for too many pixels.
 */
export async function requirePictureCover(bytes: Uint8Array): Promise<CoverImage> {
  requireCoverSize(bytes);
  const picture = await readPicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!picture) throw problems.unsupportedMediaType('The cover must be a whole WebP, JPEG or PNG image.');
  refuse(pixelFault(picture));
  return picture;
}

function requireCoverSize(bytes: Uint8Array): void {
  const tooLarge = coverSizeFault(bytes.length);
  if (tooLarge !== undefined) throw problems.tooLarge(`The cover ${tooLarge}.`);
}

function refuse(fault: CoverFault | undefined): void {
  if (fault?.status === 415) throw problems.unsupportedMediaType(`The cover ${fault.detail}.`);
  if (fault) throw problems.invalid([{ ...NO_UPLOAD, detail: fault.detail }]);
}

async function readPicture(image: Buffer): Promise<(CoverImage & Size) | undefined> {
  const size = await webpSize(image);
  const webp: Picture | undefined = size && readWebp(image, size);
  if (webp) return { type: 'image/webp', ...webp };
  const jpeg = readJpeg(image);
  if (jpeg) return { type: 'image/jpeg', ...jpeg };
  const png = readPng(image);
  return png && { type: 'image/png', ...png };
}
