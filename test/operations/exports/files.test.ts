/** All files of a form as a ZIP archive: what is in it, under which names, and what it leaves out. */
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { objects } from '#core/db/bucket.ts';
import { listFiles, writeFiles } from '#core/exports/files.ts';
import { app } from '#core/http/app.ts';
import { formatReference } from '#core/responses/reference.ts';
import type { TableColumn } from '#core/table/table.ts';
import { askForExport, buildExports, downloaded, readExport } from '#test/support/exports.ts';
import { attached } from '#test/support/files.ts';
import { expectProblem, newCast, newForm } from '#test/support/fixtures.ts';
import { pagesOf } from '#test/support/pages.ts';
import { draftOf, start, submit } from '#test/support/responses.ts';

const cast = await newCast();
const uploadFile = { allowedFileTypes: ['TXT' as const], maxFileAmount: 5, maxFileSizeLimit: 1_000 };

async function withFiles() {
  const { alice, dave, erin, slug } = cast;
  const form = await newForm(alice, slug, [
    [
      { type: 'UPLOAD_FILE', title: '../../Your: CV?', uploadFile },
      { type: 'SHORT_TEXT', title: 'Name' },
      { type: 'UPLOAD_FILE', title: 'Photos', uploadFile },
    ],
  ]);
  const [cv = '', name = '', photos = ''] = form.questionIds;
  const first = await start(dave, form.formId);
  const cvs = await attached(dave, { responseId: first, questionId: cv }, '=cmd|x.txt');
  const pictures = await attached(dave, { responseId: first, questionId: photos }, 'a.txt', 'A.TXT', '../../a.txt');
  await submit(dave, first);
  const second = await start(erin, form.formId);
  await submit(erin, second);
  // A draft is in no export.
  const draft = await start(erin, form.formId);
  await attached(erin, { responseId: draft, questionId: cv }, 'draft.txt');
  return { ...form, cv, name, photos, first, cvs, pictures };
}

test('an archive has each file of a submitted response once, in the folders of response and question, and a list', async () => {
  const { formId, questionIds, cv, photos, first, pictures } = await withFiles();
  const job = await askForExport(cast.bob, formId, { questionIds, format: 'ZIP' });
  await buildExports();
  expect(await readExport(cast.bob, job)).toMatchObject({ state: 'DONE', processed: 2, total: 2 });
  const entries = unzipSync(new Uint8Array(await downloaded(cast.bob, job)));
  const day = new Date().toISOString().slice(0, 10);
  const folder = Object.keys(entries)[0]?.split('/')[0] ?? '';
  expect(folder).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d ${first}$`));
  expect(Math.abs(Date.parse(folder.slice(0, 10)) - Date.parse(day))).toBeLessThanOrEqual(86_400_000);
  expect(Object.keys(entries)).toEqual([
    `${folder}/01 Your CV/=cmd x.txt`,
    `${folder}/03 Photos/a.txt`,
    `${folder}/03 Photos/A (2).TXT`,
    `${folder}/03 Photos/a (3).txt`,
    'files.csv',
  ]);
  expect(strFromU8(entries[`${folder}/03 Photos/a.txt`] ?? new Uint8Array())).not.toBe('');
  const list = strFromU8(entries['files.csv'] ?? new Uint8Array());
  const lines = list.split('\r\n');
  expect([...(entries['files.csv'] ?? [])].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
  expect(lines[0]).toBe('Response ID,Submitted at,Respondent,Question ID,Question,File,Name,Bytes,Type');
  expect(lines).toHaveLength(6);
  expect(lines[1]).toContain(`,${cv},../../Your: CV?,${folder}/01 Your CV/=cmd x.txt,'=cmd|x.txt,`);
  expect(lines[4]).toContain(`,${photos},Photos,${folder}/03 Photos/a (3).txt,../../a.txt,`);
  // With the references, if they are asked for.
  const named = await askForExport(cast.alice, formId, { questionIds, format: 'ZIP', reference: true });
  await buildExports();
  const withReferences = unzipSync(new Uint8Array(await downloaded(cast.alice, named)));
  const [head, ...others] = strFromU8(withReferences['files.csv'] ?? new Uint8Array())
    .trim()
    .split('\r\n');
  expect(head).toMatch(/,Bytes,Type,Reference$/);
  for (const other of others) expect(other).toContain(`,text/plain,${formatReference(first)}`);
  // A file that is gone is listed without a path.
  await app().bucket.remove([objects.file(first, pictures[0] ?? '')]);
  const again = await askForExport(cast.alice, formId, { questionIds: [photos], format: 'ZIP' });
  await buildExports();
  const rest = unzipSync(new Uint8Array(await downloaded(cast.alice, again)));
  expect(Object.keys(rest)).toHaveLength(3);
  expect(strFromU8(rest['files.csv'] ?? new Uint8Array())).toContain(`,${photos},Photos,,a.txt,`);
});

