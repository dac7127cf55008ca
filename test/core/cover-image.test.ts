/** Which pictures the API takes as a form's cover: WebP by its bytes, at most 1,800 pixels each way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverFault } from '#core/forms/cover-image.ts';
import { readSample } from '#test/support/file-samples.ts';
import { chunk, extended, lossless, riff, type WebpKind, webp } from '#test/support/webp.ts';

const KINDS: readonly WebpKind[] = ['lossless', 'lossy', 'extended', 'animated'];
const letters = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const readStatus = async (bytes: Uint8Array) => (await coverFault(bytes))?.status;

describe.for(KINDS.map((kind) => [kind] as const))('a cover, %s', ([kind]) => {
  it.for<[width: number, height: number, isTooLarge: boolean]>([
    [1, 1, false],
    [1800, 1800, false],
    [1801, 1, true],
    [1, 1801, true],
    [16_383, 16_383, true],
  ])('of %d × %d pixels is too large: %s', async ([width, height, isTooLarge]) => {
    const detail = `must be at most 1800 pixels wide and high, but is ${width} × ${height}: make it smaller`;
    expect(await coverFault(webp(width, height, kind))).toEqual(isTooLarge ? { status: 400, detail } : undefined);
  });

  it('cut off within its header cannot be read', async () => {
    const whole = webp(20, 20, kind);
    for (let length = 12; length < (kind === 'lossless' ? 25 : 30); length += 1) {
      expect(await readStatus(whole.slice(0, length)), `${length} bytes`).toBe(415);
    }
  });
});

it.for([
  'PNG',
  'JPG',
  'GIF',
  'SVG',
  'PDF',
  'WAV',
  'AVI',
  'HEIC',
  'TXT',
  'ZIP',
] as const)('%s is no WebP', async (type) => {
  const fault = { status: 415, detail: 'must be a WebP image: save the picture as WebP' };
  expect(await coverFault(await readSample(type))).toEqual(fault);
});

it.for<[string, Uint8Array, number]>([
  ['nothing at all', new Uint8Array(), 415],
  ['the letters alone', letters('RIFF\0\0\0\0WEBP'), 415],
  ['another chunk first', riff(chunk('EXIF', new Uint8Array(40)), lossless(2, 2)), 415],
  ['a canvas with reserved flags', riff(extended(2, 2, 0xc1), lossless(2, 2)), 415],
  ['no width', webp(0, 10, 'lossy'), 400],
  ['no height', webp(10, 0, 'lossy'), 400],
  ['a canvas beyond all measure', riff(extended(16_777_216, 16_777_216), lossless(1, 1)), 400],
])('a cover of %s is refused', async ([, bytes, status]) => {
  expect(await readStatus(bytes)).toBe(status);
});

it('any bytes are accepted or refused with 400 or 415, without an error', async () => {
  const names = fc.constantFrom('VP8 ', 'VP8L', 'VP8X', 'ANMF', 'ANIM', 'ALPH', 'ICCP', 'XXXX');
  const content = fc.tuple(names, fc.uint8Array({ maxLength: 40 })).map((each) => chunk(...each));
  const changed = fc
    .tuple(fc.constantFrom(...KINDS), fc.nat({ max: 100 }), fc.nat({ max: 255 }), fc.nat({ max: 100 }))
    .map(([kind, at, value, length]) => {
      const bytes = webp(30, 30, kind);
      return bytes.with(at % bytes.length, value).slice(0, length);
    });
  const chunks = fc.array(content, { maxLength: 5 }).map((each) => riff(...each));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 60 }), chunks, changed), async (start) => {
      expect([undefined, 400, 415]).toContain(await readStatus(start));
    }),
    { numRuns: 1000 },
  );
});
