/** PNG and JPEG files of any size and with any further segments. The pixels are all the same, or missing. */
import { crc32, deflateSync } from 'node:zlib';
import { big, bytesOf } from './bytes.ts';

/** A chunk of a PNG file. */
export const pngChunk = (name: string, content: Uint8Array | string = ''): Buffer =>
  Buffer.from(bytesOf(big(content.length), name, content, big(crc32(bytesOf(name, content)))));

/** A grey PNG; `further` chunks are between its header and its pixels. */
export function png(width: number, height: number, further: readonly Buffer[] = []): Buffer {
  const isSmall = width * height < 4_000_000;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', bytesOf(big(width), big(height), [8], 4)),
    ...further,
    pngChunk('IDAT', isSmall ? deflateSync(Buffer.alloc((width + 1) * height)) : Buffer.alloc(4)),
    pngChunk('IEND'),
  ]);
}

/** A segment of a JPEG file. */
export const jpegSegment = (marker: number, content: Uint8Array): Buffer =>
  Buffer.from(bytesOf([0xff, marker], big(content.length + 2, 2), content));

/** A JPEG with a frame of a size and a scan of a few bytes; `further` segments come first. */
export const jpeg = (width: number, height: number, further: readonly Buffer[] = [], frame = 0xc0): Buffer =>
  Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...further,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(frame, bytesOf([8], big(height, 2), big(width, 2), [1, 1, 0x11, 0])),
    jpegSegment(0xc4, Buffer.alloc(18)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from('12ff003456ffd078ffd9', 'hex'),
  ]);
