/** Returns a response along its path, for its owner and the members of the form's organization. */
import { loadAccount } from '#core/accounts/store.ts';
import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { openResponse } from '#core/responses/open.ts';
import { previewOf } from '#core/responses/preview.ts';

export const handler = operation(responses.getResponse, openResponse, async ({ opened, app }) => ({
  body: previewOf(opened, await loadAccount(app.table, opened.response.userId)),
  etag: opened.response.version,
}));
