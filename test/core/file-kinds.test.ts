/**
 * What an uploaded file is (contract sections 5 and 8): by its name, by its leading bytes, and which media type is
 * stored for it. Every kind is tried under the name of every other; `file-bytes.test.ts` has what is made to deceive.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindFault } from '#core/files/kind.ts';
import { contentTypeOf, type FileType, isAllowedName, KINDS, typeOfName } from '#core/files/kind-model.ts';
import { FILE_TYPES } from '#core/structure/question-model.ts';
import { branded, bytesOf, compound, openXml, sampleOf, zipOf } from '#test/support/file-samples.ts';

const nameOf = (type: FileType): string => `file.${KINDS[type].extensions[0]}`;

/** Kinds whose files are, or may be, one another's. All others are strangers. */
const FAMILIES: readonly (readonly FileType[])[] = [
  ['TXT', 'MD', 'CSV'],
  ['JPG', 'JPEG'],
  ['PDF', 'AI', 'EPS'],
  ['TIFF', 'RAW'],
  ['MP4', 'MOV', 'M4A'],
  ['MKV', 'WEBM'],
  ['ZIP', 'DOCX', 'PPTX', 'XLSX', 'ODT', 'ODP', 'ODS'],
];
const isFamily = (one: FileType, other: FileType): boolean =>
  one === other || FAMILIES.some((family) => family.includes(one) && family.includes(other));

describe('the bytes of a kind', () => {
  describe.for(FILE_TYPES.map((type) => [type] as const))('%s', ([type]) => {
    it('are taken under each of its extensions', async () => {
      const sample = await sampleOf(type);
      for (const extension of KINDS[type].extensions) {
        expect(await kindFault(`file.${extension}`, sample), extension).toBeUndefined();
        expect(await kindFault(`file.${extension.toUpperCase()}`, sample), extension).toBeUndefined();
      }
    });

    it('are refused under the extensions of strangers', async () => {
      const sample = await sampleOf(type);
      const strangers = FILE_TYPES.filter((other) => !isFamily(type, other));
      const taken = [];
      for (const other of strangers) if (!(await kindFault(nameOf(other), sample))) taken.push(other);
      expect(taken).toEqual([]);
      expect(strangers.length).toBeGreaterThan(29);
    });
  });

  it.for<[FileType, string]>([
    ['XLSX', 'a.docx'],
    ['DOCX', 'a.xlsx'],
    ['PPTX', 'a.docx'],
    ['ODS', 'a.odt'],
    ['ZIP', 'a.docx'],
    ['ZIP', 'a.ods'],
    ['XLS', 'a.doc'],
    ['DOC', 'a.ppt'],
    ['EPS', 'a.pdf'],
    ['M4A', 'a.mp4'],
    ['MKV', 'a.webm'],
  ])('%s is refused as %s, though of the same family', async ([type, name]) => {
    expect(await kindFault(name, await sampleOf(type))).toContain('is named');
  });

  it.for<[string, Uint8Array, string]>([
    ['a ZIP of an office document', openXml('word/document.xml', 'wordprocessingml.document'), 'a.zip'],
    ['a ZIP with nothing in it', bytesOf('PK\x05\x06', 18), 'a.zip'],
    ['an Office document whose directory is far away', compound(), 'a.doc'],
    ['a Word document with a table of Excel in it', compound('WordDocument', 'Workbook'), 'a.doc'],
    ['a table of Excel with a Word document in it', compound('Workbook', 'WordDocument'), 'a.xls'],
    ['a document that tells its kind beyond the leading bytes', bigZip(), 'a.docx'],
    ['a film of QuickTime by its brand', branded('qt  '), 'a.mp4'],
    ['a voice memo by the brand of a film', branded('mp42'), 'a.m4a'],
    ['a TIFF whose directory is at its end', bytesOf('MM\0*', [0, 0x10, 0, 0], 200), 'a.tiff'],
    ['a raw picture without any header', bytesOf([0xfe, 0x81, 0x90, 0xc3], 600, [0xfe, 0x81]), 'a.raw'],
    ['a song with padding behind its tags', bytesOf('ID3', [4, 0, 0, 0, 0, 0, 9], 60), 'a.mp3'],
    ['a PDF behind an empty line', bytesOf('\r\n%PDF-1.4\n'), 'a.pdf'],
    ['PostScript from a spooler', bytesOf('\x1b%-12345X@PJL\n%!PS-Adobe-3.0\n'), 'a.eps'],
    ['an old drawing of Illustrator', bytesOf('%!PS-Adobe-2.0 EPSF-1.2\n'), 'a.ai'],
  ])('takes %s', async ([, bytes, name]) => {
    expect(await kindFault(name, bytes)).toBeUndefined();
  });
});

