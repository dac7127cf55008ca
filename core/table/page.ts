/** What a page of the list of responses is: what is asked for, and what is returned. */
import type { Response } from '#core/responses/model.ts';
import type { Visit } from './matches.ts';

/** A page of a list: after a position, before one, or from the beginning. */
export type PageRequest = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  /** Whether the first page is read on when it is full, up to 1,000 responses, to count those that match. */
  countsAll?: boolean;
  /** Called with each response that is read to count. */
  visit?: Visit | undefined;
  /** Called with each response that matches. */
  onMatch?: Visit | undefined;
};

/** How many responses match, among those that were read; `isComplete`: all of them were. */
export type MatchCount = { count: number; isComplete: boolean };

/**
 * Responses in order. `last` is the position after which the list continues, `first` the one before which there are more;
 * null at the ends. `positions` has the position of each response.
 */
export type PageOfResponses = {
  responses: Response[];
  first: string | null;
  last: string | null;
  positions: ReadonlyMap<string, string>;
  /** Undefined if the list was not read from the beginning to its end. */
  matches: MatchCount | undefined;
};
