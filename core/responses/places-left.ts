/** How many places a form and its limited choices have left, for the API and for pages. */
import { keys } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Item } from '#core/db/table.ts';
import { type Gate, nameFormCounter } from '#core/forms/gate.ts';
import type { Form } from '#core/forms/model.ts';
import { isUncounted } from '#core/jobs/places.ts';
import { listChoiceLimits } from '#core/structure/limits.ts';
import { type Limit, type Limited, listLimits, readCounter } from './places.ts';
import type { PlacesDocument } from './places-model.ts';

/** How many places a form has left: undefined without a limit, and while they are being counted. */
export type PlacesLeft = {
  /** Undefined without a cap, and while its places are being counted. */
  form: number | undefined;
  /** By choice id. */
  choices: ReadonlyMap<string, number>;
  /** Whether the places of a limit are being counted, which is younger than responses. */
  isCounting: boolean;
};

/** Reads how many places a form has left; no read for a form without limits. */
export async function loadPlacesLeft(
  { table }: Pick<Ports, 'table'>,
  limited: Limited & { gate: Pick<Gate, 'formId'> },
) {
  const limits = listLimits(limited);
  const [item] = limits.length === 0 ? [] : await table.read([keys.places(limited.gate.formId)]);
  return findPlacesLeft(limits, item);
}

/** Finds how many places are left. */
export function findPlacesLeft(limits: readonly Limit[], item: Item | undefined): PlacesLeft {
  const known = limits.filter(({ counter }) => !isUncounted(readCounter(item, counter)));
  const left = ({ counter, max }: Limit): number => Math.max(0, max - readCounter(item, counter));
  const ofForm = known.find(({ choice }) => choice === undefined);
  return {
    form: ofForm && left(ofForm),
    choices: new Map(known.flatMap((limit) => (limit.choice ? [[limit.choice.choiceId, left(limit)] as const] : []))),
    isCounting: known.length < limits.length,
  };
}

/** Presents the places that a form has left as the API returns them. */
export function presentPlaces(limited: Limited, { form, choices, isCounting }: PlacesLeft): PlacesDocument {
  return {
    left: form ?? null,
    choices: listChoiceLimits(limited.structure).map(({ choiceId }) => ({
      choiceId,
      left: choices.get(choiceId) ?? null,
    })),
    ...(isCounting && { counting: true }),
  };
}

/** The places of a form with a cap; `taken`: undefined while they are being counted. */
export type FormPlaces = { taken: number | undefined; max: number };

/** Reads the places of a form with a cap; undefined without one. */
export async function loadFormPlaces(
  { table }: Pick<Ports, 'table'>,
  form: Pick<Form, 'id' | 'maxResponses' | 'limitedSince'>,
): Promise<FormPlaces | undefined> {
  if (form.maxResponses === null) return undefined;
  const [item] = await table.read([keys.places(form.id)]);
  const taken = readCounter(item, nameFormCounter(form));
  return { taken: isUncounted(taken) ? undefined : taken, max: form.maxResponses };
}
