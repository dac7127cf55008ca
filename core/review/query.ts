/** Reads submitted responses through a filter: a page of those that match, and the distinct answers to a question. */
import type { App } from '#core/http/app.ts';
import { countFitting } from '#core/http/fit.ts';
import { problems } from '#core/problems/problems.ts';
import type { Response } from '#core/responses/model.ts';
import { countedAnswers } from '#core/responses/progress.ts';
import { allResponses, pageResponses } from '#core/responses/store.ts';
import { findQuestion, type Structure } from '#core/structure/structure.ts';
import { distinctValues, matchesFilter } from './filter.ts';
import type { DistinctAnswers, FilterInput } from './filter-model.ts';

/** How many responses one page of a filter looks at, at most: a request stays short however few match. */
const MAX_LOOKED_AT = 1_000;
const PAGE = 100;
const MAX_DISTINCT = 1_000;

type Filters = FilterInput['filters'];

/** 404 for a question that the form never had. */
export function requireQuestions(structure: Structure, questionIds: readonly string[]): void {
  const known = (id: string): boolean =>
    findQuestion(structure, id) !== undefined || structure.removed.some((question) => question.id === id);
  if (!questionIds.every(known)) throw problems.notFound();
}

/**
 * The next responses that match, oldest submission first, `limit` at most; `last` is where to go on looking, and
 * `positions` where to go on behind each. Looks at as many at once as one read takes, however few are wanted.
 */
export async function pageMatching(
  app: App,
  structure: Structure,
  filters: Filters,
  range: { limit: number; after: string | undefined },
): Promise<{ responses: Response[]; last: string | null; positions: ReadonlyMap<string, string> }> {
  const found: Response[] = [];
  const positions = new Map<string, string>();
  const limit = filters.length === 0 ? range.limit : PAGE;
  let after = range.after;
  for (let lookedAt = limit; ; lookedAt += limit) {
    const page = await pageResponses(app.table, structure.formId, ['SUBMITTED'], { limit, after });
    const matching = page.responses.filter((response) => matchesFilter(filters, countedAnswers(response, structure)));
    const taken = matching.slice(0, range.limit - found.length);
    found.push(...taken);
    for (const [id, position] of page.positions) positions.set(id, position);
    if (taken.length < matching.length) {
      return { responses: found, last: page.positions.get(taken.at(-1)?.id ?? '') ?? null, positions };
    }
    const full = found.length >= range.limit || lookedAt >= MAX_LOOKED_AT;
    if (page.last === null || full) return { responses: found, last: page.last, positions };
    after = page.last;
  }
}

/**
 * The distinct answers to a question in the responses that match the filters of the other questions; the first
 * thousand, or fewer when those would not fit one answer.
 */
export async function distinctAnswers(
  app: App,
  structure: Structure,
  questionId: string,
  filters: Filters,
): Promise<Pick<DistinctAnswers, 'answers' | 'truncated'>> {
  const others = filters.filter((filter) => filter.questionId !== questionId);
  const selected = new Set(
    filters
      .filter((filter) => filter.questionId === questionId)
      .flatMap(({ answers }) => answers.map(({ option }) => option)),
  );
  const question = findQuestion(structure, questionId)?.question;
  const values = new Map<string, string>();
  for await (const page of allResponses(app.table, structure.formId, ['SUBMITTED'])) {
    for (const response of page) {
      const answerTo = countedAnswers(response, structure);
      const answer = matchesFilter(others, answerTo) ? answerTo(questionId) : undefined;
      for (const value of answer ? distinctValues(answer, question) : [])
        values.set(value.matchValue, value.displayValue);
    }
  }
  const answers = [...values]
    .map(([matchValue, displayValue]) => ({ displayValue, matchValue, selected: selected.has(matchValue) }))
    .sort((a, b) => a.displayValue.localeCompare(b.displayValue, 'en') || (a.matchValue < b.matchValue ? -1 : 1));
  const shown = answers.slice(0, MAX_DISTINCT);
  const fitting = shown.slice(0, countFitting(shown));
  return { answers: fitting, truncated: answers.length > fitting.length };
}
