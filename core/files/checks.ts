/**
 * Checks which files a question accepts: their number, names and sizes, and whether the leading bytes match the type of
 * the extension. `file-type`, which is loaded at the first use, detects binary formats; text and markup are detected here.
 */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they distinguish formats
import { fault } from '#core/problems/answer-faults.ts';
import { type Fault, problems } from '#core/problems/problems.ts';
import { answerLookup, type Current } from '#core/responses/answers.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { type FileType, findFileType, isAllowedName } from '#core/structure/types/file-types.ts';
import { maxFileBytes } from '#core/structure/types/upload-file.ts';

export type FileQuestion = Question & { uploadFile: NonNullable<Question['uploadFile']> };

/** Returns the question with an id. Throws 400 unless it is an UPLOAD_FILE question. */
export function requireFileQuestion(structure: Structure, questionId: string): FileQuestion {
  const question = findQuestion(structure, questionId)?.question;
  if (question && takesFiles(question)) return question;
  const detail = question
    ? `takes no files: it is a ${question.type} question`
    : 'takes no files: the question was removed';
  throw problems.invalid([{ pointer: '/path/questionId', detail }]);
}

/** Throws 400 unless the question accepts files or its answer consists of files, as after its removal. */
export function requireFileAnswer({ response, structure }: Current, questionId: string): void {
  if (answerLookup(response.answers)(questionId)?.type !== 'UPLOAD_FILE') requireFileQuestion(structure, questionId);
}

const takesFiles = (question: Question): question is FileQuestion =>
  question.type === 'UPLOAD_FILE' && question.uploadFile !== undefined;

/** Finds the faults of a number of files; `pointer` locates the files in the body. */
export function amountFaults({ uploadFile }: FileQuestion, amount: number, pointer: string): Fault[] {
  const max = uploadFile.maxFileAmount;
  if (amount <= max) return [];
  const { code, detail } = fault('', 'too_many_files', max);
  return [{ pointer, code, detail }];
}

/** Finds the faults of a file's name and size; `pointer` locates the file in the body. */
export function fileFaults(
  { uploadFile }: FileQuestion,
  { filename, size }: { filename: string; size: number },
  pointer: string,
): Fault[] {
  const { allowedFileTypes } = uploadFile;
  const maxBytes = maxFileBytes(uploadFile);
  const faults: Fault[] = [];
  if (!isAllowedName(filename, allowedFileTypes)) {
    const detail = `must have the extension of an allowed type: ${allowedFileTypes.join(', ')}`;
    faults.push({ pointer: `${pointer}/filename`, detail });
  }
  if (size < 1) faults.push({ pointer: `${pointer}/size`, detail: 'must be at least 1 byte: the file is empty' });
  if (size > maxBytes) {
    const detail = `must be at most ${maxBytes} bytes, but is ${size}`;
    faults.push({ pointer: `${pointer}/size`, detail });
  }
  return faults;
}

// The content of files.

/** The number of bytes of a file that are inspected. */
export const LEADING_BYTES = 65_536;

/** The accepted formats of types for which the format is not just the name of the type. */
const FORMATS: Readonly<Partial<Record<FileType, readonly string[]>>> = {
  TXT: ['text'],
  MD: ['text'],
  CSV: ['text'],
  DOC: ['cfb'],
  PPT: ['cfb'],
  XLS: ['cfb'],
  // Illustrator writes PDF since version 9, PostScript before.
  AI: ['pdf', 'ps', 'eps'],
  EPS: ['ps', 'eps'],
  JPG: ['jpg'],
  JPEG: ['jpg'],
  PNG: ['png', 'apng'],
  // Camera formats are based on TIFF.
  TIFF: ['tif', 'dng', 'nef', 'arw', 'cr2'],
  RAW: ['tif', 'dng', 'nef', 'arw', 'cr2', 'cr3', 'orf', 'rw2', 'raf'],
  // The brand in an MP4 container often depends on the program that wrote it.
  MP4: ['mp4', 'm4v', 'mov', '3gp', '3g2', 'f4v'],
  MOV: ['mov', 'mp4', 'm4v'],
  M4A: ['m4a', 'm4b', 'f4a', 'mp4', '3gp', '3g2'],
  MKV: ['mkv', 'webm'],
  MP3: ['mp3', 'mp2'],
  OGG: ['ogg', 'oga', 'ogv', 'ogm', 'ogx', 'opus', 'spx'],
};

/** Types that are ZIP archives; what identifies the type may be beyond the leading bytes. */
const ZIPPED: readonly FileType[] = ['DOCX', 'PPTX', 'XLSX', 'ODT', 'ODP', 'ODS'];

