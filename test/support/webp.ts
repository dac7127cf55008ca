/**
 * Small WebP images of any size: valid lossless ones of one colour, plain, extended or animated, and the header of a
 * lossy one. Chunks can be combined to invalid images.
 */

/** `lossy` is a header with the size only, which no browser shows. */
export type WebpKind = 'lossless' | 'lossy' | 'extended' | 'animated';

/** A WebP of a size in pixels. */
export function webp(width: number, height: number, kind: WebpKind = 'lossless'): Uint8Array<ArrayBuffer> {
  switch (kind) {
    case 'lossless':
      return riff(lossless(width, height));
    case 'lossy':
      return riff(lossy(width, height));
    case 'extended':
      return riff(extended(width, height), lossless(width, height));
    case 'animated':
      return riff(extended(width, height, ANIMATED), animation(), animationFrame(lossless(width, height)));
  }
}

/** The file around some chunks. */
export function riff(...chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return joined(chunk('RIFF', joined(letters('WEBP'), ...chunks)));
}

/** A frame of one opaque colour: five prefix codes of one symbol each, so that a pixel takes no bits at all. */
export function lossless(width: number, height: number): Uint8Array {
  const bits: (readonly [number, number])[] = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    // No alpha is used; version 0; no transform, no colour cache, one set of codes.
    ...[1, 3, 1, 1, 1].map((size) => [0, size] as const),
    // Simple codes of one symbol: green, red and blue of 8 bits each, opaque alpha; distance of 1 bit.
    ...[0x80, 0x40, 0x20, 0xff].flatMap((symbol) => oneSymbol(symbol)),
    ...[1, 0, 0, 0].map((bit) => [bit, 1] as const),
  ];
  return chunk('VP8L', packed(bits));
}

const oneSymbol = (symbol: number) =>
  [
    [1, 1],
    [0, 1],
    [1, 1],
    [symbol, 8],
  ] as const;

/** The header of a lossy key frame. */
function lossy(width: number, height: number): Uint8Array {
  return chunk('VP8 ', Uint8Array.of(0x10, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2), 0, 0));
}

const ANIMATED = 0x02;
/** Background and endless repetition. */
const animation = (): Uint8Array => chunk('ANIM', Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0));

/** The header of an extended image: flags, and the size of the canvas. */
export function extended(width: number, height: number, flags = 0): Uint8Array {
  return chunk('VP8X', Uint8Array.of(flags, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)));
}

/** A frame of an animation, at the corner and for a tenth of a second; its size is that of the lossless frame in it. */
function animationFrame(frame: Uint8Array): Uint8Array {
  const size = new DataView(frame.buffer, frame.byteOffset).getUint32(9, true);
  const [width, height] = [size & 0x3fff, (size >>> 14) & 0x3fff];
  return chunk(
    'ANMF',
    joined(Uint8Array.of(...little(0, 6), ...little(width, 3), ...little(height, 3), 100, 0, 0, 0), frame),
  );
}

/** A chunk of RIFF: its name, its length, its content made even. */
export function chunk(name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(content.length % 2);
  return joined(letters(name), Uint8Array.from(little(content.length, 4)), content, padding);
}

const letters = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const little = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);

/** Values of a given number of bits each, lowest bit first. */
function packed(values: readonly (readonly [value: number, bits: number])[]): Uint8Array {
  const bits = values.flatMap(([value, size]) => Array.from({ length: size }, (_, index) => (value >> index) & 1));
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  bits.forEach((bit, index) => {
    bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
  });
  return bytes;
}
