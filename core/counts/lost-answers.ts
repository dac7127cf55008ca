/**
 * Counts the answers that deleting a question or a choice would lose, for the pages that warn first. Up to 200 responses
 * are read, drafts included, which is exact at once; of more only their number is known.
 */
import { type Opener, parsePathId, type Resources } from '#core/access/access.ts';
import type { Table } from '#core/db/table.ts';
import type { Response } from '#core/responses/model.ts';
import { loadResponses } from '#core/responses/store.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { isIds } from '#core/structure/types/content.ts';
import { countResponses, MAX_COUNTED_DIRECTLY, type ResponseCounts } from './counters.ts';
import { type ListedEntries, readListedEntries } from './lists.ts';

/** In how many responses a question is answered, and each of the choices that were selected, by id. */
export type QuestionCounts = { answers: number; choices: ReadonlyMap<string, number> };

/** `questions`: by id, those that are answered; undefined for a form with more than 200 responses. */
export type AnswerCounts = ResponseCounts & { questions: ReadonlyMap<string, QuestionCounts> | undefined };

/** Adds what `countAnswers` needs of the form of `{formId}` to what an opener loads, in parallel; for members only. */
export const withEntries =
  <T extends Resources>(open: Opener<T>): Opener<T & { listed: ListedEntries }> =>
  async (call) => {
    const formId = parsePathId(call.params, 'formId');
    const [opened, listed] = await Promise.all([open(call), readEntries(call.app.table, formId)]);
    return { ...opened, resource: { ...opened.resource, listed } };
  };

/** Reads what `countAnswers` needs. */
export const readEntries = (table: Table, formId: string): Promise<ListedEntries> =>
  readListedEntries(table, formId, { limit: MAX_COUNTED_DIRECTLY, after: undefined });

/**
 * Counts the responses of a form and, if there are at most 200, the answers to some questions, in one round trip. Reads no
 * response when there is no question.
 */
export async function countAnswers(
  table: Table,
  formId: string,
  { batch: { entries, last }, counters }: ListedEntries,
  questionIds: readonly string[],
): Promise<AnswerCounts> {
  if (last !== null) return { ...(await countResponses(table, formId, counters)), questions: undefined };
  const ids = questionIds.length === 0 ? [] : entries.map(({ id }) => id);
  const responses = await loadResponses(table, ids);
  const submittedCount = entries.filter(({ progress }) => progress === 'SUBMITTED').length;
  return {
    draftCount: entries.length - submittedCount,
    submittedCount,
    counting: false,
    questions: new Map(questionIds.map((id) => [id, countQuestion(responses, id)])),
  };
}

/** Counts the answers to one question in two round trips; undefined, and none, for one that nobody has ever answered. */
export async function countAnswersTo(
  table: Table,
  { structure: { formId }, answered }: Pick<StoredStructure, 'structure' | 'answered'>,
  questionId: string,
): Promise<AnswerCounts | undefined> {
  if (!answered.ids.has(questionId)) return undefined;
  return countAnswers(table, formId, await readEntries(table, formId), [questionId]);
}

function countQuestion(responses: readonly Response[], questionId: string): QuestionCounts {
  const answers = responses.flatMap((response) => response.answers[questionId] ?? []);
  const choices = new Map<string, number>();
  for (const id of answers.flatMap(({ value }) => (isIds(value) ? value : []))) {
    choices.set(id, (choices.get(id) ?? 0) + 1);
  }
  return { answers: answers.length, choices };
}
