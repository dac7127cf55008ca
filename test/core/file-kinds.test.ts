/** The type of a file by its name and by its leading bytes; every type is tried under the name of every other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindFault } from '#core/files/checks.ts';
import {
  FILE_KINDS,
  FILE_TYPES,
  type FileType,
  findContentType,
  findFileType,
  isAllowedName,
} from '#core/structure/types/file-types.ts';
import { bytesOf } from '#test/support/bytes.ts';
import { branded, openXml, readSample, zipOf } from '#test/support/file-samples.ts';

const nameOf = (type: FileType): string => `file.${FILE_KINDS[type].extensions[0]}`;

/** Types whose files can also be of another type of the family. */
const FAMILIES: readonly (readonly FileType[])[] = [
  ['TXT', 'MD', 'CSV'],
  ['JPG', 'JPEG'],
  ['PDF', 'AI', 'EPS'],
  ['TIFF', 'RAW'],
  ['DOC', 'XLS', 'PPT'],
  ['MP4', 'MOV', 'M4A'],
  ['MKV', 'WEBM'],
  ['ZIP', 'DOCX', 'PPTX', 'XLSX', 'ODT', 'ODP', 'ODS'],
];
const isFamily = (one: FileType, other: FileType): boolean =>
  one === other || FAMILIES.some((family) => family.includes(one) && family.includes(other));

describe('the bytes of a type', () => {
  describe.for(FILE_TYPES.map((type) => [type] as const))('%s', ([type]) => {
    it('are accepted under each of its extensions', async () => {
      const sample = await readSample(type);
      for (const extension of FILE_KINDS[type].extensions) {
        expect(await kindFault(`file.${extension}`, sample), extension).toBeUndefined();
        expect(await kindFault(`file.${extension.toUpperCase()}`, sample), extension).toBeUndefined();
      }
    });

    it('are refused under the extensions of other families', async () => {
      const sample = await readSample(type);
      const others = FILE_TYPES.filter((other) => !isFamily(type, other));
      const accepted = [];
      for (const other of others) if (!(await kindFault(nameOf(other), sample))) accepted.push(other);
      expect(accepted).toEqual([]);
      expect(others.length).toBeGreaterThan(29);
    });
  });

  it.for<[FileType, string]>([
    ['XLSX', 'a.docx'],
    ['DOCX', 'a.xlsx'],
    ['PPTX', 'a.docx'],
    ['ODS', 'a.odt'],
    ['ZIP', 'a.docx'],
    ['ZIP', 'a.ods'],
    ['EPS', 'a.pdf'],
    ['M4A', 'a.mp4'],
    ['MKV', 'a.webm'],
  ])('%s is refused as %s, though of the same family', async ([type, name]) => {
    expect(await kindFault(name, await readSample(type))).toContain('is named');
  });

  it.for<[string, Uint8Array, string]>([
    ['an office document as a ZIP', openXml('word/document.xml', 'wordprocessingml.document'), 'a.zip'],
    ['an empty ZIP', bytesOf('PK\x05\x06', 18), 'a.zip'],
    ['a document whose type only shows beyond the leading bytes', bigZip(), 'a.docx'],
    ['a film with the brand of QuickTime', branded('qt  '), 'a.mp4'],
    ['a voice memo with the brand of a film', branded('mp42'), 'a.m4a'],
    ['a TIFF whose directory is at its end', bytesOf('MM\0*', [0, 0x10, 0, 0], 200), 'a.tiff'],
    ['a song whose cover exceeds the leading bytes', bytesOf('ID3', [4, 0, 0, 0, 9, 0, 0], 65_526), 'a.mp3'],
    ['a PDF behind an empty line', bytesOf('\r\n%PDF-1.4\n\0'), 'a.pdf'],
    ['an old drawing of Illustrator', bytesOf('%!PS-Adobe-2.0 EPSF-1.2\n'), 'a.ai'],
  ])('accepts %s', async ([, bytes, name]) => {
    expect(await kindFault(name, bytes)).toBeUndefined();
  });
});

