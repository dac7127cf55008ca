/** Returns the metadata of a file. */
import { files } from '#core/api/files.ts';
import { openFile } from '#core/files/files.ts';
import { presentFile } from '#core/files/model.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.getFile, openFile, async ({ file }) => ({ body: presentFile(file) }));
