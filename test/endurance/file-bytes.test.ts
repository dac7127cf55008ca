/** Hostile files: executables under every name, headers with wrong lengths, and random and mutated files. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindFault, LEADING_BYTES } from '#core/files/checks.ts';
import { FILE_KINDS, FILE_TYPES } from '#core/structure/types/file-types.ts';
import { bytesOf } from '#test/support/bytes.ts';
import { matroska, readSample, zipOf } from '#test/support/file-samples.ts';

const NAMES = FILE_TYPES.flatMap((type) => FILE_KINDS[type].extensions.map((extension) => `file.${extension}`));

const EXECUTABLES: Readonly<Record<string, Uint8Array>> = {
  'Windows (PE)': bytesOf('MZ', [0x90, 0, 3, 0], 54, [0x40, 0, 0, 0], 'PE\0\0', [0x64, 0x86], 200),
  'DOS (MZ)': bytesOf('MZ', [0x20, 0, 1, 0, 0, 0, 2, 0], 24, 'This program'),
  'Linux (ELF)': bytesOf('\x7fELF', [2, 1, 1], 9, [2, 0, 0x3e, 0], 44),
  'macOS, 64 bits, little end first': bytesOf([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1], 24),
  'macOS, 64 bits, big end first': bytesOf([0xfe, 0xed, 0xfa, 0xcf, 1, 0, 0, 7], 24),
  'macOS, 32 bits, little end first': bytesOf([0xce, 0xfa, 0xed, 0xfe, 7, 0, 0, 0], 24),
  'macOS, 32 bits, big end first': bytesOf([0xfe, 0xed, 0xfa, 0xce, 0, 0, 0, 18], 24),
  'macOS, several processors': bytesOf([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2], 40),
  'macOS, several processors of 64 bits': bytesOf([0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 2], 60),
  'Java (class)': bytesOf([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0x41], 40),
  'Java (class) of an unknown version': bytesOf([0xca, 0xfe, 0xba, 0xbe], 40),
  WebAssembly: bytesOf('\0asm', [1, 0, 0, 0], 20),
  'Android (dex)': bytesOf('dex\n035\0', 100),
};

describe('an executable is refused whatever it is named', () => {
  it.for(Object.entries(EXECUTABLES))('%s', async ([, bytes]) => {
    const long = bytesOf(bytes, LEADING_BYTES);
    for (const name of NAMES) {
      expect(await kindFault(name, bytes), name).toMatch(/^is named \.\w+ but .+: choose another file/);
      expect(await kindFault(name, long), name).toContain('is named');
    }
  });
});

describe('other files are refused under every name but those of text', () => {
  const binaryNames = NAMES.filter((name) => !/\.(?:txt|text|md|markdown|csv)$/.test(name));
  it.for<[string, Uint8Array]>([
    ['a shell script', bytesOf('#!/bin/sh\nrm -rf ~\n\0\0')],
    ['a web page', bytesOf('<!DOCTYPE html>\n<script>alert(1)</script>%PDF- %!PS')],
    ['a web page behind a comment', bytesOf('<!-- <svg> --> <HTML><svg></svg>')],
    ['a compressed file', gzipSync('%PDF-1.7')],
    ['a Windows shortcut', bytesOf([0x4c, 0, 0, 0, 1, 0x14, 2, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0x46], 60)],
    ['a font', bytesOf('wOF2', [0, 1, 0, 0], 40)],
    ['a database', bytesOf('SQLite format 3\0', 80)],
    ['bytes of no known format', bytesOf([1, 2, 3, 4], 30)],
  ])('%s', async ([, bytes]) => {
    const accepted = [];
    for (const name of binaryNames) if (!(await kindFault(name, bytes))) accepted.push(name);
    expect(accepted).toEqual([]);
  });
});

it('a fault says what the content is and what to do', async () => {
  expect(await kindFault('a.PDF', await readSample('PNG'))).toBe(
    'is named .pdf but its content is png: choose another file, or save it again as PDF',
  );
  expect(await kindFault('a.txt', bytesOf([1, 2, 3, 4], 30))).toBe(
    'is named .txt but does not begin as TXT files do: choose another file, or save it again as TXT',
  );
});

/** Headers that claim more than there is, or refer to themselves. */
const HOSTILE: Readonly<Record<string, Uint8Array>> = {
  'a gzip that unpacks to 60 MB': gzipSync(new Uint8Array(60_000_000)),
  'a ZIP that unpacks to 20 MB': zipOf({ mimetype: ' '.repeat(20_000_000), '[Content_Types].xml': ' '.repeat(100) }),
  'a ZIP that says to unpack to little, and unpacks to 60 MB': lyingZip(),
  'a ZIP with an endless entry': bytesOf(
    'PK\x03\x04',
    [20, 0, 8, 0, 8, 0],
    8,
    new Array(8).fill(255),
    [8, 0, 0, 0],
    'mimetype',
    500,
  ),
  'a ZIP of headers only': bytesOf(...Array.from({ length: 2000 }, () => bytesOf('PK\x03\x04', 26))),
  'boxes within boxes': bytesOf(...Array.from({ length: 5000 }, () => bytesOf([0, 0, 0x10, 0], 'moov'))),
  'a box of no length': bytesOf(4, 'ftyp', 0, 'isom', 4, 'moov'),
  'EBML of endless length': bytesOf([0x1a, 0x45, 0xdf, 0xa3, 1, 255, 255, 255, 255, 255, 255, 255], 200),
  'EBML of elements without content': bytesOf(matroska('webm').subarray(0, 4), [0x4f, 255], new Array(8000).fill(0xec)),
  'a thousand marks of UTF-8': bytesOf(...Array.from({ length: 20_000 }, () => [0xef, 0xbb, 0xbf])),
  'a thousand tags of ID3': bytesOf(...Array.from({ length: 6000 }, () => bytesOf('ID3', [3, 0, 0, 0, 0, 0, 0]))),
  'a tag of ID3 of endless length': bytesOf('ID3', [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], 50),
  'a PNG of endless chunks': bytesOf((await readSample('PNG')).subarray(0, 33), [0x7f, 255, 255, 255], 'tEXt', 90),
  'a PNG of empty chunks': bytesOf(
    (await readSample('PNG')).subarray(0, 33),
    ...Array.from({ length: 5000 }, () => bytesOf(4, 'tEXt', 4)),
  ),
  'a TIFF with 65,535 tags': bytesOf('II*\0', [8, 0, 0, 0, 255, 255], LEADING_BYTES),
  'a TIFF whose directory is itself': bytesOf('II*\0', [0, 0, 0, 0], 90),
  'comments that never end': Buffer.from('<!--'.repeat(16_000)),
  'document types in brackets': Buffer.from('<!doctype x [ '.repeat(4500)),
  'declarations without end': Buffer.from('<?x?>'.repeat(13_000)),
  'a document type of nothing but entities': Buffer.from(`<!DOCTYPE svg [${'<!ENTITY a "&b;">'.repeat(3500)}`),
};

