/**
 * Small WebP images of any size: valid lossless ones of one colour, plain, extended or animated, and the header of a
 * lossy one. Chunks can be combined to invalid images.
 */
import { bytesOf, little } from './bytes.ts';

/** `lossy` is a header with the size only, which no browser shows. */
export type WebpKind = 'lossless' | 'lossy' | 'extended' | 'animated';

/** A WebP of a size in pixels. */
export function webp(width: number, height: number, kind: WebpKind = 'lossless'): Uint8Array<ArrayBuffer> {
  switch (kind) {
    case 'lossless':
      return riff(lossless(width, height));
    case 'lossy':
      return riff(chunk('VP8 ', bytesOf([0x10, 0, 0, 0x9d, 0x01, 0x2a], little(width, 2), little(height, 2), 2)));
    case 'extended':
      return riff(extended(width, height), lossless(width, height));
    case 'animated': {
      // A white background, endless repetition, and one frame at the corner for a tenth of a second.
      const frame = bytesOf(6, little(width - 1, 3), little(height - 1, 3), [100, 0, 0, 0], lossless(width, height));
      const repetition = chunk('ANIM', bytesOf([0xff, 0xff, 0xff, 0xff], 2));
      return riff(extended(width, height, 0x02), repetition, chunk('ANMF', frame));
    }
  }
}

/** The file around some chunks. */
export const riff = (...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  chunk('RIFF', bytesOf('WEBP', ...chunks));

/** An opaque frame: its size in 14 bits each, and prefix codes of one symbol, so that a pixel takes no bits at all. */
export const lossless = (width: number, height: number): Uint8Array =>
  chunk('VP8L', bytesOf([0x2f], little(width - 1 + (height - 1) * 2 ** 14), Buffer.from('2860810ad2ff00', 'hex')));

/** The header of an extended image: flags, and the size of the canvas. */
export const extended = (width: number, height: number, flags = 0): Uint8Array =>
  chunk('VP8X', bytesOf([flags], 3, little(width - 1, 3), little(height - 1, 3)));

/** A chunk of RIFF: its name, its length, its content made even. */
export const chunk = (name: string, content: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytesOf(name, little(content.length), content, content.length % 2);
