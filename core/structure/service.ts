/**
 * Changes a form's structure: a pure function returns the next structure, and one conditional transaction stores it.
 * After a concurrent edit the function is applied to the newest structure, so that no edit is lost.
 */

import { change, type Edit } from '#core/db/change.ts';
import { entityBytes, MAX_ENTITY_BYTES } from '#core/db/codec.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Write } from '#core/db/table.ts';
import { beginCount } from '#core/jobs/places.ts';
import { restartRecount } from '#core/jobs/recount.ts';
import { problems } from '#core/problems/problems.ts';
import { structureFault } from '#core/problems/structure-faults.ts';
import { wireBytes } from '#core/schema/page-size.ts';
import { shortName } from '#core/schema/schema.ts';
import { type ChoiceLimit, dateLimits, listChoiceLimits, listNewlyLimited, MAX_LIMITED_CHOICES } from './limits.ts';
import { listRenames } from './names.ts';
import { MAX_PATTERN_COST, totalCost } from './pattern-cost.ts';
import type { Move, Question } from './question-model.ts';
import {
  checkAnswered,
  reloadStructure,
  renameInClosingMessage,
  replaceStructure,
  type StoredStructure,
} from './store.ts';
import { findPlacement, findQuestion, listChoices, type Structure, sourceChain } from './structure.ts';
import { asksForNumber } from './types/formats.ts';

/**
 * Applies `edit` to the structure of a form and stores it. `edit` receives the structure and the ids of all questions that
 * were ever answered. Returns the body of the edit with the version as `etag`. Throws what `edit` throws, 404 when the form
 * was deleted, 409 for a stale `If-Match`, 413 when the structure would become too large.
 */
export const editStructure = <B>(
  app: ChangePorts,
  opened: StoredStructure,
  edit: (structure: Structure, answered: ReadonlySet<string>) => Edit<Structure, B> | Promise<Edit<Structure, B>>,
): Promise<{ body: B; etag: number }> =>
  change(app, {
    loaded: opened,
    reload: () => reloadStructure(app.table, opened.structure.formId),
    decide: async (stored) => {
      const { version } = stored.structure;
      app.ifMatch(version);
      const { next: structure, body, alsoWrites = [] } = await edit(stored.structure, stored.answered.ids);
      if (structure === stored.structure) return { writes: [], result: { body, etag: version } };
      const { next, writes } = await buildStructureWrites(app, stored, structure);
      return { writes: [...writes, ...alsoWrites], result: { body, etag: next.version } };
    },
  });

/**
 * Builds the next version of a structure and the writes that store it, on the condition that nothing it relies on has
 * changed; with `gate`, also not the status of the form. Starts a recount when answers are numbers now, or no longer, and writes
 * new names of questions into the closing message; a count of the places of choices that are limited now and were answered before.
 * Throws 404 when the form was deleted, 413 when it would become too large.
 */
export async function buildStructureWrites(
  { table, now }: Pick<ChangePorts, 'table' | 'now'>,
  stored: StoredStructure,
  structure: Structure,
  gate?: { data: string },
): Promise<{ next: Structure; writes: Write[] }> {
  const next = buildNextVersion(stored, structure);
  requireStructureFits(next, stored.structure);
  const check = changesUnanswered(stored, next) ? [checkAnswered(next.formId, stored.answered)] : [];
  const recount = countsOtherwise(stored, next) ? [restartRecount(next.formId, now())] : [];
  const renamed = await renameInClosingMessage(table, next.formId, listRenames(stored.structure, next));
  const newlyLimited = listNewlyLimited(stored.structure, next);
  const count = listToCount(stored, newlyLimited);
  // A question that nobody has answered has no places taken, unless somebody answers it right now.
  const isUnanswered = check.length === 0 && count.length < newlyLimited.length;
  return {
    next,
    writes: [
      ...replaceStructure(next, gate),
      ...(isUnanswered ? [checkAnswered(next.formId, stored.answered)] : check),
      ...recount,
      ...renamed,
      ...(count.length > 0 ? beginCount(next.formId, count, now()) : []),
    ],
  };
}

/**
 * Builds the next version of a structure as it would be stored: with the moves and the removed choices of answered questions, and since
 * when choices are limited.
 */
export function buildNextVersion(stored: StoredStructure, structure: Structure): Structure {
  const edited = { ...structure, version: stored.structure.version + 1 };
  const before = { structure: stored.structure, answered: stored.answered.ids };
  return dateLimits(stored.structure, keepRemovedChoices(before, recordMoves(before, edited)));
}

/** The counters of choices that are limited now and may have been selected in responses before. */
const listToCount = ({ answered }: StoredStructure, newlyLimited: readonly ChoiceLimit[]): string[] =>
  newlyLimited.filter(({ questionId }) => answered.ids.has(questionId)).map(({ counter }) => counter);

