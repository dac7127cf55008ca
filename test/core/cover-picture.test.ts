/** Which pictures the pages take as covers: JPEG, PNG and WebP by their bytes, whole, small, and without metadata. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CoverImage, requirePictureCover } from '#core/forms/cover-image.ts';
import { Problem } from '#core/problems/problems.ts';
import { big, bytesOf, little } from '#test/support/bytes.ts';
import { readSample } from '#test/support/file-samples.ts';
import { jpeg, jpegSegment, png, pngChunk } from '#test/support/pictures.ts';
import { chunk, extended, lossless, riff, webp } from '#test/support/webp.ts';

const KINDS = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/webp', webp],
] as const;
const letters = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The image, or the status of the problem. */
const readPicture = (bytes: Uint8Array): Promise<CoverImage | number> =>
  requirePictureCover(bytes).catch((error: unknown) => {
    if (error instanceof Problem) return error.status;
    throw error;
  });

describe.for(KINDS)('%s', ([type, picture]) => {
  test('is what its bytes say, and stays as it is', async () => {
    const bytes = picture(1_800, 3);
    const outcome = await readPicture(bytes);
    expect(outcome).toEqual({ type, bytes: expect.anything(), width: 1_800, height: 3 });
    expect(typeof outcome === 'object' && Buffer.from(outcome.bytes).equals(bytes)).toBe(true);
  });

  test.for([
    [1_801, 1],
    [1, 1_801],
    [10_000, 6_000],
  ] as const)('of %d × %d pixels is refused', async ([width, height]) => {
    expect(await readPicture(picture(width, height))).toBe(400);
  });

  test('that is cut off anywhere is refused', async () => {
    const bytes = picture(4, 4);
    for (let length = 0; length < bytes.length; length += 1) {
      expect([length, await readPicture(bytes.subarray(0, length))]).toEqual([length, 415]);
    }
  });

  test('of more than 2 MB is refused', async () => {
    expect(await readPicture(Buffer.concat([picture(4, 4), Buffer.alloc(2_097_152)]))).toBe(413);
  });

  test('loses what follows its end', async () => {
    const bytes = picture(4, 4);
    const outcome = await readPicture(Buffer.concat([bytes, letters('<script>')]));
    expect(typeof outcome === 'object' && Buffer.from(outcome.bytes).equals(bytes)).toBe(true);
  });
});

test.for<[string, Uint8Array]>([
  [
    'a PNG with texts and an animation',
    png(
      4,
      4,
      ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME', 'acTL', 'fcTL', 'fdAT'].map((name) => pngChunk(name, letters('GPS'))),
    ),
  ],
  [
    'a JPEG with Exif, a comment and a preview',
    jpeg(
      4,
      4,
      [0xe1, 0xe2, 0xed, 0xef, 0xfe].map((marker) => jpegSegment(marker, letters('GPS'))),
    ),
  ],
  [
    'a WebP with Exif and XMP',
    riff(extended(4, 4, 0x0c), lossless(4, 4), chunk('EXIF', letters('GPS')), chunk('XMP ', letters('GPS'))),
  ],
])('%s keeps only what shows the picture', async ([, bytes]) => {
  const outcome = await readPicture(bytes);
  const kept = typeof outcome === 'object' ? Buffer.from(outcome.bytes) : letters('GPS');
  expect(kept.includes('GPS')).toBe(false);
  // What was left out leaves a file of which nothing more is left out.
  expect(await readPicture(kept)).toEqual(outcome);
});

/** An Exif segment in an order of bytes: where a picture was taken, how it is turned, and a preview. */
function exif(order: 'II' | 'MM', turned: number): Buffer {
  const number = order === 'II' ? little : big;
  const tag = (name: number, value: number) => [
    ...number(name, 2),
    ...number(3, 2),
    ...number(1),
    ...number(value, 2),
    0,
    0,
  ];
  const tags = [tag(0x0100, 4), tag(0x0112, turned), tag(0x8825, 6)];
  const content = bytesOf('Exif\0\0', order, number(42, 2), number(10), 'at', number(3, 2), ...tags, 4, 'GPS');
  return jpegSegment(0xe1, content);
}