/** The leading bytes of a ZIP that begins with a long entry of noise. */
function bigZip(): Uint8Array {
  const noise = fc.sample(fc.string({ minLength: 90_000, maxLength: 90_000, size: 'max' }), { seed: 1, numRuns: 1 })[0];
  return zipOf({ 'media/noise.bin': noise ?? '', '[Content_Types].xml': '<Types/>' }).subarray(0, 65_536);
}

describe('a text', () => {
  const utf16 = (text: string): Uint8Array => bytesOf([0xff, 0xfe], Buffer.from(text, 'utf16le'));
  it.for<[string, Uint8Array, string]>([
    ['one letter', bytesOf('a'), 'a.txt'],
    ['in UTF-8 with its mark', bytesOf([0xef, 0xbb, 0xbf], 'name,age\n'), 'a.csv'],
    ['in UTF-16', utf16('名前,年齢\n'), 'a.csv'],
    ['in UTF-16, cut within a character', utf16('名前').subarray(0, 5), 'a.csv'],
    ['in UTF-16, cut within a pair', utf16('a😀').subarray(0, 6), 'a.csv'],
    ['in Big5', bytesOf([0xaa, 0xed, 0xb3, 0xe6, 0x0a]), 'a.txt'],
    ['in Korean with shifts (ISO 2022)', bytesOf('\x1b$)C\n\x0e!]1W\x0f\n'), 'a.txt'],
    ['in UTF-8, cut within a character', bytesOf('long \xe5\x90'), 'a.md'],
    ['that looks like a bitmap', bytesOf('BMI,weight\n22,70\n'), 'a.csv'],
    ['that looks like music', bytesOf('MAC address,ID\n'), 'a.csv'],
    ['that looks like a program', bytesOf('MZ,Mozambique\nNA,Namibia\n'), 'a.csv'],
    ['that looks like a drawing', bytesOf('AC1024;bolt\n'), 'a.csv'],
    ['of MATLAB or TeX', bytesOf('%!TEX root = main.tex\n'), 'a.txt'],
    ['of a shell', bytesOf('#!/bin/sh\necho hello\n'), 'a.txt'],
    ['with pages and coloured words', bytesOf('one\f\x1b[31mtwo\x1b[0m\x1a'), 'a.txt'],
  ])('%s is accepted', async ([, bytes, name]) => {
    expect(await kindFault(name, bytes)).toBeUndefined();
  });

  it.for<[string, Uint8Array, string]>([
    ['with a NUL', bytesOf('one\0two'), 'a.txt'],
    ['with control characters', bytesOf('one\x01two'), 'a.csv'],
    ['in UTF-16 without its mark', bytesOf(Buffer.from('name', 'utf16le')), 'a.txt'],
    ['in UTF-16 with half a character', bytesOf([0xff, 0xfe, 0x00, 0xdc, 0x61, 0]), 'a.txt'],
    ['that is a web page', bytesOf('\n<!-- x --><!DOCTYPE html><p>'), 'a.txt'],
    ['that is a PDF', bytesOf('%PDF-1.4\n'), 'a.txt'],
    ['under the name of a picture', bytesOf('GIFTS for all'), 'a.gif'],
    ['under the name of a bitmap', bytesOf('BMI,weight and more of it\n22,70\n'), 'a.bmp'],
    ['under the name of a film', bytesOf('somefree text'), 'a.mov'],
    ['under the name of a song', bytesOf('ID3 tags explained'), 'a.mp3'],
    ['under the name of a raw picture', bytesOf('just words'), 'a.raw'],
  ])('%s is refused', async ([, bytes, name]) => {
    expect(await kindFault(name, bytes)).toContain('is named');
  });

  it.for<[string, boolean]>([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', true],
    [
      '<?xml version="1.0"?>\n<!DOCTYPE svg [<!ENTITY a "<svg>">]>\n<s:svg xmlns:s="http://www.w3.org/2000/svg"/>',
      true,
    ],
    ['\ufeff<?xml version="1.0"?><!-- <html> --><svg>', true],
    ['<?xml version="1.0"?><note><svg/></note>', false],
    ['<html><body><svg></svg></body></html>', false],
    ['<!doctype html><svg></svg>', false],
    ['<script>alert(1)</script><svg/>', false],
    ['<svgx/>', false],
    ['not a <svg> at all', false],
    [`<!--${' '.repeat(70_000)}--><svg/>`, false],
  ])('is an SVG when its first element is: %#', async ([text, accepted]) => {
    const fault = await kindFault('a.svg', Buffer.from(text));
    expect(fault === undefined).toBe(accepted);
  });
});

