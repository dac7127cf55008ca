/**
 * Changes a form's structure: a pure function returns the next structure, and one conditional transaction stores it.
 * After a concurrent edit the function is applied to the newest structure, so that no edit is lost.
 */
import { change } from '#core/db/change.ts';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { mayBeHighlighted } from './question-model.ts';
import { checkAnswered, reloadStructure, replaceStructure, type StoredStructure } from './store.ts';
import { findQuestion, type Structure } from './structure.ts';

/** The next structure, the same one for no change; the body of the result; further writes of the same transaction. */
export type StructureEdit<B> = { structure: Structure; body: B; alsoWrites?: readonly Write[] };

/**
 * Applies `edit` to the structure of a form and stores it. `edit` receives the structure and the ids of all questions that
 * were ever answered. Returns the body of the edit with the version as `etag`. Throws what `edit` throws, 404 when the form
 * was deleted, 409 for a stale `If-Match`, 413 when the structure would become too large.
 */
export const editStructure = <B>(
  app: ChangePorts,
  opened: StoredStructure,
  edit: (structure: Structure, answered: ReadonlySet<string>) => StructureEdit<B> | Promise<StructureEdit<B>>,
): Promise<{ body: B; etag: number }> =>
  change(app, {
    loaded: opened,
    reload: () => reloadStructure(app.table, opened.structure.formId),
    decide: async (stored) => {
      const { version } = stored.structure;
      app.ifMatch(version);
      const { structure, body, alsoWrites = [] } = await edit(stored.structure, stored.answered.ids);
      if (structure === stored.structure) return { writes: [], result: { body, etag: version } };
      const next = { ...withoutStaleHighlight(structure), version: version + 1 };
      requireStructureFits(next);
      const check = changesUnanswered(stored, next) ? [checkAnswered(next.formId, stored.answered)] : [];
      return { writes: [...replaceStructure(next), ...check, ...alsoWrites], result: { body, etag: next.version } };
    },
  });

/** Whether an edit removes, or changes the type of, a question that has no answers. */
function changesUnanswered({ structure, answered }: StoredStructure, next: Structure): boolean {
  const removedIds = new Set(next.removed.map((question) => question.id));
  return structure.sections
    .flatMap((section) => section.questions)
    .some((question) => {
      const after = findQuestion(next, question.id)?.question;
      return !answered.ids.has(question.id) && !removedIds.has(question.id) && after?.type !== question.type;
    });
}

/** Removes the highlight if its question was deleted or can no longer be highlighted. */
function withoutStaleHighlight(structure: Structure): Structure {
  if (!structure.highlight) return structure;
  const question = findQuestion(structure, structure.highlight.questionId)?.question;
  if (question && mayBeHighlighted(question.type)) return structure;
  const { highlight: _cleared, ...rest } = structure;
  return rest;
}

/** Throws 413 for a structure that is too large to be stored. */
export function requireStructureFits(structure: Structure): void {
  const bytes = entityBytes(structure);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(
    `The structure of a form may have at most ${MAX_ENTITY_BYTES} bytes; with this change it would have ${bytes}.`,
  );
}
