/**
 * The file types that a question may allow, with their extensions and media types. `core/files/checks.ts` checks the
 * bytes of files.
 */

export const FILE_TYPES = [
  'TXT',
  'MD',
  'DOC',
  'DOCX',
  'ODT',
  'RTF',
  'PPT',
  'PPTX',
  'ODP',
  'XLS',
  'XLSX',
  'ODS',
  'CSV',
  'SVG',
  'AI',
  'EPS',
  'PDF',
  'JPG',
  'JPEG',
  'PNG',
  'WEBP',
  'GIF',
  'TIFF',
  'BMP',
  'HEIC',
  'RAW',
  'MP4',
  'WEBM',
  'MOV',
  'MKV',
  'AVI',
  'MP3',
  'WAV',
  'M4A',
  'AAC',
  'OGG',
  'FLAC',
  'ZIP',
] as const;

export type FileType = (typeof FILE_TYPES)[number];

type FileKind = {
  /** In lower case, the most common one first. */
  extensions: readonly string[];
  /** The media type stored for the file; downloads are always attachments. */
  mediaType: string;
};

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const JPEG: FileKind = { extensions: ['jpg', 'jpeg', 'jfif'], mediaType: 'image/jpeg' };
const RAW_EXTENSIONS = 'raw dng cr2 cr3 nef nrw arw srf sr2 orf pef srw rw2 rwl raf 3fr iiq erf'.split(' ');

export const FILE_KINDS: Readonly<Record<FileType, FileKind>> = {
  TXT: { extensions: ['txt', 'text'], mediaType: 'text/plain' },
  MD: { extensions: ['md', 'markdown'], mediaType: 'text/markdown' },
  DOC: { extensions: ['doc'], mediaType: 'application/msword' },
  DOCX: { extensions: ['docx'], mediaType: `${OPEN_XML}wordprocessingml.document` },
  ODT: { extensions: ['odt'], mediaType: `${OPEN_DOCUMENT}text` },
  RTF: { extensions: ['rtf'], mediaType: 'application/rtf' },
  PPT: { extensions: ['ppt'], mediaType: 'application/vnd.ms-powerpoint' },
  PPTX: { extensions: ['pptx'], mediaType: `${OPEN_XML}presentationml.presentation` },
  ODP: { extensions: ['odp'], mediaType: `${OPEN_DOCUMENT}presentation` },
  XLS: { extensions: ['xls'], mediaType: 'application/vnd.ms-excel' },
  XLSX: { extensions: ['xlsx'], mediaType: `${OPEN_XML}spreadsheetml.sheet` },
  ODS: { extensions: ['ods'], mediaType: `${OPEN_DOCUMENT}spreadsheet` },
  CSV: { extensions: ['csv'], mediaType: 'text/csv' },
  SVG: { extensions: ['svg'], mediaType: 'image/svg+xml' },
  AI: { extensions: ['ai'], mediaType: 'application/postscript' },
  EPS: { extensions: ['eps', 'epsf'], mediaType: 'application/postscript' },
  PDF: { extensions: ['pdf'], mediaType: 'application/pdf' },
  JPG: JPEG,
  JPEG,
  PNG: { extensions: ['png'], mediaType: 'image/png' },
  WEBP: { extensions: ['webp'], mediaType: 'image/webp' },
  GIF: { extensions: ['gif'], mediaType: 'image/gif' },
  TIFF: { extensions: ['tiff', 'tif'], mediaType: 'image/tiff' },
  BMP: { extensions: ['bmp', 'dib'], mediaType: 'image/bmp' },
  HEIC: { extensions: ['heic', 'heif', 'hif'], mediaType: 'image/heic' },
  RAW: { extensions: RAW_EXTENSIONS, mediaType: 'image/x-dcraw' },
  MP4: { extensions: ['mp4', 'm4v'], mediaType: 'video/mp4' },
  WEBM: { extensions: ['webm'], mediaType: 'video/webm' },
  MOV: { extensions: ['mov', 'qt'], mediaType: 'video/quicktime' },
  MKV: { extensions: ['mkv'], mediaType: 'video/matroska' },
  AVI: { extensions: ['avi'], mediaType: 'video/vnd.avi' },
  MP3: { extensions: ['mp3'], mediaType: 'audio/mpeg' },
  WAV: { extensions: ['wav', 'wave'], mediaType: 'audio/wav' },
  M4A: { extensions: ['m4a'], mediaType: 'audio/mp4' },
  AAC: { extensions: ['aac'], mediaType: 'audio/aac' },
  OGG: { extensions: ['ogg', 'oga', 'ogv', 'opus'], mediaType: 'audio/ogg' },
  FLAC: { extensions: ['flac'], mediaType: 'audio/flac' },
  ZIP: { extensions: ['zip'], mediaType: 'application/zip' },
};

/** Parses the extension, in lower case; ASCII only, to exclude look-alikes of letters. */
const parseExtension = (filename: string): string => /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? '';

/** Finds the type of a file by the extension of its name, or undefined; `JPG` for all extensions of JPEG. */
export function findFileType(filename: string): FileType | undefined {
  const extension = parseExtension(filename);
  return FILE_TYPES.find((type) => FILE_KINDS[type].extensions.includes(extension));
}

/** Whether a file's name has an extension of an allowed type; JPG and JPEG are equivalent. */
export function isAllowedName(filename: string, allowed: readonly FileType[]): boolean {
  const extension = parseExtension(filename);
  return allowed.some((type) => FILE_KINDS[type].extensions.includes(extension));
}

/** Finds the media type to store for a file by its name; `application/octet-stream` for an unknown type. */
export function findContentType(filename: string): string {
  const type = findFileType(filename);
  return type ? FILE_KINDS[type].mediaType : 'application/octet-stream';
}
