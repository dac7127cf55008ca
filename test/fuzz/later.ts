/**
 * Values that are chosen when a request is sent, not when it is drawn: ids of what the run has made so far. A drawn
 * request is a template with `Later` in it, so that it can be drawn, shrunk and sent again while the world moves on.
 */
import type { Aim } from './aim.ts';

/** A value that follows from what the request is aimed at. */
export class Later {
  readonly from: (aim: Aim) => unknown;

  constructor(from: (aim: Aim) => unknown) {
    this.from = from;
  }
}

/** A template with every `Later` in it chosen. Keeps members such as `__proto__` as members. */
export function settle(template: unknown, aim: Aim): unknown {
  if (template instanceof Later) return settle(template.from(aim), aim);
  if (Array.isArray(template)) return template.map((item) => settle(item, aim));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, settle(value, aim)]));
}

/** One of a list by a number that was drawn; undefined only of an empty list. */
export const pick = <T>(list: Iterable<T>, number: number): T | undefined => {
  const items = [...list];
  return items[number % Math.max(items.length, 1)];
};
