/** Moves of sections along the path. Pure functions, as those of `workflow-edits.ts` and `section-copies.ts`. */
import { isDeepStrictEqual } from 'node:util';
import { listLinkTargets } from './path.ts';
import { requireSection } from './questions.ts';
import { findNode, findSection, type Structure } from './structure.ts';
import { listWorkflowFaults } from './workflow-check.ts';
import { linkPast, requireInsertable, requireNode } from './workflow-edits.ts';
import type { WorkflowNode } from './workflow-model.ts';

/**
 * Moves a section behind START or another section: what led to it leads to what followed it, and it stands between `after`
 * and what followed that. Only links change. Conditions stay where they are: those behind the section then follow what came
 * before it, and those behind `after` follow the section. A condition that then asks for an answer too early is reported by
 * the `info` of the workflow.
 *
 * Returns the same structure if the section follows `after` already. Throws 404 for an unknown section, 400 for an `after`
 * behind which no section can be.
 */
export function moveSection(structure: Structure, sectionId: string, after: string): Structure {
  requireSection(structure, sectionId);
  requireInsertable(structure, after);
  const { next: following } = requireNode(structure, after);
  if (following === sectionId || after === sectionId) return structure;
  const nodes = linkPast(structure.nodes, requireNode(structure, sectionId)).map((node): WorkflowNode => {
    if (node.id === after) return { ...node, next: sectionId };
    if (node.id !== sectionId) return node;
    const { next: _followed, ...moved } = node;
    return { ...moved, ...(following !== undefined && { next: following }) };
  });
  return { ...structure, nodes };
}

/** Two sections that follow one another for everybody who reaches one of them. */
type Pair = { first: string; second: string };

/** Finds a section with the one right before or behind it; undefined where the path branches, joins, begins or ends. */
export function findPair(structure: Structure, sectionId: string, by: 1 | -1): Pair | undefined {
  const listPrevious = (id: string) => structure.nodes.filter((node) => listLinkTargets(node).includes(id));
  const second = by === 1 ? findNode(structure, sectionId)?.next : sectionId;
  const [first, ...others] = listPrevious(second ?? '');
  if (second === undefined || !first || others.length > 0 || !findSection(structure, second)) return undefined;
  return first.type === 'SECTION' && first.id !== second ? { first: first.id, second } : undefined;
}

/** Lets a section change places with the one right before or behind it, if there is one. */
export function shiftSection(structure: Structure, sectionId: string, by: 1 | -1): Structure {
  const pair = findPair(structure, requireSection(structure, sectionId).id, by);
  return pair ? moveSection(structure, pair.first, pair.second) : structure;
}

/** Whether an edit moves one section and does nothing else. */
export const isSectionMove = (before: Structure, after: Structure): boolean =>
  isDeepStrictEqual(before.sections, after.sections) &&
  after.nodes.some(
    ({ id, type, next = '' }) =>
      type !== 'CONDITION' &&
      findNode(before, id)?.next !== next &&
      findSection(before, next) !== undefined &&
      isDeepStrictEqual(moveSection(before, next, id).nodes, after.nodes),
  );

/** Whether an edit makes a condition or a question ask for an answer that is given only later. */
export function asksTooEarly(before: Structure, after: Structure): boolean {
  const listLate = (structure: Structure): (string | undefined)[] =>
    listWorkflowFaults(structure).flatMap(({ node, fault: { code } }) =>
      code === 'questionTooLate' || code === 'sourceTooLate' ? [node?.id] : [],
    );
  const known = listLate(before);
  return listLate(after).some((id) => !known.includes(id));
}
