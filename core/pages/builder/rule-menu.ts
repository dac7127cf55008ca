/** Rules that are made with few presses in the editor: what its menu offers, and what a choice in it does. */

import type { Question } from '#core/structure/question-model.ts';
import { dropRule, goElse, goIf, listAnswers, showAlone, showAlways, showIf } from '#core/structure/rule-steps.ts';
import { listAloneQuestions, listGateQuestions, listRuleQuestions } from '#core/structure/rules.ts';
import { listChoices, type Structure } from '#core/structure/structure.ts';
import { choiceName } from '#core/structure/types/choices.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getEditorTexts } from '../text/editor.ts';
import { sectionHref } from './questions.ts';
import { listTargets } from './section-rules.ts';
import { drawTypeIcons, typeIcon } from './type-icons.ts';

/** The most answers that the menu has; the page of the rules has all. */
const MAX_ANSWERS = 500;

/**
 * Returns the edit of a button of the editor: `show-if:` and `go-if:` with a question and an answer, the latter with a target,
 * `go-else:` with a target, `rule-drop:` with a condition, `own-if:` with the question that gets a section of its own, a question and an
 * answer, `show-always`. Undefined for any other button. `questionId`: the question that it moves.
 */
export function findRuleStep(
  action: string,
  sectionId: string,
  ids: { now: string; newId: () => string },
): { edit: (structure: Structure) => Structure; questionId?: string } | undefined {
  const [step, first = '', value = '', target = ''] = action.split(':');
  switch (step) {
    case 'show-if':
      return { edit: (structure) => showIf(structure, sectionId, { questionId: first, value }, ids) };
    case 'own-if':
      return {
        edit: (structure) => showAlone(structure, first, { questionId: value, value: target }, ids),
        questionId: first,
      };
    case 'show-always':
      return { edit: (structure) => showAlways(structure, sectionId, ids) };
    case 'go-if':
      return { edit: (structure) => goIf(structure, sectionId, { questionId: first, value, target }, ids) };
    case 'go-else':
      return { edit: (structure) => goElse(structure, sectionId, first, ids) };
    case 'rule-drop':
      return { edit: (structure) => dropRule(structure, sectionId, first, ids) };
    default:
      return undefined;
  }
}

/** Renders what the menu offers for a section, or for a question that gets one of its own, for the scripts of the editor. */
export function renderRuleMenu(
  context: PageContext,
  structure: Structure,
  { sectionId, questionId }: { sectionId: string; questionId: string | null },
): Html {
  const { rules: texts } = getEditorTexts(context);
  const more = html`<li><a class="button quiet" href="${sectionHref(structure.formId, sectionId)}/rules">${texts.more}</a></li>`;
  const targets = listTargets(context, structure, sectionId).filter(({ value }) => value !== '');
  if (questionId !== null) {
    const whens = listWhens(context, structure, listAloneQuestions(structure, questionId));
    return html`<ul class="dense" data-offered="own" aria-label="${texts.answer}">${whens}</ul>`;
  }
  return html`<ul class="dense" data-offered="show" aria-label="${texts.answer}">${listWhens(context, structure, listGateQuestions(structure, sectionId))}${more}</ul>
<ul class="dense" data-offered="go" aria-label="${texts.answer}">${listWhens(context, structure, listRuleQuestions(structure, sectionId))}<li><button type="button" class="quiet" data-when="">${texts.otherwise}<span class="muted small">${texts.otherwiseHint}</span></button></li>${more}</ul>
<ul class="dense" data-offered="to" aria-label="${texts.target}">${targets.map(({ value, label }) => html`<li><button type="button" class="quiet" data-to="${value}"><span dir="auto">${label}</span></button></li>`)}</ul>`;
}

/** Renders the answers by which a question is shown alone as the buttons of a page. */
export const renderAloneButtons = (context: PageContext, structure: Structure, questionId: string): Html =>
  html`${drawTypeIcons()}<ul class="plain">${listWhens(context, structure, listAloneQuestions(structure, questionId), questionId)}</ul>`;

/** The answers for which can be asked, those of the nearest questions first. `aloneId`: as the buttons of a form that show a question alone. */
function listWhens(
  context: PageContext,
  structure: Structure,
  questions: readonly Question[],
  aloneId?: string,
): Html[] {
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
      const when = `${question.id}:${value}`;
      const press =
        aloneId === undefined
          ? html` type="button" data-when="${when}"`
          : html` name="do" value="own-if:${aloneId}:${when}"`;
      return html`<li><button class="quiet"${press}>${typeIcon(question.type)}<span dir="auto">${question.title}</span><span dir="auto" class="small">${said}</span></button></li>`;
    });
}
