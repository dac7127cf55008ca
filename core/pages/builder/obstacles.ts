/** Why nobody could answer a form although nothing prevents publishing it. */
import type { Form } from '#core/forms/model.ts';
import { reachableInOrder } from '#core/structure/path.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getCheckListTexts } from '../text/check-list.ts';

export type Obstacle = 'noSections' | 'noQuestions' | 'deadlinePassed';

/** Finds what stands in the way of answers: nothing to answer on any path, or a deadline in the past. */
export function listObstacles(
  { deadline }: Pick<Form, 'deadline'>,
  structure: Pick<Structure, 'nodes' | 'sections'>,
  now: Date,
): Obstacle[] {
  const reachedIds = new Set(reachableInOrder(structure.nodes));
  const reached = structure.sections.filter(({ id }) => reachedIds.has(id));
  const isEmpty = reached.every(({ questions }) => questions.length === 0);
  return [
    ...(isEmpty ? ([reached.length === 0 ? 'noSections' : 'noQuestions'] as const) : []),
    ...(deadline !== null && deadline <= now.toISOString() ? (['deadlinePassed'] as const) : []),
  ];
}

/** Says what stands in the way; nothing without obstacles. */
export function obstacleNotice(context: PageContext, obstacles: readonly Obstacle[]): Html | undefined {
  const { obstacles: texts } = getCheckListTexts(context);
  if (obstacles.length === 0) return undefined;
  return html`<div class="notice warning"><p>${texts.lead}</p><ul>${obstacles.map((obstacle) => html`<li>${texts[obstacle]}</li>`)}</ul></div>`;
}