describe('the name of a file', () => {
  it.for<[string, FileType | undefined]>([
    ['a.pdf', 'PDF'],
    ['A.PDF', 'PDF'],
    ['a.tar.zip', 'ZIP'],
    ['a"b\n.c d.JpEg', 'JPG'],
    [`${'é'.repeat(400)}.heif`, 'HEIC'],
    ['\u202efdp.\u202dpng', undefined],
    ['a.fdp\u202e', undefined],
    ['a.pdf ', undefined],
    ['a.pdf.', undefined],
    ['a.pdf\n', undefined],
    ['a.pdf\0', undefined],
    ['pdf', undefined],
    ['', undefined],
    ['a.pdf/b', undefined],
    ['a.ｐｄｆ', undefined],
    ['a.m\u212av', undefined],
    ['a.рdf', undefined],
    ['a.exe', undefined],
    ['a.html', undefined],
    ['a.constructor', undefined],
  ])('%j is of the type %s', ([name, type]) => {
    expect(findFileType(name)).toBe(type);
  });

  it('may have either extension of JPEG when one is allowed', () => {
    for (const type of ['JPG', 'JPEG'] as const) {
      expect(isAllowedName('a.jpg', [type])).toBe(true);
      expect(isAllowedName('a.JPEG', ['PNG', type])).toBe(true);
    }
    expect(isAllowedName('a.jpg', ['PNG', 'PDF'])).toBe(false);
    expect(isAllowedName('a.jpg', [])).toBe(false);
    expect(isAllowedName('a', FILE_TYPES)).toBe(false);
  });

  it('without a known extension and a file without content are refused', async () => {
    expect(await kindFault('a.exe', await readSample('PDF'))).toMatch(/^must end in the extension/);
    for (const type of FILE_TYPES) expect(await kindFault(nameOf(type), new Uint8Array())).toMatch(/^is empty/);
  });

  it('no two types share an extension, except JPG and JPEG', () => {
    const all = FILE_TYPES.filter((type) => type !== 'JPEG').flatMap((type) => FILE_KINDS[type].extensions);
    expect(all).toEqual([...new Set(all)]);
    for (const type of FILE_TYPES) expect(FILE_KINDS[type].extensions).toContain(type.toLowerCase());
  });
});

describe('the stored media type', () => {
  it.for([
    ['a.csv', 'text/csv'],
    ['A.JFIF', 'image/jpeg'],
    ['a.html', 'application/octet-stream'],
    ['a', 'application/octet-stream'],
  ])('of %s is %s', ([name = '', stored]) => {
    expect(findContentType(name)).toBe(stored);
  });

  it('is never one that a browser runs', () => {
    const all = FILE_TYPES.map((type) => findContentType(nameOf(type)));
    expect(all.filter((each) => !/^[a-z]+\/[a-z0-9.+-]+$/.test(each))).toEqual([]);
    expect(all.filter((each) => /html|script(?!$)|javascript|x-sh/.test(each))).toEqual([]);
  });
});
