/** Creates a workflow node, unlinked; a SECTION node makes its section. */

import { workflow } from '#core/api/workflow.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { newIdWithin } from '#core/http/app.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { createNode, requireNode } from '#core/structure/workflow-nodes.ts';

export const handler = operation(
  workflow.createNode,
  formWithStructure,
  async ({ form, stored, body, ifMatch, app }) => {
    const node = { ...body, id: newIdWithin(app, form.id), now: app.now().toISOString() };
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) =>
      createNode(current, node),
    );
    return { body: requireNode(structure, node.id), etag: structure.version };
  },
);
