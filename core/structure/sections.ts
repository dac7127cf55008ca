/** Moves and copies of sections. Pure functions, as those of `workflow-edits.ts` and `questions.ts`. */

import { isDeepStrictEqual } from 'node:util';
import { problems } from '#core/problems/problems.ts';
import { MAX_QUESTIONS, MAX_SECTIONS } from '#core/schema/limits.ts';
import { editOutline, readOutline, writeOutline } from './gates.ts';
import { listLinkTargets } from './path.ts';
import { placeBelow } from './places.ts';
import type { Question } from './question-model.ts';
import { requireSection, withNewIds } from './questions.ts';
import { findNode, findSection, type Section, type Structure } from './structure.ts';
import { listWorkflowFaults } from './workflow-check.ts';
import { linkPast, requireInsertable, requireNode } from './workflow-edits.ts';
import type { WorkflowNode } from './workflow-model.ts';

/**
 * Moves a section after START or another section: links to it are redirected to its successor, and it is inserted between
 * `after` and the successor of that. Only links change. Conditions are not moved: those after the section then follow its
 * predecessor, and those after `after` follow the section. A condition that then asks for an answer too early is reported by
 * the `info` of the workflow.
 *
 * Returns the same structure if the section follows `after` already. Throws 404 for an unknown section, 400 for an `after`
 * that no section can follow.
 */
export const moveSection = (structure: Structure, sectionId: string, after: string): Structure =>
  editOutline(structure, (outline) => moveInOutline(outline, sectionId, after));

function moveInOutline(structure: Structure, sectionId: string, after: string): Structure {
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

/** Finds a section with the one right before or after it; undefined where the path branches, joins, begins or ends. */
export function findPair(form: Structure, sectionId: string, by: 1 | -1): Pair | undefined {
  const { structure } = readOutline(form);
  const listPrevious = (id: string) => structure.nodes.filter((node) => listLinkTargets(node).includes(id));
  const second = by === 1 ? findNode(structure, sectionId)?.next : sectionId;
  const [first, ...others] = listPrevious(second ?? '');
  if (second === undefined || !first || others.length > 0 || !findSection(structure, second)) return undefined;
  return first.type === 'SECTION' && first.id !== second ? { first: first.id, second } : undefined;
}

/** Exchanges a section with the one right before or after it, if there is one. Throws 404 for an unknown section. */
export function shiftSection(structure: Structure, sectionId: string, by: 1 | -1): Structure {
  const pair = findPair(structure, requireSection(structure, sectionId).id, by);
  return pair ? moveSection(structure, pair.first, pair.second) : structure;
}

/** Whether an edit moves one section and does nothing else. */
export function isSectionMove(before: Structure, after: Structure): boolean {
  const [was, is] = [readOutline(before), readOutline(after)];
  return (
    isDeepStrictEqual([before.sections, was.gates], [after.sections, is.gates]) &&
    is.structure.nodes.some(
      ({ id, type, next = '' }) =>
        type !== 'CONDITION' &&
        findNode(was.structure, id)?.next !== next &&
        findSection(before, next) !== undefined &&
        isDeepStrictEqual(moveInOutline(was.structure, next, id).nodes, is.structure.nodes),
    )
  );
}

/** Whether an edit makes a condition or a question ask for an answer that is given only later. */
export function asksTooEarly(before: Structure, after: Structure): boolean {
  const listLate = (structure: Structure): (string | undefined)[] =>
    listWorkflowFaults(structure).flatMap(({ node, fault: { code } }) =>
      code === 'questionTooLate' || code === 'sourceTooLate' ? [node?.id] : [],
    );
  const known = listLate(before);
  return listLate(after).some((id) => !known.includes(id));
}

/**
 * Adds a copy of a section: the original leads to the copy, and the copy to what followed the original. Questions and
 * choices have new ids; a copied question takes its choices from the copy of its source if that is in the section too.
 * Conditions keep asking for the original questions, and the copy has the gate of the original. Throws 404 for an unknown section, 400 when the form would have more
 * than the largest number of sections or questions.
 */
export function copySection(form: Structure, sectionId: string, ids: CopyIds): Structure {
  const { structure, gates } = readOutline(form);
  const gate = gates.get(sectionId);
  const copied = copyInOutline(structure, sectionId, ids);
  if (!gate) return editOutline(form, () => copied);
  const comparisons = gate.comparisons.map((comparison) => ({ ...comparison, nodeId: undefined }));
  return writeOutline(form, copied, new Map([...gates, [ids.copyId, { ...gate, comparisons }]]), ids);
}

type CopyIds = { copyId: string; newId: () => string; now: string };

function copyInOutline(structure: Structure, sectionId: string, { copyId, newId, now }: CopyIds): Structure {
  const section = requireSection(structure, sectionId);
  const node = requireNode(structure, sectionId);
  if (structure.sections.length >= MAX_SECTIONS) throw problems.tooManyNodes(MAX_SECTIONS, 'SECTION');
  const count = structure.sections.flatMap(({ questions }) => questions).length;
  if (count + section.questions.length > MAX_QUESTIONS) throw problems.tooManyQuestions(MAX_QUESTIONS);
  const copyIds = new Map(section.questions.map(({ id }) => [id, newId()]));
  const toCopied = (id: string): string => copyIds.get(id) ?? id;
  const questions = section.questions.map((question): Question => {
    const copied = withNewIds(question, { id: toCopied(question.id), newId, now });
    return question.sourceId === undefined ? copied : { ...copied, sourceId: toCopied(question.sourceId) };
  });
  const copy: Section = { ...section, id: copyId, questions, createdAt: now, updatedAt: now };
  return {
    ...structure,
    nodes: [
      ...structure.nodes.map((existing) => (existing === node ? { ...existing, next: copyId } : existing)),
      { ...node, id: copyId, payload: placeBelow(structure, node) },
    ],
    sections: [...structure.sections, copy],
  };
}
