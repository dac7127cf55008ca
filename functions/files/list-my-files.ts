/** Lists the current user's files as an array. */
import { signedIn } from '#core/accounts/open.ts';
import { files } from '#core/api/files.ts';
import { listMyFiles } from '#core/files/lists.ts';
import { operation } from '#core/http/operation.ts';

export const handler = operation(files.listMyFiles, signedIn, async ({ user, query, app }) => {
  const { files: body, next } = await listMyFiles(app, user.id, query);
  return { body, next };
});
