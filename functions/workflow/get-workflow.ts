/** The workflow of a form, and what keeps it from being published. */

import { workflow } from '#core/api/workflow.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { shownNode } from '#core/structure/condition-rule.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';

export const handler = operation(workflow.getWorkflow, formWithStructure, async ({ stored: { structure } }) => ({
  body: { workflow: structure.nodes.map((node) => shownNode(structure, node)), info: workflowInfo(structure) },
  etag: structure.version,
}));
