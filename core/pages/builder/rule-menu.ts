/** Rules that are made with few presses in the editor: what its menu offers, and what a choice in it does. */

import type { Question } from '#core/structure/question-model.ts';
import { dropRule, goElse, goIf, listAnswers, showAlways, showIf } from '#core/structure/rule-steps.ts';
import { listGateQuestions, listRuleQuestions } from '#core/structure/rules.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getEditorTexts } from '../text/editor.ts';
import { sectionHref } from './questions.ts';
import { listTargets } from './section-rules.ts';
import { typeIcon } from './type-icons.ts';

/** The most answers that the menu has; the page of the rules has all. */
const MAX_ANSWERS = 500;

/**
 * Returns the edit of a button of the editor: `show-if:` and `go-if:` with a question and an answer, the latter with a target,
 * `go-else:` with a target, `rule-drop:` with a condition, `show-always`. Undefined for any other button.
 */
export function findRuleStep(
  action: string,
  sectionId: string,
  ids: { now: string; newId: () => string },
): ((structure: Structure) => Structure) | undefined {
  const [step, first = '', value = '', target = ''] = action.split(':');
  switch (step) {
    case 'show-if':
      return (structure) => showIf(structure, sectionId, { questionId: first, value }, ids);
    case 'show-always':
      return (structure) => showAlways(structure, sectionId, ids);
    case 'go-if':
      return (structure) => goIf(structure, sectionId, { questionId: first, value, target }, ids);
    case 'go-else':
      return (structure) => goElse(structure, sectionId, first, ids);
    case 'rule-drop':
      return (structure) => dropRule(structure, sectionId, first, ids);
    default:
      return undefined;
  }
}

/** Renders what the menu offers for a section, for the scripts of the editor. */
export function renderRuleMenu(context: PageContext, structure: Structure, sectionId: string): Html {
  const { rules: texts } = getEditorTexts(context);
  const more = html`<li><a class="button quiet" href="${sectionHref(structure.formId, sectionId)}/rules">${texts.more}</a></li>`;
  const targets = listTargets(context, structure, sectionId).filter(({ value }) => value !== '');
  return html`<ul class="dense" data-offered="show" aria-label="${texts.answer}">${listWhens(context, structure, listGateQuestions(structure, sectionId))}${more}</ul>
<ul class="dense" data-offered="go" aria-label="${texts.answer}">${listWhens(context, structure, listRuleQuestions(structure, sectionId))}<li><button type="button" class="quiet" data-when="">${texts.otherwise}<span class="muted small">${texts.otherwiseHint}</span></button></li>${more}</ul>
<ul class="dense" data-offered="to" aria-label="${texts.target}">${targets.map(({ value, label }) => html`<li><button type="button" class="quiet" data-to="${value}"><span dir="auto">${label}</span></button></li>`)}</ul>`;
}

/** The answers for which can be asked, those of the nearest questions first. */
function listWhens(context: PageContext, structure: Structure, questions: readonly Question[]): Html[] {
  const { rules: texts } = getEditorTexts(context);
  return questions
    .toReversed()
    .flatMap((question) => [
      ...listAnswers(structure, question).map((value) => ({ question, value })),
      ...(question.required ? [] : [{ question, value: '' }]),
    ])
    .slice(0, MAX_ANSWERS)
    .map(({ question, value }) => {
      const names = new Map(listChoices(structure, question.id).map((choice) => [choice.id, choiceName(choice)]));
      const said = value === '' ? texts.isAnswered : texts.is(names.get(value) ?? value);
      return html`<li><button type="button" class="quiet" data-when="${question.id}:${value}">${typeIcon(question.type)}<span dir="auto">${question.title}</span><span dir="auto" class="small">${said}</span></button></li>`;
    });
}
