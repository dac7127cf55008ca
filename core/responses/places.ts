/**
 * Places: a form may take so many responses, and a choice may be selected in so many. The places that are taken are numbers in one
 * item of the form, and each response names the counters in which it has a place. A place is taken before the response is stored,
 * and given back after it was not, or after it has none any more; not in one transaction, in which most of many submissions at once would be refused.
 * A process that dies in between leaves a place taken that nobody has, until a comparison finds that.
 */

import type { Reservation } from '#core/db/change.ts';
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import { wasWritten } from '#core/db/retry.ts';
import type { Item, Write, WriteRefused } from '#core/db/table.ts';
import { type Gate, nameFormCounter } from '#core/forms/gate.ts';
import { ensureComparison } from '#core/jobs/places.ts';
import { fault } from '#core/problems/answer-faults.ts';
import { problems } from '#core/problems/problems.ts';
import { type ChoiceLimit, listChoiceLimits } from '#core/structure/limits.ts';
import { findPlacement, findQuestion, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import { isIds } from '#core/structure/types/content.ts';
import { answerLookup } from './answers.ts';
import type { Response } from './model.ts';
import { loadResponses } from './store.ts';

/** A limit of a form: of all its responses, or of those that select a choice. */
export type Limit = { counter: string; max: number; choice?: ChoiceLimit };

/** A form with the limits that it has now. */
export type Limited = { gate: Pick<Gate, 'maxResponses' | 'limitedSince'>; structure: Structure };

/** Lists the limits of a form. */
export const listLimits = ({ gate, structure }: Limited): Limit[] => [
  ...(gate.maxResponses === null ? [] : [{ counter: nameFormCounter(gate), max: gate.maxResponses }]),
  ...listChoiceLimits(structure).map((choice) => ({ counter: choice.counter, max: choice.max, choice })),
];

/** Lists the counters in which a response needs a place: none for a draft; choices count on the path only. */
export function listNeeded(response: Response, limits: readonly Limit[], structure: Structure): string[] {
  if (response.progress !== 'SUBMITTED' || limits.length === 0) return [];
  const path = new Set(response.path);
  const answerTo = answerLookup(response.answers);
  const selects = ({ questionId, choiceId }: ChoiceLimit): boolean => {
    const { value } = answerTo(questionId) ?? {};
    const sectionId = findPlacement(structure, questionId)?.sectionId;
    return isIds(value) && value.includes(choiceId) && path.has(sectionId ?? '');
  };
  return limits.filter(({ choice }) => choice === undefined || selects(choice)).map(({ counter }) => counter);
}

/** What a change of a response does to the places: those that it takes, those that it gives back, and those that it has then. */
export type PlaceChange = { take: Limit[]; giveBack: string[]; places: string[] };

/**
 * Finds what a change of a response does to the places. `before`: undefined for a new one. A submitted response that has no place,
 * because it is older than the limit, takes none for what stays as it was: the count of the limit takes it.
 */
export function placeChange(
  before: Response | undefined,
  next: Response,
  limits: readonly Limit[],
  structure: Structure,
): PlaceChange {
  const had = before?.places ?? [];
  const neededBefore = new Set([...had, ...(before ? listNeeded(before, limits, structure) : [])]);
  const needed = new Set(listNeeded(next, limits, structure));
  const take = limits.filter(({ counter }) => needed.has(counter) && !neededBefore.has(counter));
  return {
    take,
    giveBack: had.filter((counter) => !needed.has(counter)),
    places: [...had.filter((counter) => needed.has(counter)), ...take.map(({ counter }) => counter)],
  };
}

/** Builds the write that takes places, unless one of the limits is reached. */
export const takePlaces = (formId: string, limits: readonly Limit[]): Write => ({
  update: keys.places(formId),
  add: {
    writes: 1,
    ...sumPlaces(
      limits.map(({ counter }) => counter),
      1,
    ),
  },
  when: { below: Object.fromEntries(limits.map(({ counter, max }) => [counter, max])) },
});

/** Builds the write that gives places back, while the form exists. It must be sent once: given back twice, a place is sold twice. */
export const giveBackPlaces = (formId: string, counters: readonly string[]): Write => ({
  update: keys.places(formId),
  add: { writes: 1, ...sumPlaces(counters, -1) },
  when: { absent: false },
});

/**
 * Builds the write that notes the places of a response that is deleted for its age: nobody gets them. In the transaction of the deletion;
 * an item of its own, which submissions do not change.
 */
export const keepPlaces = (formId: string, counters: readonly string[]): Write => ({
  update: keys.keptPlaces(formId),
  add: { writes: 1, ...sumPlaces(counters, 1) },
});

/** Adds a number for each of some counters, which may repeat. */
export function sumPlaces(counters: readonly string[], each: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counter of counters) sums[counter] = (sums[counter] ?? 0) + each;
  return sums;
}

