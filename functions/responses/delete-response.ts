/** Deletes a response with everything that belongs to it. */
import { responses } from '#core/api/responses.ts';
import { deleteResponse } from '#core/deletion/marks.ts';
import { operation } from '#core/http/operation.ts';
import { openResponseToDelete } from '#core/responses/change.ts';

export const handler = operation(
  responses.deleteResponse,
  openResponseToDelete,
  async ({ response, gate, roles, app }) => {
    await deleteResponse(app, response, { ...gate, roles });
    return { body: undefined };
  },
);
