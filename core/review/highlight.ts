/** The highlighted question of a form with the count of each choice. */
import type { Ports } from '#core/db/ports.ts';
import type { Table } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { createCounters, loadCounters } from '#core/responses/counters.ts';
import { countDirectly, MAX_COUNTED_DIRECTLY } from '#core/responses/counts.ts';
import { countedAnswers } from '#core/responses/preview.ts';
import { mayBeHighlighted } from '#core/structure/question-model.ts';
import { findQuestion, type Highlight, type Structure, sourceChain } from '#core/structure/structure.ts';
import type { HighlightView } from './highlight-model.ts';
import { submittedPages } from './submitted.ts';

/** A structure with a highlight. Throws 400 for a question of another form or without choices. */
export function withHighlight(structure: Structure, highlight: Highlight): Structure {
  const question = findQuestion(structure, highlight.questionId)?.question;
  const detail = question
    ? 'must be of type SINGLE_CHOICE, MULTIPLE_CHOICE, DROPDOWN or DETAILED_MULTIPLE_CHOICE'
    : 'is not a question of this form';
  if (!question || !mayBeHighlighted(question.type)) throw problems.invalid([{ pointer: '/body/questionId', detail }]);
  return { ...structure, highlight };
}

/** A structure with a changed highlight title; undefined changes nothing. Throws 404 when it has no highlight. */
export function withHighlightTitle(structure: Structure, displayTitle: string | null | undefined): Structure {
  if (!structure.highlight) throw problems.notFound();
  return displayTitle === undefined ? structure : { ...structure, highlight: { ...structure.highlight, displayTitle } };
}

/** A structure without its highlight. Throws 404 when it has no highlight. */
export function withoutHighlight(structure: Structure): Structure {
  if (!structure.highlight) throw problems.notFound();
  const { highlight: _cleared, ...rest } = structure;
  return rest;
}

/**
 * The highlight of a form with the count of every current choice, in order. Up to 200 submitted responses are read;
 * more are counted by the counters, which follow a change within seconds. Queues the creation of the counters for a
 * large form that lacks them.
 */
export async function showHighlight(app: Pick<Ports, 'table' | 'now'>, structure: Structure): Promise<HighlightView> {
  const question = structure.highlight && findQuestion(structure, structure.highlight.questionId)?.question;
  if (!structure.highlight || !question) return { questionId: null, questionTitle: '', displayTitle: '', choices: [] };
  const choices = sourceChain(structure, question.id).at(-1)?.choices ?? [];
  const { counts, counting } = await countChoices(app, structure, question.id);
  return {
    questionId: question.id,
    questionTitle: question.title,
    displayTitle: structure.highlight.displayTitle?.trim() ? structure.highlight.displayTitle : question.title,
    choices: choices.map(({ id, name }) => ({ choiceId: id, name, count: counts.get(id) ?? 0 })),
    ...(counting ? { counting } : {}),
  };
}

/** Counts by choice id; `counting`: not all responses are counted yet. */
type ChoiceCounts = { counts: ReadonlyMap<string, number>; counting: boolean };

async function countChoices(
  app: Pick<Ports, 'table' | 'now'>,
  structure: Structure,
  questionId: string,
): Promise<ChoiceCounts> {
  const counters = await loadCounters(app.table, structure.formId);
  if (!counters?.isComplete || counters.submitted <= MAX_COUNTED_DIRECTLY) {
    const { isExact } = await countDirectly(app.table, structure.formId, 'SUBMITTED');
    if (isExact) return readChoices(app.table, structure, questionId);
  }
  if (!counters) await createCounters(app, structure.formId);
  if (counters?.questionId !== questionId) return { counts: new Map(), counting: true };
  return { counts: counters.choices, counting: !counters.isQuestionComplete };
}

/** Counts the choices of all submitted responses of a small form. */
async function readChoices(table: Table, structure: Structure, questionId: string): Promise<ChoiceCounts> {
  const counts = new Map<string, number>();
  // A few more may have been submitted since they were counted.
  const range = { maxPages: 2 + MAX_COUNTED_DIRECTLY / 100 };
  for await (const { responses } of submittedPages(table, structure.formId, range)) {
    for (const response of responses) {
      const value = countedAnswers({ response, structure })(questionId)?.value;
      for (const choiceId of Array.isArray(value) ? value : []) {
        if (typeof choiceId === 'string') counts.set(choiceId, (counts.get(choiceId) ?? 0) + 1);
      }
    }
  }
  return { counts, counting: false };
}
