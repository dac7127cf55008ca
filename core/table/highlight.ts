/** The highlighted question of a form with the count of each choice. */

import { type Counters, countDirectly, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { findQuestion, type Highlight, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { mayBeHighlighted } from '#core/structure/types/traits.ts';
import { areUsed, loadChoiceCounts } from './counted.ts';
import type { HighlightDocument } from './highlight-model.ts';
import { readSubmittedBatches } from './submitted.ts';

/** Sets the highlight of a structure. Throws 400 for a question of another form or without choices. */
export function withHighlight(structure: Structure, highlight: Highlight): Structure {
  const question = findQuestion(structure, highlight.questionId)?.question;
  const detail = question
    ? 'must be of type SINGLE_CHOICE, MULTIPLE_CHOICE, DROPDOWN or DETAILED_MULTIPLE_CHOICE'
    : 'is not a question of this form';
  if (!question || !mayBeHighlighted(question.type)) throw problems.invalid([{ pointer: '/body/questionId', detail }]);
  return { ...structure, highlight };
}

/** Changes the highlight title of a structure; undefined changes nothing. Throws 404 when it has no highlight. */
export function withHighlightTitle(structure: Structure, displayTitle: string | null | undefined): Structure {
  if (!structure.highlight) throw problems.notFound();
  return displayTitle === undefined ? structure : { ...structure, highlight: { ...structure.highlight, displayTitle } };
}

/** Removes the highlight of a structure. Throws 404 when it has no highlight. */
export function withoutHighlight(structure: Structure): Structure {
  if (!structure.highlight) throw problems.notFound();
  const { highlight: _cleared, ...rest } = structure;
  return rest;
}

/**
 * Presents the highlight of a form with the count of every current choice, in order. Up to 200 submitted responses are read;
 * more are counted by the counters, which follow a change within seconds.
 */
export async function presentHighlight(
  { table }: Pick<Ports, 'table'>,
  structure: Structure,
  counters: Counters | undefined,
): Promise<HighlightDocument> {
  const question = structure.highlight && findQuestion(structure, structure.highlight.questionId)?.question;
  if (!structure.highlight || !question) return { questionId: null, questionTitle: '', displayTitle: '', choices: [] };
  const { counts, counting } = await countChoices(table, structure, counters, question.id);
  return {
    questionId: question.id,
    questionTitle: question.title,
    displayTitle: structure.highlight.displayTitle || question.title,
    choices: listChoices(structure, question.id).map((choice) => ({
      choiceId: choice.id,
      name: choiceName(choice),
      count: counts.get(choice.id) ?? 0,
    })),
    ...(counting ? { counting } : {}),
  };
}

/** Counts by choice id; `counting`: not all responses are counted yet. */
type ChoiceCounts = { counts: ReadonlyMap<string, number>; counting: boolean };

async function countChoices(
  table: Table,
  structure: Structure,
  counters: Counters | undefined,
  questionId: string,
): Promise<ChoiceCounts> {
  if (!areUsed(counters)) {
    const { isExact } = await countDirectly(table, structure.formId, 'SUBMITTED');
    if (isExact) return countChoicesDirectly(table, structure, questionId);
  }
  if (!counters) return { counts: new Map(), counting: true };
  const counts = await loadChoiceCounts(table, structure, counters, questionId);
  return { counts, counting: !counters.isComplete };
}

/** Counts the choices of all submitted responses of a small form. */
async function countChoicesDirectly(table: Table, structure: Structure, questionId: string): Promise<ChoiceCounts> {
  const counts = new Map<string, number>();
  // A few more may have been submitted since they were counted.
  const range = { maxBatches: 2 + MAX_COUNTED_DIRECTLY / 100 };
  for await (const { responses } of readSubmittedBatches(table, structure.formId, range)) {
    for (const response of responses) {
      const value = countedAnswers({ response, structure })(questionId)?.value;
      for (const choiceId of Array.isArray(value) ? value : []) {
        if (typeof choiceId === 'string') counts.set(choiceId, (counts.get(choiceId) ?? 0) + 1);
      }
    }
  }
  return { counts, counting: false };
}
