/** The pages that say what is lost before a question or a section is deleted. */
import type { Gate } from '#core/forms/gate.ts';
import type { StoredStructure } from '#core/structure/store.ts';
import { type PlacedQuestion, type Section, sectionTitle } from '#core/structure/structure.ts';
import type { PageContext } from '../shell/context.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsText } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { listDependents, listRulesOf, questionHref, sectionHref } from './questions.ts';

type Removal = { title: string; losses: readonly string[]; href: string; submit: string };

const removalPage = (context: PageContext, head: FormHead, { title, losses, href, submit }: Removal): Html =>
  builderLayout(context, head, {
    current: 'questions',
    title,
    main: html`<h1>${title}</h1>
${losses.filter((text) => text !== '').map((text) => html`<p>${text}</p>`)}
<form method="post" action="${href}/delete" data-once>
<p class="actions"><button class="danger">${submit}</button><a class="button secondary" href="${href}">${context.t.shell.cancel}</a></p>
</form>`,
  });

/** Renders the page on which a question is deleted. */
export function questionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, stored, placed }: { gate: Gate; stored: StoredStructure; placed: PlacedQuestion },
): Html {
  const { remove: texts } = getQuestionsText(context);
  const { structure, answered } = stored;
  const { id, title } = placed.question;
  const dependents = listDependents(structure, id);
  return removalPage(context, head, {
    title: texts.question(title),
    losses: [
      answered.ids.has(id) ? texts.answered : texts.unanswered,
      texts.rules(listRulesOf(structure, id).length),
      dependents.length > 0 ? texts.sources(dependents.map((question) => question.title).join(', ')) : '',
    ],
    href: questionHref(gate.formId, id),
    submit: texts.submitQuestion,
  });
}

/** Renders the page on which a section is deleted. */
export function sectionRemovalPage(
  context: PageContext,
  head: FormHead,
  { gate, stored, section }: { gate: Gate; stored: StoredStructure; section: Section },
): Html {
  const { remove: texts, list } = getQuestionsText(context);
  const { structure, answered } = stored;
  const rules = section.questions.reduce((sum, { id }) => sum + listRulesOf(structure, id).length, 0);
  return removalPage(context, head, {
    title: texts.section(sectionTitle(structure, section.id) || list.untitled),
    losses: [
      texts.questions(section.questions.length, section.questions.filter(({ id }) => answered.ids.has(id)).length),
      texts.rules(rules),
      texts.path,
    ],
    href: sectionHref(gate.formId, section.id),
    submit: texts.submitSection,
  });
}
