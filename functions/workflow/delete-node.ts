/** Deletes a workflow node, and with a SECTION node its section and questions. */

import { workflow } from '#core/api/workflow.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { deleteNode } from '#core/structure/workflow-nodes.ts';

export const handler = operation(
  workflow.deleteNode,
  formWithStructure,
  async ({ form, stored, params, ifMatch, app }) => {
    const now = app.now().toISOString();
    await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current, answered) =>
      deleteNode(current, answered, params.nodeId, now),
    );
    return { body: undefined };
  },
);
