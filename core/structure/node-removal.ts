/**
 * Deleting a node of a form's workflow, and with a SECTION its section and questions (contract section 6).
 * The other edits of a workflow stand in `edits.ts`; a single question is deleted in `core/structure/edits.ts`.
 */

import { LINKS } from '#core/structure/path.ts';
import { dropSourcesOn, remember } from '#core/structure/question-edits.ts';
import { findNode, findSection, type Structure } from '#core/structure/structure.ts';
import { dropRulesOn } from '#core/structure/workflow-edits.ts';
import type { WorkflowNode } from '#core/structure/workflow-model.ts';

/**
 * Takes a SECTION or CONDITION out of the workflow, with all links to it. With a SECTION go its section and questions:
 * rules on them keep their pattern and lose their question, questions elsewhere that took their choices from them
 * fare as when that question alone is deleted. Of the questions in `keep`, those that answers refer to, the titles
 * stay behind in `removed` for the columns of tables and exports.
 *
 * Throws for a node that the form does not have, and for START and END: the caller has refused those.
 */
export function removeNode(
  structure: Structure,
  nodeId: string,
  { keep, now }: { keep: ReadonlySet<string>; now: string },
): Structure {
  const type = findNode(structure, nodeId)?.type;
  if (type !== 'SECTION' && type !== 'CONDITION') {
    throw new Error(`form ${structure.formId} has no node ${nodeId} that may be deleted`);
  }
  const questions = findSection(structure, nodeId)?.questions ?? [];
  const questionIds = new Set(questions.map(({ id }) => id));
  const rest = {
    ...structure,
    nodes: structure.nodes.filter(({ id }) => id !== nodeId).map((node) => unlinked(node, nodeId)),
    sections: structure.sections.filter(({ id }) => id !== nodeId),
  };
  const freed = dropRulesOn(dropSourcesOn(rest, questionIds, now), questionIds);
  const remembered = questions.filter(({ id }) => keep.has(id)).map((question) => remember(question, nodeId, now));
  return { ...freed, removed: [...freed.removed, ...remembered] };
}

function unlinked(node: WorkflowNode, targetId: string): WorkflowNode {
  const links = LINKS[node.type].filter((member) => node[member] === targetId);
  if (links.length === 0) return node;
  const copy = { ...node };
  for (const member of links) delete copy[member];
  return copy;
}
