/** Random choices of a request. They follow from the seed of the run, and may depend on what the service has returned. */
import fc from 'fast-check';

/** Draws a value. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** One source of random choices for each request of a run. */
export const newDraws = (seed: number, count: number): Draw[] =>
  fc.sample(fc.gen(), { seed, numRuns: count }).map(
    (generate): Draw =>
      (arbitrary) =>
        generate(() => arbitrary),
  );

/** Draws an item of a list that is not empty. */
export const pick = <T>(draw: Draw, items: readonly T[]): T => draw(fc.constantFrom(...items));

/** Draws an item as often as its weight says. */
export const weigh = <T>(draw: Draw, items: readonly (readonly [weight: number, item: T])[]): T =>
  draw(fc.oneof(...items.map(([weight, item]) => ({ weight, arbitrary: fc.constant(item) }))));
