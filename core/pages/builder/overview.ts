/** The overview of a form: what is there and what is missing, its content, and what can be done with it. */
import { sectionsInOrder } from '#core/structure/path.ts';
import { type Structure, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { getBuilderTexts } from '../text/builder.ts';

/** The sections in the order of the path with the titles of their questions. */
export function renderContent(context: PageContext, structure: Structure): Html | undefined {
  if (structure.sections.length === 0) return undefined;
  const { overview: texts } = getBuilderTexts(context);
  return html`<h2 class="section-heading">${texts.content}</h2>
<ol class="outline">${sectionsInOrder(structure).map(
    (section) =>
      html`<li><h3>${sectionTitle(structure, section.id)}</h3>${section.questions.length > 0 && html`<ol>${section.questions.map(({ title }) => html`<li>${title}</li>`)}</ol>`}</li>`,
  )}</ol>`;
}
