/** Creates a workflow node, unlinked or inserted; a SECTION node comes with its section. */
import { workflow } from '#core/api/workflow.ts';
import { idWithin } from '#core/db/keys.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { editStructure } from '#core/structure/service.ts';
import { createNode, requireNode } from '#core/structure/workflow-edits.ts';

export const handler = operation(workflow.createNode, openStructureEdit, async ({ gate, stored, body, app }) => {
  const node = { ...body, id: idWithin(gate.formId, app.uuid()), now: app.now().toISOString() };
  return editStructure(app, stored, (current) => {
    const structure = createNode(current, node);
    return { next: structure, body: requireNode(structure, node.id) };
  });
});
