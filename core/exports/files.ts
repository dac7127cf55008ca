/**
 * The files of a form as a ZIP archive: a folder for each response, in it one for each question, and a list of all files. Files are read
 * a few at a time, so that memory stays flat. Names are those of the files without what makes a path, or a name that systems reserve.
 */
import { type Bucket, objects } from '#core/db/bucket.ts';
import { safeName, trimName } from '#core/files/download.ts';
import { formatReference } from '#core/responses/reference.ts';
import { MAX_ZIP_FILES, MAX_ZIP_GB } from '#core/schema/limits.ts';
import type { UploadedFile } from '#core/structure/types/content.ts';
import { attachedFiles } from '#core/structure/types/upload-file.ts';
import type { TableColumn } from '#core/table/table.ts';
import { REFERENCE } from './columns.ts';
import { csvCell } from './csv.ts';
import { RESERVED } from './model.ts';
import type { ExportRow } from './rows.ts';
import { writeZip, type Zip } from './zip.ts';

/** How many files are read at once: each has up to 10 MB. */
const READ_AT_ONCE = 3;
const MAX_NAME = 100;
const MAX_FOLDER = 40;

/**
 * What an archive is written with. `hasReference`: whether its list has the references of the responses; `beforeFile` is called before
 * files are read, `exceed` when there are more than it may have.
 */
export type Archive = {
  columns: readonly TableColumn[];
  hasReference: boolean;
  bucket: Pick<Bucket, 'inspect'>;
  createdAt: Date;
  beforeFile: () => Promise<void>;
  exceed: () => never;
};

const LIST_HEAD = [
  'Response ID',
  'Submitted at',
  'Respondent',
  'Question ID',
  'Question',
  'File',
  'Name',
  'Bytes',
  'Type',
];

/** Writes the files of the rows. A file that was deleted meanwhile is in the list, without a path. */
export const writeFiles = (
  archive: Archive,
  rows: AsyncIterable<ExportRow>,
): AsyncGenerator<Uint8Array, void, undefined> =>
  writeZip({ mtime: archive.createdAt, compressionLevel: 0 }, (zip) => addRows(zip, archive, rows));

async function addRows(zip: Zip, archive: Archive, rows: AsyncIterable<ExportRow>): Promise<void> {
  const lines = [line([...LIST_HEAD, ...(archive.hasReference ? [REFERENCE] : [])])];
  let [files, bytes] = [0, 0];
  for await (const row of rows) {
    const listed = listFiles(archive.columns, row);
    files += listed.length;
    bytes += listed.reduce((sum, { file }) => sum + file.size, 0);
    if (files > MAX_ZIP_FILES || bytes > MAX_ZIP_GB * 1_000_000_000) archive.exceed();
    for (let index = 0; index < listed.length; index += READ_AT_ONCE) {
      if (zip.isClosed()) return;
      await archive.beforeFile();
      lines.push(...(await addFiles(zip, archive, row, listed.slice(index, index + READ_AT_ONCE))));
    }
  }
  // As in CSV: a byte order mark, so that spreadsheet programs read it as UTF-8.
  await zip.stream('files.csv', [Buffer.from(`\u{feff}${lines.join('')}`)]);
}

async function addFiles(
  zip: Zip,
  { bucket, hasReference }: Archive,
  { response, respondent }: ExportRow,
  listed: readonly ListedFile[],
): Promise<string[]> {
  const { id, submittedAt } = response;
  const stored = await Promise.all(listed.map(({ file }) => bucket.inspect(objects.file(id, file.fileId), file.size)));
  const lines: string[] = [];
  for (const [index, { path, column, file }] of listed.entries()) {
    const content = stored[index]?.start;
    if (content) await zip.stream(path, [content]);
    const { originalFilename, size, contentType } = file;
    const about = [column.id, column.title, content ? path : '', originalFilename, String(size), contentType];
    const reference = hasReference ? [formatReference(id)] : [];
    lines.push(line([id, submittedAt ?? '', respondent, ...about, ...reference]));
  }
  return lines;
}

const line = (cells: readonly string[]): string => `${cells.map((cell) => csvCell(cell, false)).join(',')}\r\n`;

type ListedFile = { path: string; column: TableColumn; file: UploadedFile };

/** Lists the files of a response with their paths in the archive, each of which is there once, whatever the case of its letters. */
export function listFiles(columns: readonly TableColumn[], { response, answers }: ExportRow): ListedFile[] {
  const folder = `${response.submittedAt?.slice(0, 10) ?? ''} ${response.id}`.trim();
  return columns.flatMap((column, index) => {
    const taken = new Set<string>();
    const question = `${String(index + 1).padStart(2, '0')} ${shorten(safeName(column.title), MAX_FOLDER)}`.trim();
    return attachedFiles(answers[index]).map((file) => {
      const name = findFreeName(file.originalFilename, taken);
      return { path: `${folder}/${question}/${name}`, column, file };
    });
  });
}

/** Finds a name that the folder does not have yet: that of the file, or with a number. */
function findFreeName(original: string, taken: Set<string>): string {
  const safe = safeName(original) || 'file';
  const [, base = safe, extension = ''] = /^(.+?)(\.[A-Za-z0-9]{1,10})?$/su.exec(safe) ?? [];
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const plain = `${shorten(base, MAX_NAME - suffix.length - extension.length)}${suffix}${extension}`;
    const name = RESERVED.test(plain) ? `_${plain}` : plain;
    const key = name.normalize('NFC').toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

const shorten = (text: string, max: number): string => trimName([...text].slice(0, max).join(''));
