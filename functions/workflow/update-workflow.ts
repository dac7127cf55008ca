/** Replaces the links, labels, payloads and rules of exactly the existing nodes. */

import { workflow } from '#core/api/workflow.ts';
import { formWithStructure } from '#core/forms/open.ts';
import { operation } from '#core/http/operation.ts';
import { problems } from '#core/problems/problems.ts';
import { shownNode } from '#core/structure/condition-rule.ts';
import { editStructure } from '#core/structure/service.ts';
import { replaceWorkflow } from '#core/structure/workflow-edits.ts';

export const handler = operation(
  workflow.updateWorkflow,
  formWithStructure,
  async ({ form, stored, body, ifMatch, app }) => {
    const now = app.now().toISOString();
    const structure = await editStructure(app.table, { formId: form.id, opened: stored, ifMatch }, (current) => {
      const replaced = replaceWorkflow(current, body, now);
      if ('faults' in replaced) throw problems.invalid(replaced.faults);
      return replaced.structure;
    });
    return { body: structure.nodes.map((node) => shownNode(structure, node)), etag: structure.version };
  },
);