describe('of the metadata of a JPEG only how it is turned remains', () => {
  test.for(
    [2, 3, 4, 5, 6, 7, 8].flatMap((turned) => [['II', turned] as const, ['MM', turned] as const]),
  )('%s: %d', async ([order, turned]) => {
    const xmp = jpegSegment(0xe1, letters('http://ns.adobe.com/xap/1.0/\0GPS'));
    const outcome = await readPicture(jpeg(4, 4, [xmp, exif(order, turned), exif(order, 9 - turned)]));
    const kept = typeof outcome === 'object' ? Buffer.from(outcome.bytes) : letters('GPS');
    expect(kept.includes('GPS')).toBe(false);
    // Exif with one tag, in the segment of the first one: a number of two bytes, the highest first.
    const only = bytesOf('Exif\0\0MM', [0, 42], big(8), big(1, 2), [0x01, 0x12, 0, 3], big(1), [0, turned, 0, 0], 4);
    expect(kept.equals(jpeg(4, 4, [jpegSegment(0xe1, only)]))).toBe(true);
    expect(await readPicture(kept)).toEqual(outcome);
  });

  test.for<[string, Buffer]>([
    ['upright', exif('MM', 1)],
    ['turned as nothing can be', exif('MM', 9)],
    ['without an order of bytes', jpegSegment(0xe1, letters('Exif\0\0'))],
    ['whose tags begin beyond its end', jpegSegment(0xe1, bytesOf('Exif\0\0MM', [0, 42], [255, 255, 255, 255]))],
    ['with fewer tags than it says', jpegSegment(0xe1, bytesOf('Exif\0\0MM', [0, 42], big(8), [255, 255], 12))],
  ])('nothing of one %s', async ([, segment]) => {
    expect(await readPicture(jpeg(4, 4, [segment]))).toMatchObject({ bytes: jpeg(4, 4) });
  });
});

test('an animation becomes its first picture', async () => {
  expect(await readPicture(webp(4, 5, 'animated'))).toMatchObject({ bytes: Buffer.from(webp(4, 5, 'extended')) });
  const [file, flags] = [webp(4, 5, 'animated'), 20];
  // A canvas larger than the first picture, and further pictures.
  const frames = file.subarray(file.length - chunk('ANMF', new Uint8Array(16)).length - lossless(4, 5).length);
  const larger = riff(extended(40, 50, file[flags]), chunk('ANIM', new Uint8Array(6)), frames, frames);
  expect(await readPicture(larger)).toEqual({
    type: 'image/webp',
    bytes: Buffer.from(webp(4, 5, 'extended')),
    width: 4,
    height: 5,
  });
  const cutOff = riff(extended(4, 5, file[flags]), chunk('ANMF', new Uint8Array(8)));
  expect(await readPicture(cutOff)).toBe(415);
});

test('colours stay as they are', async () => {
  const profile = letters('ICC_PROFILE\0\x01\x01 wide');
  for (const bytes of [
    jpeg(4, 4, [jpegSegment(0xe2, profile), jpegSegment(0xee, letters('Adobe'))]),
    png(4, 4, [pngChunk('iCCP', profile)]),
  ]) {
    expect(await readPicture(bytes)).toMatchObject({ bytes });
  }
});

test.for(['GIF', 'SVG', 'PDF', 'TIFF', 'HEIC', 'TXT', 'ZIP', 'AVI'] as const)('%s is refused', async (type) => {
  expect(await readPicture(await readSample(type))).toBe(415);
});

test.for<[string, Uint8Array]>([
  ['nothing', new Uint8Array()],
  ['a page', letters('<!doctype html><script>alert(1)</script>')],
  ['a PNG without pixels', Buffer.concat([png(4, 4).subarray(0, 33), png(4, 4).subarray(-12)])],
  ['a PNG with two headers', png(4, 4, [png(9_000, 9_000).subarray(8, 33)])],
  ['a PNG with an unknown chunk that matters', png(4, 4, [pngChunk('CgBI', letters('x'))])],
  ['a JPEG with two frames', jpeg(4, 4, [jpegSegment(0xc0, Buffer.from([8, 0, 4, 0, 4, 1, 1, 17, 0]))])],
  ['a lossless JPEG, which no browser shows', jpeg(4, 4, [], 0xc3)],
  ['a WebP whose chunk goes beyond its end', riff(chunk('VP8L', letters('x')).subarray(0, 6))],
])('%s is refused', async ([, bytes]) => {
  expect(await readPicture(bytes)).toBe(415);
});

test.for([png(0, 4), jpeg(0, 4), jpeg(4, 0)])('a picture of no width or height is refused', async (bytes) => {
  expect(await readPicture(bytes)).toBe(400);
});

test('any bytes are accepted or refused, without an error', async () => {
  const changed = fc
    .tuple(
      fc.constantFrom(png(9, 9), jpeg(9, 9), jpeg(9, 9, [exif('II', 6)]), Buffer.from(webp(9, 9))),
      fc.nat({ max: 200 }),
      fc.nat({ max: 255 }),
    )
    .map(([bytes, at, value]) => {
      const copy = Buffer.from(bytes);
      copy[at % copy.length] = value;
      return copy;
    });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 60 }), changed), async (bytes) => {
      const outcome = await readPicture(bytes);
      expect([400, 415].includes(Number(outcome)) || typeof outcome === 'object').toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
