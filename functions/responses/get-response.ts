/** A response along its path, for its owner and the form's members. */

import { responses } from '#core/api/responses.ts';
import { operation } from '#core/http/operation.ts';
import { response } from '#core/responses/open.ts';
import { previewOf } from '#core/responses/progress.ts';

export const handler = operation(responses.getResponse, response, async ({ response, stored }) => ({
  body: previewOf(response, stored.structure),
  etag: response.version,
}));
