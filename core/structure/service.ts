/**
 * Changes a form's structure: a pure function returns the next structure, and one conditional transaction stores it.
 * After a concurrent edit the function is applied to the newest structure, so that no edit is lost.
 */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { mayBeHighlighted } from './question-model.ts';
import { checkAnswered, parseAnswered, parseStructure, replaceStructure, type StoredStructure } from './store.ts';
import { findQuestion, type Structure } from './structure.ts';

/**
 * Applies `edit` to the structure of a form, stores it, and returns `result` of it. `edit` receives the structure and
 * the ids of all questions that were ever answered, and returns the same structure for no change. `alsoWrites` returns
 * further writes of the same transaction. Throws what `edit` throws, 404 when the form was deleted, 409 for a stale
 * `If-Match`, 413 when the structure would become too large.
 */
export async function editStructure<R>(
  app: ChangePorts,
  opened: StoredStructure,
  edit: (structure: Structure, answered: ReadonlySet<string>) => Structure,
  result: (structure: Structure) => R,
  alsoWrites: (structure: Structure) => Promise<readonly Write[]> = async () => [],
): Promise<R> {
  return untilWritten(async (first) => {
    const stored = first ? opened : await reload(app, opened.structure.formId);
    app.ifMatch(stored.structure.version);
    const edited = edit(stored.structure, stored.answered.ids);
    if (edited === stored.structure) return result(edited);
    const next = { ...withoutStaleHighlight(edited), version: stored.structure.version + 1 };
    requireStructureFits(next);
    const reliesOnNoAnswers = changesUnanswered(stored, next);
    return app.commit(
      [
        ...replaceStructure(next),
        ...(reliesOnNoAnswers ? [checkAnswered(next.formId, stored.answered)] : []),
        ...(await alsoWrites(next)),
      ],
      result(next),
    );
  });
}

async function reload({ table }: ChangePorts, formId: string): Promise<StoredStructure> {
  const itemKeys = [keys.formGate(formId), keys.formStructure(formId), keys.formAnswered(formId)];
  const [gateItem, item, answeredItem] = await table.read(itemKeys);
  const structure = parseStructure(item);
  // Deleting a form removes the gate first and the structure at the end.
  if (!gateItem || !structure) throw problems.notFound();
  return { structure, answered: parseAnswered(answeredItem) };
}

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
