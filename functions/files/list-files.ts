/** Lists the caller's files, by limit and offset. */
import { signedIn } from '#core/accounts/accounts.ts';
import { files } from '#core/api/files.ts';
import { listFiles } from '#core/files/files.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.listFiles, signedIn, async ({ caller, query, app }) => ({
  body: await listFiles(app, caller.id, query),
}));
