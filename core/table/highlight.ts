/**
 * The highlighted question of a form, an item of its own: choosing it edits neither the structure nor unpublished changes.
 * It is presented with the count of each choice.
 */

import { type Opener, parsePathId, type Resources } from '#core/access/access.ts';
import { loadQuestionCells } from '#core/counts/answer-counters.ts';
import { type Counters, countDirectly, MAX_COUNTED_DIRECTLY } from '#core/counts/counters.ts';
import { change } from '#core/db/change.ts';
import { decode, encode } from '#core/db/codec.ts';
import { keys } from '#core/db/keys.ts';
import type { ChangePorts } from '#core/db/ports.ts';
import type { Item, Table, Write } from '#core/db/table.ts';
import { problems } from '#core/problems/problems.ts';
import { countedAnswers } from '#core/responses/answers.ts';
import { MAX_READ_KB } from '#core/schema/limits.ts';
import type { Question } from '#core/structure/question-model.ts';
import { reloadStructure } from '#core/structure/store.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { listHighlightable, mayBeHighlighted } from '#core/structure/types/traits.ts';
import { areUsed } from './counted.ts';
import type { HighlightDocument } from './highlight-model.ts';
import { readMatches, type SearchPorts } from './matches.ts';
import { countQuestion } from './statistics.ts';

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
function findHighlighted({ structure, highlight }: Highlighted): Question | undefined {
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
