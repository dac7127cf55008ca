/** PNG and JPEG files of any size and with any further segments. The pixels are all the same, or missing. */
import { crc32, deflateSync } from 'node:zlib';

/** A chunk of a PNG file. */
export function pngChunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(content.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

/** A grey PNG; `further` chunks are between its header and its pixels. */
export function png(width: number, height: number, further: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const isSmall = width * height < 4_000_000;
  const pixels = isSmall ? deflateSync(Buffer.alloc((width + 1) * height)) : Buffer.alloc(4);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...further,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/** A segment of a JPEG file. */
export function jpegSegment(marker: number, content: Uint8Array): Buffer {
  const segment = Buffer.alloc(content.length + 4);
  segment.writeUInt16BE(0xff00 + marker, 0);
  segment.writeUInt16BE(content.length + 2, 2);
  segment.set(content, 4);
  return segment;
}

/** A JPEG with a frame of a size and a scan of a few bytes; `further` segments come first. */
export function jpeg(width: number, height: number, further: readonly Buffer[] = [], frame = 0xc0): Buffer {
  const size = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...further,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(frame, size),
    jpegSegment(0xc4, Buffer.alloc(18)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from('12ff003456ffd078ffd9', 'hex'),
  ]);
}