/** A ZIP whose first entry states a tenth of a kilobyte, whatever is in it. */
function lyingZip(): Uint8Array {
  const bytes = zipOf({ '[Content_Types].xml': ' '.repeat(60_000_000) });
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(22, 100, true);
  return bytes;
}

describe('any bytes are checked in time and without an error', () => {
  it.for(Object.entries(HOSTILE))('%s', { timeout: 5_000 }, async ([, bytes]) => {
    for (const name of NAMES.concat('none')) {
      const fault = await kindFault(name, bytes);
      expect(fault === undefined || fault.length < 250).toBe(true);
    }
  });

  const anyName = fc.constantFrom(...NAMES);
  it('random bytes, with and without the beginning of a known format', { timeout: 60_000 }, async () => {
    const samples = await Promise.all(FILE_TYPES.map(readSample));
    const beginnings = [...samples, ...Object.values(EXECUTABLES)].map((bytes) => bytes.subarray(0, 16));
    const bytes = fc
      .tuple(fc.constantFrom(new Uint8Array(), ...beginnings), fc.uint8Array({ maxLength: 600 }))
      .map(([beginning, rest]) => bytesOf(beginning, rest));
    await fc.assert(
      fc.asyncProperty(anyName, bytes, async (name, start) => {
        expect(['string', 'undefined']).toContain(typeof (await kindFault(name, start)));
      }),
      { numRuns: 300 },
    );
  });

  it('files that were cut off, or in which some bytes were changed', { timeout: 60_000 }, async () => {
    const samples = await Promise.all(FILE_TYPES.map(readSample));
    const change = fc.tuple(fc.nat({ max: 400 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(
        anyName,
        fc.constantFrom(...samples),
        fc.array(change, { maxLength: 6 }),
        fc.nat({ max: 2000 }),
        async (name, sample, changes, length) => {
          const bytes = sample.slice(0, length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          expect(['string', 'undefined']).toContain(typeof (await kindFault(name, bytes)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('bytes beyond the leading ones are not looked at', async () => {
    const text = bytesOf('text '.repeat(LEADING_BYTES / 4)).subarray(0, LEADING_BYTES);
    expect(await kindFault('a.txt', bytesOf(text, [0, 1, 2]))).toBeUndefined();
    expect(await kindFault('a.txt', bytesOf(text.subarray(1), [0]))).toContain('is named .txt');
  });
});
