/**
 * A small file of every type that a question can allow, written here or by libraries for the format: `readSample('PNG')`
 * are bytes that the service accepts as PNG.
 */
import ExcelJS from 'exceljs';
import { strToU8, zipSync } from 'fflate';
import type { FileType } from '#core/structure/types/file-types.ts';
import { big, bytesOf, little } from './bytes.ts';
import { jpeg, png } from './pictures.ts';
import { webp } from './webp.ts';

const riff = (form: string, chunk: string): Uint8Array => bytesOf('RIFF', little(36), form, chunk, little(16), 16);
const box = (name: string, content: Uint8Array): Uint8Array => bytesOf(big(content.length + 8), name, content);

/** An ISO media file: a box with the brand, and one of data. */
export const branded = (brand: string): Uint8Array =>
  bytesOf(box('ftyp', bytesOf(brand, [0, 0, 2, 0], brand, 'mif1')), box('mdat', bytesOf(40)));

/** A Matroska file: the EBML header with a document type. */
export const matroska = (type: string): Uint8Array => {
  const content = bytesOf([0x42, 0x86, 0x81, 1], [0x42, 0x82, 0x80 + type.length], type);
  return bytesOf([0x1a, 0x45, 0xdf, 0xa3, 0x80 + content.length], content, [0x18, 0x53, 0x80, 0x67], 20);
};

/** A Microsoft compound file with the names of streams in its directory. */
const compound = (...streams: readonly string[]): Uint8Array => {
  const entry = (name: string): Uint8Array => bytesOf(Buffer.from(name.padEnd(64, '\0'), 'utf16le'));
  return bytesOf([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 504, ...['Root Entry', ...streams].map(entry), 512);
};

/** A ZIP of some entries. */
export const zipOf = (entries: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));

/** An Office document with one part, which its content types name. */
export const openXml = (part: string, subtype: string): Uint8Array =>
  zipOf({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${subtype}.main+xml"/></Types>`,
    [part]: '<x/>',
  });

const openDocument = (subtype: string): Uint8Array =>
  zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${subtype}`), { level: 0 }],
    'content.xml': strToU8('<x/>'),
  });

async function spreadsheet(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Sheet').addRow(['a', 1]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const SAMPLES: Record<FileType, Uint8Array | (() => Promise<Uint8Array>)> = {
  TXT: bytesOf('Two words and a caf\xc3\xa9.\r\n'),
  MD: bytesOf('# Title\n\n<p align="center">A paragraph</p>\n'),
  CSV: bytesOf('name;age\r\nJos\xe9;41\r\n'),
  DOC: compound('1Table', 'WordDocument'),
  PPT: compound('Current User', 'PowerPoint Document'),
  XLS: compound('Workbook'),
  DOCX: openXml('word/document.xml', 'wordprocessingml.document'),
  PPTX: openXml('ppt/presentation.xml', 'presentationml.presentation'),
  XLSX: spreadsheet,
  ODT: openDocument('text'),
  ODP: openDocument('presentation'),
  ODS: openDocument('spreadsheet'),
  RTF: bytesOf('{\\rtf1\\ansi Hello}'),
  SVG: bytesOf('<!-- drawn by hand -->\n<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  AI: bytesOf('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Creator(Adobe Illustrator)>>\nendobj\n'),
  EPS: bytesOf('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n'),
  PDF: bytesOf('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF\n'),
  JPG: jpeg(1, 1),
  JPEG: jpeg(1, 1),
  PNG: png(1, 1),
  WEBP: webp(2, 2),
  GIF: bytesOf(
    'GIF89a',
    [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1],
  ),
  TIFF: bytesOf('II*\0', little(8), [1, 0, 0, 1, 3, 0], little(1), little(1), little(0)),
  BMP: bytesOf('BM', little(58), 4, little(54), little(40), little(1), little(1), [1, 0, 24, 0], 28),
  HEIC: branded('heic'),
  RAW: bytesOf('II*\0', little(16), 'CR', [2, 0], 40),
  MP4: branded('isom'),
  WEBM: matroska('webm'),
  MOV: branded('qt  '),
  MKV: matroska('matroska'),
  AVI: riff('AVI ', 'LIST'),
  MP3: bytesOf('ID3', [3, 0, 0, 0, 0, 0, 0], [0xff, 0xfb, 0x90, 0x64], 40),
  WAV: riff('WAVE', 'fmt '),
  M4A: branded('M4A '),
  AAC: bytesOf([0xff, 0xf1, 0x50, 0x80, 0, 0x1f, 0xfc], 40),
  OGG: bytesOf('OggS', [0, 2], 20, [1, 30], '\x01vorbis', 23),
  FLAC: bytesOf('fLaC', [0, 0, 0, 34], 34),
  ZIP: zipOf({ 'a.txt': 'hello', 'b.txt': 'world' }),
};

/** The bytes of a small file of a type. */
export async function readSample(type: FileType): Promise<Uint8Array> {
  const sample = SAMPLES[type];
  return typeof sample === 'function' ? sample() : sample;
}