/** Whether an edit makes the answers to a question numbers, or texts again: counters have the mean of numbers only. */
const countsOtherwise = ({ structure, answered }: StoredStructure, next: Structure): boolean =>
  structure.sections.some(({ questions }) =>
    questions.some((question) => {
      const after = answered.ids.has(question.id) ? findQuestion(next, question.id)?.question : undefined;
      return after !== undefined && asksForNumber(after) !== asksForNumber(question);
    }),
  );

/** Whether an edit removes, moves to another section, or changes the type of a question that has no answers. */
function changesUnanswered({ structure, answered }: StoredStructure, next: Structure): boolean {
  const removedIds = new Set(next.removed.map((question) => question.id));
  return structure.sections.some((section) =>
    section.questions.some(({ id, type }) => {
      if (answered.ids.has(id) || removedIds.has(id)) return false;
      const after = findQuestion(next, id);
      return after?.question.type !== type || after.section.id !== section.id;
    }),
  );
}

/** A structure before an edit, with the ids of all questions that were ever answered. */
type Before = { structure: Structure; answered: ReadonlySet<string> };

/** The most bytes of removed choices that a structure keeps: about 250 of them, of at most 350 KB. */
const MAX_REMOVED_CHOICES_BYTES = 24_000;

/**
 * Keeps the names of choices that an edit removes from answered questions, for lists of answers; those of earlier edits are
 * kept, whatever the edit made of them. The oldest ones go when there are too many; responses still have their names.
 */
export function keepRemovedChoices({ structure: before, answered }: Before, next: Structure): Structure {
  const offered = before.sections
    .flatMap(({ questions }) => questions)
    .flatMap(({ id }) => {
      const of = shortName(sourceChain(before, id).at(-1)?.id ?? id);
      return answered.has(id) ? listChoices(before, id).map((choice) => ({ ...choice, of })) : [];
    });
  const present = new Set(next.sections.flatMap(({ questions }) => questions.flatMap(choiceIds)));
  const known = new Map(
    [...(before.removedChoices ?? []), ...offered].map(({ id, name, of }) => [id, { id, name, ...(of && { of }) }]),
  );
  const removed = [...known.values()].filter(({ id }) => !present.has(id));
  let bytes = removed.reduce((sum, choice) => sum + wireBytes(choice), 0);
  while (bytes > MAX_REMOVED_CHOICES_BYTES) bytes -= wireBytes(removed.shift());
  const { removedChoices: _edited, ...rest } = next;
  return removed.length > 0 ? { ...rest, removedChoices: removed } : rest;
}

const choiceIds = ({ choices = [] }: Question): string[] => choices.map(({ id }) => id);

/**
 * Records which answered questions an edit moved to another section; the moves of earlier edits are kept, whatever the
 * edit made of them. A question that nobody has answered needs none: it is in no submitted response.
 */
export function recordMoves(before: Before, next: Structure): Structure {
  const listMoves = (questionId: string, sectionId: string): readonly Move[] => {
    const placement = findPlacement(before.structure, questionId);
    const { moves = [] } = placement ?? {};
    return placement && placement.sectionId !== sectionId && before.answered.has(questionId)
      ? [...moves, { from: placement.sectionId, version: next.version }]
      : moves;
  };
  const sections = next.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => withMoves(question, listMoves(question.id, section.id))),
  }));
  const removed = next.removed.map((question) => withMoves(question, listMoves(question.id, question.sectionId)));
  return { ...next, sections, removed };
}

const withMoves = <T extends object>(
  { moves: _edited, ...question }: T & { moves?: unknown },
  moves: readonly Move[],
) => (moves.length > 0 ? { ...question, moves } : question);

/**
 * Throws 413 for a structure that is too large to be stored, and 400 for one whose patterns cost more than they may or that limits
 * too many choices, and more than the structure `before` the edit: one that is beyond the limit can be edited and repaired.
 */
export function requireStructureFits(structure: Structure, before?: Structure): void {
  const cost = totalCost(structure);
  if (cost > MAX_PATTERN_COST && cost > (before ? totalCost(before) : 0)) {
    throw problems.invalid([structureFault('/workflow', 'patterns_too_costly', MAX_PATTERN_COST)]);
  }
  const limits = listChoiceLimits(structure).length;
  if (limits > MAX_LIMITED_CHOICES && limits > (before ? listChoiceLimits(before).length : 0)) {
    throw problems.invalid([structureFault('/body/choices', 'too_many_limits', MAX_LIMITED_CHOICES)]);
  }
  const bytes = entityBytes(structure);
  if (bytes <= MAX_ENTITY_BYTES) return;
  throw problems.tooLarge(
    `The structure of a form may have at most ${MAX_ENTITY_BYTES} bytes; with this change it would have ${bytes}.`,
  );
}
