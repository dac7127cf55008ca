/**
 * Which format some leading bytes are of. Most are told by the library `file-type`, loaded when the first file is
 * seen; told here are those that it does not know (dex, MSI, the programs in an old Office document), all that is
 * markup or a script, and what it tells by too little. Nothing is unpacked but two small entries of a ZIP.
 */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what tells formats apart

/** A format by its usual extension (`html`, `script` and `executable` beside them), and its media type. */
export type Format = { name: string; mediaType: string };

/**
 * Tells the format of the leading bytes of a file.
 * @returns undefined for plain text and for what nobody knows; never throws, whatever the bytes are
 */
export async function formatOf(sample: Uint8Array): Promise<Format | undefined> {
  const head = headOf(sample);
  const known = SIGNATURES.find(([signature]) => signature.test(head))?.[1];
  if (known) return known;
  const told = await toldByLibrary(sample);
  if (told?.name === 'cfb') return compoundFormat(sample) ?? told;
  if (told && EXECUTABLES.has(told.name)) return { name: 'executable', mediaType: told.mediaType };
  if (told?.name === 'ps' && !head.startsWith('%!PS')) return undefined;
  if (told === undefined || told.name === 'xml') return markupFormat(textOf(sample)) ?? told;
  return told;
}

/** The first kilobyte, one character for each byte. */
export const headOf = (sample: Uint8Array): string => Buffer.from(sample.subarray(0, 1024)).toString('latin1');

const EXECUTABLES: ReadonlySet<string> = new Set(['exe', 'elf', 'macho', 'class', 'wasm']);
const executable = (mediaType: string): Format => ({ name: 'executable', mediaType });

/** Formats that the library does not know, or that it would unpack to look inside. */
const SIGNATURES: readonly (readonly [RegExp, Format])[] = [
  [/^dex\n\d\d\d\0/, executable('application/vnd.android.dex')],
  // Java classes and Mach-O for several processors begin alike; neither is a document.
  [/^\xca\xfe\xba[\xbe\xbf]/, executable('application/x-mach-binary')],
  [/^#!(?!AMR)/, { name: 'script', mediaType: 'text/x-shellscript' }],
  [/^\x1f\x8b/, { name: 'gz', mediaType: 'application/gzip' }],
];

async function toldByLibrary(sample: Uint8Array): Promise<Format | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    const told = await fileTypeFromBuffer(sample);
    return told && { name: told.ext, mediaType: told.mime };
  } catch {
    // It throws for some bytes that are cut off or made to confuse it: nothing can be told of those.
    return undefined;
  }
}

const MSI = Buffer.from('84100c0000000000c000000000000046', 'hex');
const MSI_FORMAT: Format = { name: 'executable', mediaType: 'application/x-msi' };
/** The stream that the program of an old Office document always writes, as the directory has its name. */
const STREAMS: readonly (readonly [string, Format])[] = [
  ['WordDocument', { name: 'doc', mediaType: 'application/msword' }],
  ['Workbook', { name: 'xls', mediaType: 'application/vnd.ms-excel' }],
  ['Book', { name: 'xls', mediaType: 'application/vnd.ms-excel' }],
  ['PowerPoint Document', { name: 'ppt', mediaType: 'application/vnd.ms-powerpoint' }],
];

/** The program of a compound file, if its directory is within the sample; documents inside of others say nothing. */
function compoundFormat(sample: Uint8Array): Format | undefined {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  if (bytes.includes(MSI)) return MSI_FORMAT;
  const found = STREAMS.filter(([name]) => bytes.includes(Buffer.from(`${name}\0`, 'utf16le'))).map(([, each]) => each);
  const [first] = found;
  return found.every(({ name }) => name === first?.name) ? first : undefined;
}

/** What is told of markup by its first tag; the XML declaration, comments and document type before it are skipped. */
function markupFormat(text: string | undefined): Format | undefined {
  const rest = text === undefined ? '' : fromFirstTag(text);
  if (/^<(?:[\w-]+:)?svg[\s/>]/.test(rest)) return { name: 'svg', mediaType: 'image/svg+xml' };
  if (/^<!doctype\s+html|^<(?:html|head|body|script|iframe)[\s/>]/i.test(rest)) {
    return { name: 'html', mediaType: 'text/html' };
  }
  return undefined;
}

/** Each step reads on from where the last one ended, so that no text takes more than one pass. */
function fromFirstTag(text: string): string {
  let at = 0;
  for (;;) {
    while (/\s|\ufeff/.test(text.charAt(at))) at += 1;
    const end = endOfPrologue(text, at);
    if (end === undefined) return text.slice(at, at + 100);
    at = end;
  }
}

/** Where the declaration, comment or document type ends that begins here; undefined when none does. */
function endOfPrologue(text: string, at: number): number | undefined {
  const after = (closing: string): number => {
    const found = text.indexOf(closing, at);
    return found < 0 ? text.length : found + closing.length;
  };
  if (text.startsWith('<!--', at)) return after('-->');
  if (text.startsWith('<?', at)) return after('?>');
  const opening = text.slice(at, at + 20);
  if (!/^<!doctype\s/i.test(opening) || /^<!doctype\s+html/i.test(opening)) return undefined;
  // Entities are declared in brackets, which hold tags of their own.
  const bracket = text.indexOf('[', at);
  return bracket >= 0 && bracket < text.indexOf('>', at) ? after(']>') : after('>');
}

/** Control characters that no text has; a bell, a page, shifts, an escape and the old end-of-file mark some do. */
const BINARY = /[\0-\x06\x10-\x19\x1c-\x1f\x7f]/;

/**
 * The text of a sample in whatever encoding.
 * @returns undefined when it is not text: it holds NUL or other control characters, or UTF-16 that is none
 */
export function textOf(sample: Uint8Array): string | undefined {
  const [first, second] = sample;
  const isLittle = first === 0xff && second === 0xfe;
  const wide = isLittle || (first === 0xfe && second === 0xff);
  const text = wide ? decoded(sample, isLittle ? 'utf-16le' : 'utf-16be') : Buffer.from(sample).toString('latin1');
  if (text === undefined || BINARY.test(text)) return undefined;
  return wide ? text : (decoded(sample, 'utf-8') ?? text);
}

/** Strictly decoded; the last character may be cut off. */
function decoded(sample: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}
