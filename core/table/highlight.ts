/**
 * The highlighted question of a form, an item of its own: choosing it edits neither the structure nor unpublished changes.
 */

import { type Opener, parsePathId, type Resources } from '#core/access/access.ts';
import { change } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import type { Question } from '#core/structure/question-model.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { listHighlightable, mayBeHighlighted } from '#core/structure/types/traits.ts';

/** With a null or blank `displayTitle` the title of the question is shown. */
export type Highlight = { questionId: string; displayTitle: string | null };

/** A structure with the highlight of its form, if it has one. */
export type Highlighted = { structure: Structure; highlight: Highlight | undefined };

/** Parses the highlight of an item; undefined when there is none. */
export const parseHighlight = (item: Item | undefined): Highlight | undefined =>
  item && { questionId: String(item.questionId), ...decode<Pick<Highlight, 'displayTitle'>>(item) };

const toItem = (formId: string, { questionId, displayTitle }: Highlight): Item => ({
  ...keys.formHighlight(formId),
  ...encode({ displayTitle }),
  questionId,
});

/** Builds the write that gives a new form its highlight; it is part of the transaction that creates it. */
export const createHighlight = (formId: string, highlight: Highlight): Write => ({
  put: toItem(formId, highlight),
  when: { absent: true },
});

/** Adds the highlight of the form of `{formId}` to what an opener loads, read at the same time; for members only. */
export const withHighlight =
  <T extends Resources>(open: Opener<T>): Opener<T & { highlight: Highlight | undefined }> =>
  async (call) => {
    const key = keys.formHighlight(parsePathId(call.params, 'formId'));
    const [opened, [item]] = await Promise.all([open(call), call.app.table.read([key])]);
    return { ...opened, resource: { ...opened.resource, highlight: parseHighlight(item) } };
  };

/** Finds the highlighted question; undefined for none, and for one that was deleted or has another type now. */
export function findHighlighted({ structure, highlight }: Highlighted): Question | undefined {
  const question = highlight && findQuestion(structure, highlight.questionId)?.question;
  return question && mayBeHighlighted(question.type) ? question : undefined;
}

/**
 * Applies `edit` to the highlight of a form and stores it. Returns the structure with the highlight. Throws what `edit`
 * throws, 404 when the form was deleted, 409 for an `If-Match` that is not the version of the structure.
 */
export const editHighlight = (
  app: ChangePorts,
  opened: Highlighted,
  edit: (current: Highlighted) => Highlight | undefined,
): Promise<Highlighted> =>
  change(app, {
    loaded: opened,
    reload: () => reloadHighlighted(app.table, opened.structure.formId),
    decide: (current) => {
      const { structure } = current;
      app.ifMatch(structure.version);
      const highlight = edit(current);
      return {
        writes: replaceHighlight(structure.formId, current.highlight, highlight),
        result: { structure, highlight },
      };
    },
  });

async function reloadHighlighted(table: Table, formId: string): Promise<Highlighted> {
  const [{ structure }, [item]] = await Promise.all([
    reloadStructure(table, formId),
    table.read([keys.formHighlight(formId)]),
  ]);
  return { structure, highlight: parseHighlight(item) };
}

/** Builds the writes that replace a highlight, on the condition that the same question is highlighted as before. */
function replaceHighlight(formId: string, before: Highlight | undefined, next: Highlight | undefined): Write[] {
  const when = before ? { equals: { questionId: before.questionId } } : { absent: true as const };
  if (next === before) return [];
  if (!next) return [{ remove: keys.formHighlight(formId), when }];
  return [
    { put: toItem(formId, next), when },
    { check: keys.formGate(formId), when: { absent: false } },
  ];
}

/** Checks a question to be highlighted. Throws 400 for a question of another form or without choices. */
export function chooseHighlight({ structure }: Highlighted, highlight: Highlight): Highlight {
  const question = findQuestion(structure, highlight.questionId)?.question;
  const detail = question ? `must be of type ${listHighlightable()}` : 'is not a question of this form';
  if (!question || !mayBeHighlighted(question.type)) throw problems.invalid([{ pointer: '/body/questionId', detail }]);
  return highlight;
}

/** Returns the highlight of a form. Throws 404 when it has none. */
export function requireHighlight(current: Highlighted): Highlight {
  if (!current.highlight || !findHighlighted(current)) throw problems.notFound();
  return current.highlight;
}

/** Picks the highlight for a copy of a form; null for none, and for one whose question was deleted. */
export const copyHighlight = (current: Highlighted): Highlight | null =>
  findHighlighted(current) ? (current.highlight ?? null) : null;
