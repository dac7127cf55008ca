/**
 * Every edit of a form's structure goes through here: a pure function from one structure to the next, one
 * conditional write, and again from the newest structure when somebody else was faster. Concurrent edits are
 * therefore always applied one after the other, and none is lost (contract section 1, architecture section 3).
 */
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import { untilWritten } from '#core/db/retry.ts';
import type { Table } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { mayBeHighlighted } from '#core/structure/question-model.ts';
import { replaceStructure, type StoredStructure, structureOf } from './store.ts';
import { findQuestion, type Structure } from './structure.ts';

export type Editing = {
  formId: string;
  /** The structure as the operation's opener read it. */
  opened: StoredStructure;
  /** Throws 409 when the caller's `If-Match` does not name this version. */
  ifMatch: (version: number) => void;
};

/**
 * Applies `edit` to the structure of a form and stores the result; answers it with its new version. `edit` throws
 * Problems to refuse. It answers the structure it was given to change nothing. Throws 404 when the form is gone
 * meanwhile, 409 stale, 413 when the structure would become too large.
 */
export async function editStructure(
  table: Table,
  { formId, opened, ifMatch }: Editing,
  edit: (structure: Structure, answered: ReadonlySet<string>) => Structure,
): Promise<Structure> {
  return untilWritten(async (first) => {
    const stored = first ? opened : structureOf((await table.read([keys.formStructure(formId)]))[0]);
    if (!stored) throw problems.notFound();
    ifMatch(stored.structure.version);
    const edited = edit(stored.structure, stored.answered);
    if (edited === stored.structure) return edited;
    const next = { ...withoutStaleHighlight(edited), version: stored.structure.version + 1 };
    requireFits(next);
    await table.write([replaceStructure(next, restsOnNoAnswers(stored, next) ? stored.answered : undefined)]);
    return next;
  });
}

/** Whether an edit dropped or retyped a question on the strength of nobody having answered it. */
function restsOnNoAnswers({ structure, answered }: StoredStructure, next: Structure): boolean {
  const kept = new Set(next.removed.map((question) => question.id));
  return structure.sections
    .flatMap((section) => section.questions)
    .some((question) => {
      const after = findQuestion(next, question.id)?.question;
      return !answered.has(question.id) && !kept.has(question.id) && after?.type !== question.type;
    });
}

/** Deleting the highlighted question, or giving it a type without choices, clears the highlight (contract section 9). */
function withoutStaleHighlight(structure: Structure): Structure {
  if (!structure.highlight) return structure;
  const question = findQuestion(structure, structure.highlight.questionId)?.question;
  if (question && mayBeHighlighted(question.type)) return structure;
  const { highlight: _cleared, ...rest } = structure;
  return rest;
}

function requireFits(structure: Structure): void {
  const bytes = entityBytes(structure);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(
    `A form's structure may have ${MAX_ENTITY_BYTES} bytes; with this change it would have ${bytes}`,
  );
}
