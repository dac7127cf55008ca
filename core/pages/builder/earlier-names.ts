/** The names of earlier questions, for texts that recall their answers: beside the title and the explanation of what is edited. */
import { listGateQuestions } from '#core/structure/rules.ts';
import type { Structure } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';

/** Renders the names that texts of a section can recall, folded. Undefined without such questions. */
export function earlierNames(context: PageContext, structure: Structure, sectionId: string): Html | undefined {
  const list = listEarlierNames(context, structure, sectionId);
  const { title } = getQuestionsTexts(context).edit.earlier;
  return (
    list &&
    html`<details class="field"><summary>${title}</summary>
${list}</details>`
  );
}

/**
 * Renders the names that texts of a section can recall: of questions before it. A button writes one where the cursor was last;
 * without scripts there is none. Undefined without such questions.
 */
export function listEarlierNames(context: PageContext, structure: Structure, sectionId: string): Html | undefined {
  const { earlier: texts } = getQuestionsTexts(context).edit;
  const named = listGateQuestions(structure, sectionId).flatMap(({ name, title, type }) =>
    name === undefined || isSetByService(type) ? [] : [{ title, written: `{{${name}}}` }],
  );
  if (named.length === 0) return undefined;
  return html`<p class="hint">${texts.hint}</p>
<ul class="plain-list">${named.map(
    ({ title, written }) =>
      html`<li><code>${written}</code> <bdi>${title}</bdi> <button type="button" class="quiet" hidden data-insert="${written}">${texts.insert}<span class="visually-hidden"> ${written}</span></button></li>`,
  )}</ul>`;
}
