/** Which pictures can be a form's cover: WebP by its bytes, at most 1,800 pixels each way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverFault, MAX_COVER_PIXELS } from '#core/forms/cover-image.ts';
import { sampleOf } from '#test/support/file-samples.ts';
import { chunk, extended, lossless, riff, type WebpKind, webp } from '#test/support/webp.ts';

const KINDS: readonly WebpKind[] = ['lossless', 'lossy', 'extended', 'animated'];
const letters = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

it('has at most 1,800 pixels each way', () => {
  expect(MAX_COVER_PIXELS).toBe(1_800);
});

describe.for(KINDS.map((kind) => [kind] as const))('a cover, %s', ([kind]) => {
  it.for<[number, number]>([
    [1, 1],
    [1800, 1800],
    [1, 1800],
    [640, 480],
  ])('of %d × %d pixels is accepted', async ([width, height]) => {
    expect(await coverFault(webp(width, height, kind))).toBeUndefined();
  });

  it.for<[number, number]>([
    [1801, 1],
    [1, 1801],
    [1801, 1801],
    [16_383, 16_383],
  ])('of %d × %d pixels is refused as too large', async ([width, height]) => {
    expect(await coverFault(webp(width, height, kind))).toEqual({
      status: 400,
      detail: `must be at most 1800 pixels wide and high, but is ${width} × ${height}: make it smaller`,
    });
  });

  it('cut off within its header cannot be read', async () => {
    const whole = webp(20, 20, kind);
    const headerBytes = kind === 'lossless' ? 25 : 30;
    for (let length = 12; length < headerBytes; length += 1) {
      expect((await coverFault(whole.slice(0, length)))?.status, `${length} bytes`).toBe(415);
    }
  });
});

describe('what is no WebP', () => {
  it.for(['PNG', 'JPG', 'GIF', 'SVG', 'PDF', 'WAV', 'AVI', 'HEIC', 'TXT', 'ZIP'] as const)('%s', async (type) => {
    const fault = await coverFault(await sampleOf(type));
    expect(fault).toEqual({ status: 415, detail: 'must be a WebP image: save the picture as WebP' });
  });

  it.for<[string, Uint8Array]>([
    ['nothing at all', new Uint8Array()],
    ['the letters alone', letters('RIFF\0\0\0\0WEBP')],
    ['another chunk first', riff(chunk('EXIF', new Uint8Array(40)), lossless(2, 2))],
    ['a canvas with reserved flags', riff(extended(2, 2, 0xc1), lossless(2, 2))],
  ])('%s', async ([, bytes]) => {
    expect((await coverFault(bytes))?.status).toBe(415);
  });
});

it.for<[string, Uint8Array]>([
  ['of no width', webp(0, 10, 'lossy')],
  ['of no height', webp(10, 0, 'lossy')],
  ['beyond all measure', riff(extended(16_777_216, 16_777_216), lossless(1, 1))],
])('a cover %s is refused', async ([, bytes]) => {
  expect((await coverFault(bytes))?.status).toBe(400);
});

function withByte(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[at] = value;
  return changed;
}

describe('any bytes', () => {
  it('are accepted or refused with 400 or 415, without an error', async () => {
    const names = fc.constantFrom('VP8 ', 'VP8L', 'VP8X', 'ANMF', 'ANIM', 'ALPH', 'ICCP', 'XXXX');
    const chunks = fc.array(
      fc.tuple(names, fc.uint8Array({ maxLength: 40 })).map(([name, content]) => chunk(name, content)),
      { maxLength: 5 },
    );
    const changed = fc
      .tuple(fc.constantFrom(...KINDS), fc.nat({ max: 100 }), fc.nat({ max: 255 }), fc.nat({ max: 100 }))
      .map(([kind, at, value, length]) => withByte(webp(30, 30, kind), at, value).slice(0, length));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      chunks.map((each) => riff(...each)),
      changed,
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (start) => {
        expect([undefined, 400, 415]).toContain((await coverFault(start))?.status);
      }),
      { numRuns: 1000 },
    );
  });

  it('of a WebP are accepted exactly when both sides are in bounds', async () => {
    const side = fc.integer({ min: 1, max: 4000 });
    await fc.assert(
      fc.asyncProperty(side, side, fc.constantFrom(...KINDS), async (width, height, kind) => {
        const isAccepted = (await coverFault(webp(width, height, kind))) === undefined;
        expect(isAccepted).toBe(width <= 1800 && height <= 1800);
      }),
    );
  });
});
