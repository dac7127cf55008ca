/** Lists the caller's files as an array. */
import { signedIn } from '#core/accounts/open.ts';
import { files } from '#core/api/files.ts';
import { listMyFiles } from '#core/files/lists.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.listMyFiles, signedIn, ({ caller, query, after, app }) =>
  listMyFiles(app, caller.id, { limit: query.limit, after }),
);
