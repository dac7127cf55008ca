/** Returns the workflow of a form and the faults that prevent publishing. */
import { workflow } from '#core/api/workflow.ts';
import { openStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { presentNode } from '#core/structure/condition-rule.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';

export const handler = operation(workflow.getWorkflow, openStructure, async ({ structure }) => ({
  body: { workflow: structure.nodes.map((node) => presentNode(structure, node)), info: workflowInfo(structure) },
  etag: structure.version,
}));