/** Builds what the deletion of a response gives back. */
export const releasePlaces = (formId: string, places: readonly string[]): Reservation => ({
  release: giveBackPlaces(formId, places),
});

/** Returns the next state of a response with its places, and what the change takes from those of the form and gives back. */
export function planPlaces(
  app: Pick<Ports, 'table' | 'now'>,
  form: Limited & { gate: Pick<Gate, 'formId'> },
  { before, next: { places: _had, ...changed } }: { before: Response | undefined; next: Response },
): { next: Response; reserve: Reservation } {
  const { formId } = form.gate;
  const { take, giveBack, places } = placeChange(before, changed, listLimits(form), form.structure);
  const next = places.length > 0 ? { ...changed, places } : changed;
  const taken = take.map(({ counter }) => counter);
  const taking: Reservation['taking'] = {
    take: takePlaces(formId, take),
    refuse: (refusal) => refusePlaces(app, form, take, refusal),
    giveBack: giveBackPlaces(formId, taken),
    isStored: async () => {
      const [stored] = await loadResponses(app.table, [next.id]);
      const hasPlaces = taken.every((counter) => stored?.places?.includes(counter));
      return stored !== undefined && stored.version >= next.version && hasPlaces;
    },
  };
  const reserve = {
    ...(take.length > 0 && { taking }),
    ...(giveBack.length > 0 && { release: giveBackPlaces(formId, giveBack) }),
  };
  return { next, reserve };
}

/** Reads the value of a counter; 0 while nobody has taken a place. */
export const readCounter = (item: Item | undefined, counter: string): number => Number(item?.[counter] ?? 0);

/**
 * Throws 409 with the limits that are reached, after places were refused. Before that it has the places compared with the responses,
 * unless nothing has changed since the last time.
 */
async function refusePlaces(
  app: Pick<Ports, 'table' | 'now'>,
  { gate: { formId }, structure }: Limited & { gate: Pick<Gate, 'formId'> },
  limits: readonly Limit[],
  { found }: WriteRefused,
): Promise<never> {
  if (readCounter(found, 'compared') !== readCounter(found, 'writes')) {
    const [job] = await app.table.read([keys.placesCount(formId)]);
    const writes = ensureComparison(formId, job, app.now(), true);
    if (writes.length > 0) await wasWritten(app.table, writes);
  }
  const reached = limits.filter(({ counter, max }) => readCounter(found, counter) >= max);
  const questionIds = reached.flatMap(({ choice }) => choice?.questionId ?? []);
  throw problems.noPlaceLeft(
    reached.map(({ choice }) => ({
      pointer: choice ? `/answers/${choice.questionId}` : '/form',
      detail: choice ? `"${nameChoice(structure, choice)}" has no place left` : 'has no place left',
    })),
    new Map(
      questionIds.map((questionId) => [
        questionId,
        fault('', 'no_place_left', namesOf(structure, reached, questionId)),
      ]),
    ),
  );
}

const nameChoice = (structure: Structure, { questionId, choiceId }: ChoiceLimit): string => {
  const choice = findQuestion(structure, questionId)?.question.choices?.find(({ id }) => id === choiceId);
  return choice ? choiceName(choice) : '';
};

const namesOf = (structure: Structure, limits: readonly Limit[], questionId: string): string =>
  limits.flatMap(({ choice }) => (choice?.questionId === questionId ? [nameChoice(structure, choice)] : [])).join(', ');
