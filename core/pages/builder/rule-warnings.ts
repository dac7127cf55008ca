/** What is odd about the rules of a form, in words: beside the rule, and as tasks on the overview. */
import { findWarnings, type Warning } from '#core/structure/rule-warnings.ts';
import { findQuestion, listChoices, type Structure, sectionTitle } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getWarningsText } from '../text/warnings.ts';
import { buildHref } from './frame.ts';

/** Says a warning without its place. */
export function describeWarning(context: PageContext, structure: Structure, warning: Warning): string {
  const texts = getWarningsText(context);
  const { kind, questionId = '', choiceIds = [] } = warning;
  const title = (): string => findQuestion(structure, questionId)?.question.title ?? '';
  switch (kind) {
    case 'optional':
    case 'sourceLoop':
      return texts[kind](title());
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
export const ruleAnchor = ({ sectionId, nodeId }: Pick<Warning, 'sectionId' | 'nodeId'>): string =>
  sectionId !== undefined ? `#s-${sectionId}` : nodeId !== undefined ? `#c-${nodeId}` : '';

/** Renders all warnings of a form with links to their places; nothing without any. */
export function warningTasks(context: PageContext, structure: Structure): Html | undefined {
  const texts = getWarningsText(context);
  const warnings = findWarnings(structure);
  if (warnings.length === 0) return undefined;
  const href = `${buildHref(structure.formId)}/rules`;
  return html`<p>${texts.lead}</p><ul class="warnings">${warnings.map((warning) => {
    const { kind, sectionId } = warning;
    const words = describeWarning(context, structure, warning);
    const title = sectionTitle(structure, sectionId ?? '') || texts.untitled;
    const place = kind === 'unreachable' || kind === 'sourceLoop' ? texts.about : texts.after;
    return html`<li><a href="${href}${ruleAnchor(warning)}">${sectionId === undefined ? words : place(title, words)}</a></li>`;
  })}</ul>`;
}
