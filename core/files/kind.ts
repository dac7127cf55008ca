/**
 * Whether a file's leading bytes are of the kind that its name says (contract section 8: "by extension *and* leading
 * bytes"). The table of kinds is `kind-model.ts`, the formats are told by `format.ts`; here the two are compared, and
 * a difference becomes a sentence for the respondent.
 */
import { type Format, formatOf, headOf, textOf } from './format.ts';
import { type FileType, KINDS, type Kind, typeOfName } from './kind-model.ts';

/** So many bytes of a file are looked at. */
export const LEADING_BYTES = 65_536;

/**
 * What contradicts a file's name in its leading bytes.
 * @param start the first 65,536 bytes, or all of a smaller file; what is beyond is not looked at
 * @returns undefined for a file that is what its name says; else what is wrong and what to do, to be put after the
 * file's name. Never throws, whatever the bytes are.
 */
export async function kindFault(filename: string, start: Uint8Array): Promise<string | undefined> {
  const type = typeOfName(filename);
  if (!type) return 'must end in the extension of its kind, such as .pdf: rename it, or choose another file';
  if (start.length === 0) return 'is empty: choose a file that has content';
  const sample = start.subarray(0, LEADING_BYTES);
  const format = await formatOf(sample);
  if (isOfKind(KINDS[type], format, sample)) return undefined;
  return faultOf(type, filename, format, sample);
}

function isOfKind(kind: Kind, format: Format | undefined, sample: Uint8Array): boolean {
  if (kind.text) return textOf(sample) !== undefined && !DOCUMENTS.has(format?.name ?? '');
  const head = headOf(sample);
  if (kind.head && !kind.head.test(head)) return false;
  if (kind.headAlone) return true;
  if (format?.name === 'zip' && kind.entry) return mayHold(kind.entry, sample);
  if (format) return kind.formats.includes(format.name);
  if (kind.open) return textOf(sample) === undefined;
  return kind.untold?.test(head) ?? false;
}

/**
 * Documents that are written in text and yet are no plain text. Whatever else is told of a text is chance: a table
 * that begins with `BMI` is no bitmap, and one that begins with `MAC address` no music.
 */
const DOCUMENTS: ReadonlySet<string> = new Set(['pdf', 'ps', 'eps', 'rtf', 'xml', 'svg', 'html']);

/** Whether a ZIP can hold an entry of this name: it does, or there is more of it than the sample shows. */
const mayHold = (entry: string, sample: Uint8Array): boolean =>
  sample.length >= LEADING_BYTES ||
  Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).includes(entry, 0, 'latin1');

function faultOf(type: FileType, filename: string, format: Format | undefined, sample: Uint8Array): string {
  const named = `is named ${filename.slice(filename.lastIndexOf('.')).toLowerCase()} but`;
  if (format?.name === 'executable') return `${named} is an executable (${format.mediaType}): choose another file`;
  if (format && !KINDS[type].formats.includes(format.name) && !isChance(format, sample)) {
    return `${named} is of the kind ${format.name} (${format.mediaType}): choose another file, or name it by what it is`;
  }
  if (KINDS[type].text) return `${named} holds bytes that no text has: save it as text, or choose another file`;
  return `${named} does not begin as ${type} files do: save it again as ${type}, or choose another file`;
}

/** Whether a format was told of what is only text. */
const isChance = (format: Format, sample: Uint8Array): boolean =>
  !DOCUMENTS.has(format.name) && format.name !== 'script' && textOf(sample) !== undefined;