test('an archive of what a filter selects has only its files, and one of no files only the list', async () => {
  const { formId, questionIds } = await withFiles();
  const body = { questionIds, format: 'ZIP' as const, respondent: cast.erin.email };
  const job = await askForExport(cast.bob, formId, body);
  await buildExports();
  expect(Object.keys(unzipSync(new Uint8Array(await downloaded(cast.bob, job))))).toEqual(['files.csv']);
});

test('an archive needs a question for files, and is offered where there is one', async () => {
  const { formId, name } = await withFiles();
  const problem = await expectProblem(askForExport(cast.bob, formId, { questionIds: [name], format: 'ZIP' }));
  expect([problem.status, problem.errors]).toEqual([
    400,
    [{ pointer: '/body/format', detail: 'needs a question for files' }],
  ]);
  const path = `/review/${formId}/export`;
  const pages = pagesOf(cast.bob);
  expect(await pages.show(path)).toContain('<option value="ZIP">All files of these questions (ZIP)</option>');
  const other = await newForm(cast.alice, cast.slug, [[{ type: 'SHORT_TEXT' }]]);
  expect(await pages.show(`/review/${other.formId}/export`)).not.toContain('value="ZIP"');
});

test('names are safe and there once, whatever files are called', () => {
  const names = [
    ...['CON.txt', 'nul', '..', '/etc/passwd', 'C:\\x.txt', 'a\u0000b\u202e.txt', ' .hidden ', 'é.txt', 'e\u0301.txt'],
    `${'x'.repeat(400)}.txt`,
    `${'x'.repeat(400)}.txt`,
    '😀'.repeat(300),
  ];
  const value = names.map((originalFilename, index) => ({
    ...{ fileId: `${index}`, originalFilename, contentType: 'text/plain', size: 1 },
  }));
  const column: TableColumn = { id: 'q', title: '../..', type: 'UPLOAD_FILE', sectionId: 's', question: undefined };
  const response = draftOf(
    { formId: app().uuid(), structureVersion: 1 } as never,
    app().uuid(),
    new Date().toISOString(),
  );
  const row = { response, respondent: 'Dave', answers: [{ type: 'UPLOAD_FILE' as const, value } as never] };
  const paths = listFiles([column], row).map(({ path }) => path);
  const found = paths.map((path) => path.split('/').slice(2).join('/'));
  expect(paths.every((path) => path.startsWith(`${response.id}/01`))).toBe(true);
  expect(found.slice(0, 9)).toEqual([
    ...['_CON.txt', '_nul', 'file', 'etc passwd', 'C x.txt', 'ab.txt', 'hidden', 'é.txt', 'e\u0301 (2).txt'],
  ]);
  expect(found[9]).toBe(`${'x'.repeat(96)}.txt`);
  expect(found[10]).toBe(`${'x'.repeat(92)} (2).txt`);
  expect([...(found[11] ?? '')]).toHaveLength(100);
  expect(new Set(found.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(names.length);
});

test('an archive has few files in memory, however many there are and however slowly it is read', async () => {
  const [rowCount, filesOfRow, size] = [6, 10, 500_000];
  const count = rowCount * filesOfRow;
  const column: TableColumn = { id: 'q', title: 'Photo', type: 'UPLOAD_FILE', sectionId: 's', question: undefined };
  const response = draftOf({ formId: app().uuid(), sectionIds: [] }, app().uuid(), new Date().toISOString());
  async function* rows() {
    const file = { originalFilename: 'a.jpg', contentType: 'image/jpeg', size };
    const value = Array.from({ length: filesOfRow }, (_, index) => ({ fileId: `${index}`, ...file }));
    for (let index = 0; index < rowCount; index += 1) {
      yield { response, respondent: 'Dave', answers: [{ type: 'UPLOAD_FILE' as const, value } as never] };
    }
  }
  let [read, written, most] = [0, 0, 0];
  const bucket = {
    inspect: async () => {
      read += size;
      return { size, contentType: 'image/jpeg', sha256: undefined, start: new Uint8Array(size) };
    },
  };
  const archive = {
    ...{ columns: [column], hasReference: false, bucket, createdAt: new Date(), beforeFile: async () => undefined },
    exceed: () => {
      throw new Error('there are too many');
    },
  };
  for await (const chunk of writeFiles(archive, rows())) {
    written += chunk.length;
    most = Math.max(most, read - written);
    // The reader takes its time: whatever can run ahead of it does.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([read, written > count * size]).toEqual([count * size, true]);
  expect(most).toBeLessThanOrEqual(4 * size);
});
