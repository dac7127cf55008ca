/** An archive of more entries than 16 bits can number, which is more than an export may have: they are written and read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeZip } from '#core/exports/zip.ts';
import { readArchive } from '#test/support/archives.ts';

const directory = mkdtempSync(join(tmpdir(), 'entries-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('an archive of 66,000 entries has all of them', async () => {
  const path = join(directory, 'entries.zip');
  const chunks = writeZip({ mtime: new Date(0), compressionLevel: 0 }, async ({ stream }) => {
    for (let index = 0; index < 66_000; index += 1) await stream(`${index}.txt`, [Buffer.from(`${index}`)]);
  });
  const file = await open(path, 'w');
  for await (const chunk of chunks) await file.write(chunk);
  await file.close();
  expect(await readArchive(path)).toMatchObject({ entries: 66_000, different: 66_000, wrong: [], last: '65999.txt' });
});
