/** Replaces the links, labels, payloads and rules of all nodes. */
import { workflow } from '#core/api/workflow.ts';
import { openStructureEdit } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentNode } from '#core/structure/condition-rule.ts';
import { editStructure } from '#core/structure/service.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';

export const handler = operation(workflow.updateWorkflow, openStructureEdit, async ({ stored, body, app }) => {
  const now = app.now().toISOString();
  return editStructure(app, stored, (current) => {
    const structure = replaceWorkflow(current, body, now);
    return { next: structure, body: structure.nodes.map((node) => presentNode(structure, node)) };
  });
});
