/** The highlighted question of a form with the count of each choice. */

import { loadQuestionCells } from '#core/counts/answer-counters.ts';
import { type Counters, countDirectly, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { MAX_READ_KB } from '#core/schema/limits.ts';
import type { Question } from '#core/structure/question-model.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { areUsed } from './counted.ts';
import { findHighlighted, type Highlighted } from './highlight.ts';
import type { HighlightDocument } from './highlight-model.ts';
import { readMatches, type SearchPorts } from './matches.ts';
import { countQuestion } from './statistics.ts';

/** A highlighted question under its title, with the count of each choice; `isCounting`: not all responses are counted yet. */
export type CountedHighlight = {
  question: Question;
  title: string;
  /** How many responses have answered it. */
  answeredCount: number;
  /** How often choices were selected that are not offered any more. */
  removedChoicesCount: number;
  choices: readonly { choiceId: string; name: string; count: number }[];
  isCounting: boolean;
};

/**
 * Loads the highlight of a form with the count of every current choice, in order; undefined without one. Up to 200 submitted
 * responses are read; more are counted by the counters, which follow a change within seconds.
 */
export async function loadHighlight(
  app: SearchPorts,
  highlighted: Highlighted,
  counters: Counters | undefined,
): Promise<CountedHighlight | undefined> {
  const { structure, highlight } = highlighted;
  const question = findHighlighted(highlighted);
  if (!question) return undefined;
  const { counts, ...counted } = await countChoices(app, structure, counters, question);
  const choices = listChoices(structure, question.id).map((choice) => ({
    choiceId: choice.id,
    name: choiceName(choice),
    count: counts.get(choice.id) ?? 0,
  }));
  return { question, title: highlight?.displayTitle || question.title, choices, ...counted };
}

/** Presents the highlight of a form as the API returns it, like `loadHighlight`. */
export async function presentHighlight(...highlighted: Parameters<typeof loadHighlight>): Promise<HighlightDocument> {
  const loaded = await loadHighlight(...highlighted);
  if (!loaded) return { questionId: null, questionTitle: '', displayTitle: '', choices: [] };
  const { question, title, choices, isCounting } = loaded;
  return {
    questionId: question.id,
    questionTitle: question.title,
    displayTitle: title,
    choices: [...choices],
    ...(isCounting ? { counting: true } : {}),
  };
}

/** Counts by choice id; `isCounting`: not all responses are counted yet. */
type ChoiceCounts = Pick<CountedHighlight, 'answeredCount' | 'removedChoicesCount' | 'isCounting'> & {
  counts: ReadonlyMap<string, number>;
};

async function countChoices(
  app: SearchPorts,
  structure: Structure,
  counters: Counters | undefined,
  question: Question,
): Promise<ChoiceCounts> {
  const hasCounters = counters?.isComplete === true;
  if (!areUsed(counters)) {
    const { isExact } = await countDirectly(app.table, structure.formId, 'SUBMITTED');
    const direct = isExact ? await countChoicesDirectly(app, structure, question.id) : undefined;
    // Those of a form with large responses come from the counters as well.
    if (direct && !(direct.isCounting && hasCounters)) return direct;
  }
  if (!counters) return { counts: new Map(), answeredCount: 0, removedChoicesCount: 0, isCounting: true };
  const column = { ...question, question, sectionId: findQuestion(structure, question.id)?.section.id ?? '' };
  const cells = await loadQuestionCells(app.table, structure.formId, counters, [question.id]);
  const { answeredCount, choices = [], removedChoicesCount = 0 } = countQuestion(structure, column, cells);
  const counts = new Map(choices.map(({ choiceId, count }) => [choiceId, count]));
  return { counts, answeredCount, removedChoicesCount, isCounting: !counters.isComplete };
}

/** Counts the choices of all submitted responses of a small form; `isCounting`: they are too large to be read. */
async function countChoicesDirectly(app: SearchPorts, structure: Structure, questionId: string): Promise<ChoiceCounts> {
  const counts = new Map<string, number>();
  const offered = new Set(listChoices(structure, questionId).map(({ id }) => id));
  let [answeredCount, removedChoicesCount, isComplete] = [0, 0, false];
  // A few more may have been submitted since they were counted.
  const reading = {
    descending: false,
    most: 2 * MAX_COUNTED_DIRECTLY,
    maxKb: MAX_READ_KB,
    consistency: 'eventual',
  } as const;
  for await (const { responses, last } of readMatches(app, structure, { filters: [] }, reading)) {
    isComplete = last === null;
    for (const response of responses) {
      const value = countedAnswers({ response, structure })(questionId)?.value;
      if (value !== undefined) answeredCount += 1;
      for (const choiceId of Array.isArray(value) ? value : []) {
        if (typeof choiceId !== 'string') continue;
        counts.set(choiceId, (counts.get(choiceId) ?? 0) + 1);
        if (!offered.has(choiceId)) removedChoicesCount += 1;
      }
    }
  }
  return { counts, answeredCount, removedChoicesCount, isCounting: !isComplete };
}
