/** Copies of sections, with their questions. A pure function, as those of `workflow-edits.ts` and `questions.ts`. */
import { problems } from '#core/problems/problems.ts';
import { placeBelow } from './places.ts';
import type { Question } from './question-model.ts';
import { requireSection, withNewIds } from './questions.ts';
import { MAX_QUESTIONS, MAX_SECTIONS, type Section, type Structure } from './structure.ts';
import { requireNode } from './workflow-edits.ts';

/**
 * Adds a copy of a section: the original leads to the copy, and the copy to what followed the original. Questions and
 * choices have new ids; a copied question takes its choices from the copy of its source if that is in the section too.
 * Conditions keep asking for the original questions. Throws 404 for an unknown section, 400 when the form would have more
 * than the largest number of sections or questions.
 */
export function copySection(
  structure: Structure,
  sectionId: string,
  { copyId, newId, now }: { copyId: string; newId: () => string; now: string },
): Structure {
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
      ...structure.nodes.map((each) => (each === node ? { ...each, next: copyId } : each)),
      { ...node, id: copyId, payload: placeBelow(structure, node) },
    ],
    sections: [...structure.sections, copy],
  };
}
