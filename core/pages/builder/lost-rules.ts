/** The page of rules that were typed while what they follow was deleted: they stay in words. */

import type { SectionGate } from '#core/structure/gates.ts';
import type { RuleTable } from '#core/structure/rule-table.ts';
import type { Structure } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormFields } from '../shell/form-fields.ts';
import type { Html } from '../shell/html.ts';
import { renderLostPage } from '../shell/problem.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { NO_TEST, readTypedRules, type TypedRules } from './rule-fields.ts';
import { describeGate, describeRules } from './rule-words.ts';

/** `structure`: the newest one, in whose words the rules are said. */
export type LostRules = {
  structure: Structure;
  typed: TypedRules | SectionGate;
  posted: FormFields;
  rulesHref: string;
};

/** Renders the page with status 404. */
export function renderLostRules(
  context: PageContext,
  { structure, typed, posted, rulesHref }: LostRules,
): { html: Html; status: number } {
  const { rules: texts } = getQuestionsTexts(context);
  const { title, detail, back } = texts.lost;
  const text =
    'needs' in typed
      ? describeGate(context, structure, typed)
      : describeRules(context, structure, readTypedRules(structure, typed)).join('\n');
  const page = {
    title,
    detail,
    typed: [{ label: texts.title, text }],
    repeat: { action: context.path, posted },
    back: { href: rulesHref, text: back },
  };
  return { html: renderLostPage(context, page), status: 404 };
}

/** Returns the rules that a table stands for: one for each choice that leads somewhere else than every other answer. */
export const tableAsRules = ({ questionId, rows, otherwise = '' }: RuleTable): TypedRules => ({
  rules: rows.flatMap(({ choiceId, target = '' }) =>
    target === otherwise ? [] : [{ nodeId: '', questionId, ...NO_TEST, selected: [choiceId], target }],
  ),
  otherwise,
});
