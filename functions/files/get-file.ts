/** The metadata of a file. */
import { files } from '#core/api/files.ts';
import { showFile } from '#core/files/model.ts';
import { file } from '#core/files/open.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.getFile, file, async ({ file }) => ({ body: showFile(file) }));
