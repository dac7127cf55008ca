/** How a respondent moves through a form: which section comes next, and what is still missing. Pure. */
import { problemOf } from '#core/access/access.ts';
import { answersBy, type Current, completed } from '#core/responses/changes.ts';
import { pathOf, previewOf } from '#core/responses/preview.ts';
import { walk } from '#core/structure/path.ts';
import { findQuestion } from '#core/structure/structure.ts';
import type { ShownQuestion } from './fields/state.ts';

/** A section as its page shows it. */
export type ShownSection = {
  id: string;
  title: string;
  questions: readonly ShownQuestion[];
  /** From 1. */
  position: number;
  /** The number of sections on the path; undefined while answers decide how the path continues. */
  count: number | undefined;
  previousId: string | undefined;
};

/** A section on the path of a response; undefined for any other. */
export function sectionOnPath(current: Current, sectionId: string): ShownSection | undefined {
  const path = pathOf(current);
  const index = path.indexOf(sectionId);
  const preview = previewOf(current, undefined).sections.find(({ id }) => id === sectionId);
  if (index === -1 || !preview) return undefined;
  return {
    id: sectionId,
    title: preview.title,
    questions: preview.answerDetails.map(({ question }) => question),
    position: index + 1,
    count: isComplete(current) ? path.length : undefined,
    previousId: path[index - 1],
  };
}

const isComplete = ({ response, structure }: Current): boolean =>
  response.path !== undefined || walk(structure, answersBy(response.answers)).complete;

/** The questions that keep a response from being submitted: their ids, or `''` for a fault of the form itself. */
export function missingIds(current: Current): string[] {
  const faults = problemOf(() => completed(current))?.errors ?? [];
  return faults.map(({ pointer }) => /^\/answers\/(.+)$/.exec(pointer)?.[1] ?? '');
}

/** The section after another one; undefined at the end of the path. */
export function sectionAfter(current: Current, sectionId: string): string | undefined {
  const path = pathOf(current);
  return path[path.indexOf(sectionId) + 1];
}

/** Where somebody goes on who comes back: the first section that misses an answer; undefined if none does. */
export function firstUnfinished(current: Current): string | undefined {
  const path = pathOf(current);
  if (Object.keys(current.response.answers).length === 0) return path[0];
  const missing = new Set(
    missingIds(current).map((questionId) => findQuestion(current.structure, questionId)?.section.id),
  );
  return path.find((sectionId) => missing.has(sectionId));
}
