/** Lists the caller's files as an array. */
import { signedIn } from '#core/accounts/accounts.ts';
import { files } from '#core/api/files.ts';
import { listMyFiles } from '#core/files/files.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.listMyFiles, signedIn, ({ caller, query, after, app }) =>
  listMyFiles(app, caller.id, { limit: query.limit, after }),
);
