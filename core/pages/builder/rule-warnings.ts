/** What is odd about the rules of a form, in words. */
import type { Warning } from '#core/structure/rule-warnings.ts';
import { findQuestion, listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getCheckListTexts } from '../text/check-list.ts';

/** Says a warning without its place. */
export function describeWarning(context: PageContext, structure: Structure, warning: Warning): string {
  const texts = getCheckListTexts(context);
  const { kind, questionId = '', choiceIds = [] } = warning;
  const title = (): string => findQuestion(structure, questionId)?.question.title ?? '';
  switch (kind) {
    case 'sourceLoop':
      return texts.sourceLoop(title());
    case 'noWay': {
      const choices = listChoices(structure, questionId).filter(({ id }) => choiceIds.includes(id));
      return texts.noWay(choices.map(choiceName).join(texts.separator));
    }
    default:
      return texts[kind];
  }
}

/** Renders warnings as a list; nothing without any. */
export const warningList = (
  context: PageContext,
  structure: Structure,
  warnings: readonly Warning[],
): Html | undefined =>
  warnings.length === 0
    ? undefined
    : html`<ul class="warnings small">${warnings.map((warning) => html`<li>${describeWarning(context, structure, warning)}</li>`)}</ul>`;

/** Returns the place of a node or a section on the page of all rules. */
export const ruleAnchor = ({
  sectionId,
  nodeId,
}: {
  sectionId?: string | undefined;
  nodeId?: string | undefined;
}): string => (sectionId !== undefined ? `#s-${sectionId}` : nodeId !== undefined ? `#c-${nodeId}` : '');