/** A ZIP that begins with a long entry of noise. */
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
  ])('%s is taken', async ([, bytes, name]) => {
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
  ])('is an SVG when its first element is: %#', async ([text, taken]) => {
    const fault = await kindFault('a.svg', Buffer.from(text));
    expect(fault === undefined).toBe(taken);
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
  ])('%j is of the kind %s', ([name, type]) => {
    expect(typeOfName(name)).toBe(type);
  });

  it('says JPEG by both extensions when either is allowed', () => {
    for (const type of ['JPG', 'JPEG'] as const) {
      expect(isAllowedName('a.jpg', [type])).toBe(true);
      expect(isAllowedName('a.JPEG', ['PNG', type])).toBe(true);
    }
    expect(isAllowedName('a.jpg', ['PNG', 'PDF'])).toBe(false);
    expect(isAllowedName('a.jpg', [])).toBe(false);
    expect(isAllowedName('a', FILE_TYPES)).toBe(false);
  });

  it('of no kind and a file without content are refused', async () => {
    expect(await kindFault('a.exe', await sampleOf('PDF'))).toMatch(/^must end in the extension/);
    for (const type of FILE_TYPES) expect(await kindFault(nameOf(type), new Uint8Array())).toMatch(/^is empty/);
  });

  it('no two kinds share an extension, but for JPG and JPEG', () => {
    const all = FILE_TYPES.filter((type) => type !== 'JPEG').flatMap((type) => KINDS[type].extensions);
    expect(all).toEqual([...new Set(all)]);
    for (const type of FILE_TYPES) expect(KINDS[type].extensions).toContain(type.toLowerCase());
  });
});

describe('the stored media type', () => {
  it.for([
    ['a.csv', 'Text/CSV; charset=UTF-8', 'text/csv'],
    ['a.csv', 'application/vnd.ms-excel', 'application/vnd.ms-excel'],
    ['a.csv', 'text/html', 'text/csv'],
    ['a.md', '', 'text/markdown'],
    ['a.svg', 'text/xml', 'image/svg+xml'],
    ['a.pdf', 'application/pdf, text/html', 'application/pdf'],
    ['a.jpeg', 'application/octet-stream', 'image/jpeg'],
    ['a.opus', ' audio/opus ', 'audio/opus'],
    ['a.html', 'text/html', 'application/octet-stream'],
  ])('of %s named %j is %s', ([name = '', named = '', stored]) => {
    expect(contentTypeOf(name, named)).toBe(stored);
  });

  it('is always one of the table, and never one that a browser runs', () => {
    const all = FILE_TYPES.flatMap((type) => KINDS[type].mediaTypes);
    expect(all.filter((each) => !/^[a-z]+\/[a-z0-9.+-]+$/.test(each))).toEqual([]);
    expect(all.filter((each) => /html|script(?!$)|javascript|x-sh/.test(each))).toEqual([]);
    fc.assert(
      fc.property(fc.constantFrom(...FILE_TYPES), fc.oneof(fc.string(), fc.constantFrom(...all)), (type, named) => {
        expect(KINDS[type].mediaTypes).toContain(contentTypeOf(nameOf(type), named));
      }),
    );
  });
});
