/**
 * The kinds of files that a question may ask for (contract section 5, UPLOAD_FILE): by which extensions a name says a
 * kind, which media types may be stored for it, and which leading bytes are of it. `kind.ts` looks at the bytes.
 */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what tells formats apart
import { FILE_TYPES } from '#core/structure/question-model.ts';

export type FileType = (typeof FILE_TYPES)[number];

/** One kind. Where it speaks of the head, that is the first 1,024 bytes, one character each. */
export type Kind = {
  /** In lower case, the usual one first. */
  extensions: readonly string[];
  /** What a client may name; the first is stored when it names anything else. Never one that a browser would run. */
  mediaTypes: readonly [string, ...string[]];
  /** The formats that are of this kind, by the names of `formatOf`. */
  formats: readonly string[];
  /** What the head must show beside its format, where the format is told by too little. */
  head?: RegExp;
  /** The head says it all, whatever format is told. */
  headAlone?: true;
  /** The head of those that `formatOf` cannot tell. */
  untold?: RegExp;
  /** Text of any encoding, told by having nothing else in it. */
  text?: true;
  /** There are too many formats to know: any bytes will do that are not plainly something else. */
  open?: true;
  /** An entry that a ZIP in which the format lies too deep to be told must have, once all of it can be seen. */
  entry?: string;
};

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

const ofText = (extensions: readonly string[], ...mediaTypes: Kind['mediaTypes']): Kind => ({
  extensions,
  mediaTypes,
  formats: [],
  text: true,
});

/** An old Office document: a compound file, whose content is told only if its directory is within reach. */
const ofCompound = (extension: string, ...mediaTypes: Kind['mediaTypes']): Kind => ({
  extensions: [extension],
  mediaTypes,
  formats: [extension, 'cfb'],
});

const ofZipped = (extension: string, mediaType: string, entry: string): Kind => ({
  extensions: [extension],
  mediaTypes: [mediaType],
  formats: [extension],
  entry,
});

const ofOpenXml = (extension: string, subtype: string): Kind =>
  ofZipped(extension, OPEN_XML + subtype, '[Content_Types].xml');
const ofOpenDocument = (extension: string, subtype: string): Kind =>
  ofZipped(extension, OPEN_DOCUMENT + subtype, 'mimetype');

const POSTSCRIPT = /%!PS/;
const TIFF_HEAD = /^(?:II[*+]\0|MM\0[*+])/;
/** A box of less than 16 MB: what begins with a letter instead is text that happens to say `free` or `ftyp`. */
const BOX_HEAD = /^\0/;
const CAMERAS = ['dng', 'cr2', 'cr3', 'nef', 'arw', 'orf', 'rw2', 'raf'];

const JPEG: Kind = {
  extensions: ['jpg', 'jpeg', 'jfif'],
  mediaTypes: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  formats: ['jpg'],
};

