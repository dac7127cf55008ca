/** Deletes a workflow node; with a SECTION node also its section and questions. */
import { workflow } from '#core/api/workflow.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { deleteNode } from '#core/structure/workflow-edits.ts';

export const handler = operation(workflow.deleteNode, openStructureEdit, async ({ stored, params, app }) => {
  const now = app.now().toISOString();
  return editStructure(app, stored, (structure, answered) => ({
    next: deleteNode(structure, answered, params.nodeId, now),
    body: undefined,
  }));
});