/**
 * Finds why a file's leading bytes do not match its name. Never throws, whatever the bytes are.
 * @param start the first 65,536 bytes, or all of a smaller file; further bytes are ignored
 * @returns undefined if they match; otherwise what is wrong and what to do, as the end of a sentence that begins with
 * the file's name
 */
export async function kindFault(filename: string, start: Uint8Array): Promise<string | undefined> {
  const type = findFileType(filename);
  if (!type) return 'must end in the extension of its type, such as .pdf: rename it, or choose another file';
  if (start.length === 0) return 'is empty: choose a file that has content';
  const sample = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, LEADING_BYTES));
  const format = await detectFormat(sample);
  if (format !== undefined && (FORMATS[type] ?? [type.toLowerCase()]).includes(format)) return undefined;
  if (type === 'ZIP' && sample.toString('latin1', 0, 2) === 'PK') return undefined;
  if (format === 'zip' && ZIPPED.includes(type) && sample.length === LEADING_BYTES) return undefined;
  const extension = filename.slice(filename.lastIndexOf('.')).toLowerCase();
  const content = format === undefined ? `does not begin as ${type} files do` : `its content is ${format}`;
  return `is named ${extension} but ${content}: choose another file, or save it again as ${type}`;
}

/**
 * Detects the format, as an extension of `file-type`, `text`, or a name in `SIGNATURES`; undefined for an unknown one. Text is
 * detected first, because a text can begin like a binary format (`BMI,weight`, `MZ,Mozambique`).
 */
async function detectFormat(sample: Buffer): Promise<string | undefined> {
  const text = decodeText(sample);
  if (text !== undefined) return findSignature(withoutProlog(text)) ?? 'text';
  const { fileTypeFromBuffer } = await import('file-type');
  // `fileTypeFromBuffer` throws for some malformed files; their format is unknown.
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined);
  return detected?.ext ?? findSignature(sample.toString('latin1', 0, 1_024));
}

/** Text formats, which are not passed to `file-type`, and two formats that it misses in some files. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^<(?:!doctype\s+html|html|head|body|script|iframe)[\s/>]/i, 'html'],
  [/^<(?:[\w-]+:)?svg[\s/>]/, 'svg'],
  [/^\{\\rtf/, 'rtf'],
  [/^%!PS/, 'eps'],
  // A PDF may begin with an empty line, and the directory of a TIFF may be at its end.
  [/^\s*%PDF-/, 'pdf'],
  [/^(?:II\*\0|MM\0\*)/, 'tif'],
];

const findSignature = (start: string): string | undefined =>
  SIGNATURES.find(([signature]) => signature.test(start))?.[1];

/** The start of a document type other than HTML, to its end or to the bracket in which it declares entities. */
const DOCTYPE = /<!doctype\s(?!\s*html)[^>[]*/iy;
const DECLARED = /\]\s*>/g;

/** Returns the text after the prolog of a markup document: byte order mark, XML declaration, comments, document type. */
function withoutProlog(text: string): string {
  let rest = text.replace(/^(?:\ufeff|\xef\xbb\xbf)/, '').trimStart();
  for (let end = prologEnd(rest); end > 0; end = prologEnd(rest)) rest = rest.slice(end).trimStart();
  return rest;
}

/** Where the first part of a prolog ends; 0 if there is none, or it has no end. */
function prologEnd(text: string): number {
  if (text.startsWith('<?')) return indexAfter(text, '?>');
  if (text.startsWith('<!--')) return indexAfter(text, '-->');
  DOCTYPE.lastIndex = 0;
  if (!DOCTYPE.test(text)) return 0;
  const end = DOCTYPE.lastIndex;
  if (text[end] === '>') return end + 1;
  DECLARED.lastIndex = end;
  return DECLARED.test(text) ? DECLARED.lastIndex : 0;
}

function indexAfter(text: string, mark: string): number {
  const at = text.indexOf(mark);
  return at === -1 ? 0 : at + mark.length;
}

/** Control characters that do not occur in text, unlike bell, form feed, shift, escape and the old end-of-file mark. */
const BINARY = /[\0-\x06\x10-\x19\x1c-\x1f\x7f]/;

/**
 * Decodes text in an 8-bit encoding, one character per byte, or in UTF-16 with a byte order mark; undefined for binary data.
 */
function decodeText(sample: Buffer): string | undefined {
  const byteOrderMark = sample.toString('latin1', 0, 2);
  const encoding = byteOrderMark === '\xff\xfe' ? 'utf-16le' : byteOrderMark === '\xfe\xff' ? 'utf-16be' : undefined;
  const text = encoding ? utf16(sample, encoding) : sample.toString('latin1');
  return text === undefined || BINARY.test(text) ? undefined : text;
}

/** Decodes UTF-16 whose last character may be incomplete; undefined if it is invalid. */
function utf16(sample: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}
