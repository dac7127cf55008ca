/** Archives as Python's zipfile reads them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './sources.ts';

/** What Python's zipfile finds in an archive. */
type ReadArchive = {
  entries: number;
  total: number;
  wrong: string[];
  unsafe: string[];
  different: number;
  listed: number;
  withoutPath: number;
  unlisted: string[];
  last: string;
  isBeyond4GiB: boolean;
};

/** Reads an archive, with the CRC of each entry, by another program than the one that wrote it. */
export async function readArchive(path: string): Promise<ReadArchive> {
  const script = join(ROOT, 'test/support/read-archive.py');
  const { stdout } = await promisify(execFile)('python3', [script, path], { maxBuffer: 10_000_000 });
  return JSON.parse(stdout) as ReadArchive;
}