/** All kinds. */
export const KINDS: Readonly<Record<FileType, Kind>> = {
  TXT: ofText(['txt', 'text'], 'text/plain'),
  MD: ofText(['md', 'markdown'], 'text/markdown', 'text/x-markdown', 'text/plain'),
  CSV: ofText(
    ['csv'],
    'text/csv',
    'application/csv',
    'application/vnd.ms-excel',
    'text/comma-separated-values',
    'text/x-csv',
    'text/plain',
  ),
  DOC: ofCompound('doc', 'application/msword'),
  PPT: ofCompound('ppt', 'application/vnd.ms-powerpoint', 'application/mspowerpoint'),
  XLS: ofCompound('xls', 'application/vnd.ms-excel', 'application/msexcel', 'application/x-msexcel'),
  DOCX: ofOpenXml('docx', 'wordprocessingml.document'),
  PPTX: ofOpenXml('pptx', 'presentationml.presentation'),
  XLSX: ofOpenXml('xlsx', 'spreadsheetml.sheet'),
  ODT: ofOpenDocument('odt', 'text'),
  ODP: ofOpenDocument('odp', 'presentation'),
  ODS: ofOpenDocument('ods', 'spreadsheet'),
  RTF: { extensions: ['rtf'], mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext'], formats: ['rtf'] },
  SVG: { extensions: ['svg'], mediaTypes: ['image/svg+xml'], formats: ['svg'] },
  // Since version 9 Illustrator writes PDF; before, PostScript.
  AI: {
    extensions: ['ai'],
    mediaTypes: [
      'application/postscript',
      'application/illustrator',
      'application/vnd.adobe.illustrator',
      'application/pdf',
    ],
    formats: ['pdf', 'ps', 'eps'],
    untold: POSTSCRIPT,
  },
  // Spoolers put their own lines before the first of PostScript.
  EPS: {
    extensions: ['eps', 'epsf'],
    mediaTypes: ['application/postscript', 'application/eps', 'application/x-eps', 'image/eps', 'image/x-eps'],
    formats: ['ps', 'eps'],
    untold: POSTSCRIPT,
  },
  // Readers take a PDF that begins within the first kilobyte, and writers make such.
  PDF: { extensions: ['pdf'], mediaTypes: ['application/pdf', 'application/x-pdf'], formats: ['pdf'], untold: /%PDF-/ },
  JPG: JPEG,
  JPEG,
  PNG: { extensions: ['png'], mediaTypes: ['image/png', 'image/apng', 'image/x-png'], formats: ['png', 'apng'] },
  WEBP: { extensions: ['webp'], mediaTypes: ['image/webp'], formats: ['webp'] },
  GIF: { extensions: ['gif'], mediaTypes: ['image/gif'], formats: ['gif'], head: /^GIF8[79]a/ },
  // Cameras mark a TIFF as their own; what is beyond the leading bytes is not told at all.
  TIFF: {
    extensions: ['tif', 'tiff'],
    mediaTypes: ['image/tiff', 'image/tiff-fx'],
    formats: ['tif', 'dng', 'nef', 'arw', 'cr2'],
    untold: TIFF_HEAD,
  },
  // The two letters alone begin many a text: the size of the second header must be one of those that there are.
  BMP: {
    extensions: ['bmp', 'dib'],
    mediaTypes: ['image/bmp', 'image/x-ms-bmp', 'image/x-bmp'],
    formats: ['bmp'],
    head: /^BM[\s\S]{12}[\x0c\x10\x28\x34\x38\x40\x6c\x7c]\0\0\0/,
  },
  HEIC: {
    extensions: ['heic', 'heif', 'hif'],
    mediaTypes: ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
    formats: ['heic'],
    head: BOX_HEAD,
  },
  RAW: {
    extensions: ['raw', ...CAMERAS, 'crw', 'nrw', 'srf', 'sr2', 'pef', 'srw', 'x3f', 'rwl', '3fr', 'iiq', 'erf', 'mrw'],
    mediaTypes: [
      'image/x-dcraw',
      'image/x-raw',
      'image/x-adobe-dng',
      'image/dng',
      'image/x-canon-cr2',
      'image/x-canon-cr3',
      'image/x-canon-crw',
      'image/x-nikon-nef',
      'image/x-nikon-nrw',
      'image/x-sony-arw',
      'image/x-olympus-orf',
      'image/x-panasonic-rw2',
      'image/x-fuji-raf',
      'image/x-fujifilm-raf',
      'image/x-pentax-pef',
      'image/x-samsung-srw',
    ],
    formats: [...CAMERAS, 'tif'],
    open: true,
  },
  // The brand of such a file is often only that of the program that wrote it.
  MP4: {
    extensions: ['mp4', 'm4v'],
    mediaTypes: ['video/mp4', 'video/x-m4v', 'application/mp4'],
    formats: ['mp4', 'm4v', 'mov', '3gp', '3g2', 'f4v'],
    head: BOX_HEAD,
  },
  MOV: { extensions: ['mov', 'qt'], mediaTypes: ['video/quicktime'], formats: ['mov', 'mp4', 'm4v'], head: BOX_HEAD },
  M4A: {
    extensions: ['m4a'],
    mediaTypes: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'],
    formats: ['m4a', 'm4b', 'f4a', 'mp4', '3gp', '3g2'],
    head: BOX_HEAD,
  },
  WEBM: { extensions: ['webm'], mediaTypes: ['video/webm', 'audio/webm'], formats: ['webm'] },
  MKV: {
    extensions: ['mkv'],
    mediaTypes: ['video/matroska', 'video/x-matroska'],
    formats: ['mkv', 'webm'],
  },
  AVI: {
    extensions: ['avi'],
    mediaTypes: ['video/vnd.avi', 'video/x-msvideo', 'video/avi', 'video/msvideo'],
    formats: ['avi'],
  },
  // Behind its tags a song may begin with padding, which tells nothing.
  MP3: {
    extensions: ['mp3'],
    mediaTypes: ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg-3'],
    formats: ['mp3', 'mp2'],
    head: /^(?:ID3[\x02-\x04]|\xff)/,
    untold: /^ID3[\x02-\x04]/,
  },
  WAV: {
    extensions: ['wav', 'wave'],
    mediaTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
    formats: ['wav'],
  },
  AAC: {
    extensions: ['aac'],
    mediaTypes: ['audio/aac', 'audio/aacp', 'audio/x-aac', 'audio/vnd.dlna.adts'],
    formats: ['aac'],
    untold: /^ADIF/,
  },
  OGG: {
    extensions: ['ogg', 'oga', 'ogv', 'opus'],
    mediaTypes: ['audio/ogg', 'video/ogg', 'application/ogg', 'audio/opus', 'audio/vorbis'],
    formats: ['ogg', 'oga', 'ogv', 'ogm', 'ogx', 'opus', 'spx'],
  },
  FLAC: { extensions: ['flac'], mediaTypes: ['audio/flac', 'audio/x-flac'], formats: ['flac'] },
  // Whatever is packed as a ZIP is one, and says so by its first bytes whatever else it is.
  ZIP: {
    extensions: ['zip'],
    mediaTypes: ['application/zip', 'application/x-zip-compressed', 'application/x-zip'],
    formats: [],
    headAlone: true,
    head: /^PK[\x03\x05\x07][\x04\x06\x08]/,
  },
};

/** What comes behind the last dot, in lower case; only of ASCII, so that no look-alike is taken for a letter. */
const extensionOf = (filename: string): string | undefined =>
  /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase();

const TYPE_OF: ReadonlyMap<string, FileType> = new Map(
  // The first of two that share an extension (JPG before JPEG) must win: it is set last.
  FILE_TYPES.toReversed().flatMap((type) => KINDS[type].extensions.map((extension) => [extension, type] as const)),
);

/**
 * The kind that a file's name says, whatever else is in the name.
 * @returns undefined when the name ends in no extension of ours; `JPG` for all extensions of JPEG
 */
export function typeOfName(filename: string): FileType | undefined {
  return TYPE_OF.get(extensionOf(filename) ?? '');
}

/** Whether a name says one of these kinds. JPG and JPEG are one kind. */
export function isAllowedName(filename: string, allowed: readonly FileType[]): boolean {
  const extension = extensionOf(filename);
  return extension !== undefined && allowed.some((type) => KINDS[type].extensions.includes(extension));
}

/**
 * The media type to store for a file.
 * @param named what the client says, with or without parameters
 * @returns the named one when it is of the kind that the name says, else that kind's own;
 * `application/octet-stream` for a name of no kind
 */
export function contentTypeOf(filename: string, named: string): string {
  const type = typeOfName(filename);
  if (!type) return 'application/octet-stream';
  const { mediaTypes } = KINDS[type];
  const [wanted = ''] = named.toLowerCase().split(';', 1);
  return mediaTypes.find((mediaType) => mediaType === wanted.trim()) ?? mediaTypes[0];
}
