/**
 * Says what is lost with a section, before it is deleted. Deletes a section with its questions; the path leads past
 * it. The list is shown at the section before it.
 */
import { countAnswers, withEntries } from '#core/counts/lost-answers.ts';
import { editForm, openEditedForm, openEditedSection } from '#core/forms/edited.ts';
import { displayOrder } from '#core/structure/path.ts';
import { requireSection } from '#core/structure/questions.ts';
import { findSection, type Section, sectionTitle } from '#core/structure/structure.ts';
import { removeNode } from '#core/structure/workflow-edits.ts';
import type { PageContext } from '../shell/context.ts';
import { LIST, member } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { withDone } from './frame.ts';
import { listDependents, mayEditQuestions, questionsHref, sectionHref } from './questions.ts';
import { answersTo, type Deleted, lostRules, removalPage } from './removal.ts';

const openSectionEntries = withEntries(openEditedSection);

export const page = definePage({
  name: 'deleteSection',
  audience: 'authors',
  path: '/build/{formId}/s/{sectionId}/delete',
  access: member,
  needs: LIST,
  open: openSectionEntries,
  show: async ({ app, gate, stored, listed, params, context }) => {
    if (!mayEditQuestions(gate)) return { location: questionsHref(gate.formId) };
    const section = requireSection(stored.structure, params.sectionId);
    const ids = section.questions.map(({ id }) => id).filter((id) => stored.answered.ids.has(id));
    const [head, counts] = await Promise.all([
      loadGateHead(app, gate),
      countAnswers(app.table, gate.formId, listed, ids),
    ]);
    return { html: renderSectionRemovalPage(context, head, { gate, stored, counts, section }) };
  },
  post: {
    access: member,
    needs: [...LIST, 'table:write'],
    open: openEditedForm,
    actions: {
      deleteSection: async ({ app, gate, edited, stored, caller, params: { sectionId } }) => {
        const list = questionsHref(gate.formId);
        if (!mayEditQuestions(gate)) return { location: list };
        const now = app.now().toISOString();
        await editForm(app, { gate, edited, caller }, (structure, answered) => ({
          // The second press of the button finds nothing to delete.
          next: findSection(structure, sectionId) ? removeNode(structure, answered, sectionId, now) : structure,
          body: undefined,
        }));
        const order = displayOrder(stored.structure);
        const index = order.indexOf(sectionId);
        const neighbour = index === -1 ? undefined : (order[index - 1] ?? order[index + 1]);
        return { location: `${withDone(list, 'sectionDeleted')}${neighbour === undefined ? '' : `#s-${neighbour}`}` };
      },
    },
  },
});

/** Renders the page on which a section is deleted. */
function renderSectionRemovalPage(
  context: PageContext,
  head: FormHead,
  { section, ...deleted }: Deleted & { section: Section },
): Html {
  const { remove: texts, list } = getQuestionsTexts(context);
  const { gate, stored } = deleted;
  const { structure } = stored;
  const answered = section.questions.flatMap((question) => {
    const answers = answersTo(context, question, deleted);
    return answers === undefined ? [] : [{ title: question.title, answers }];
  });
  const dependents = section.questions
    .flatMap(({ id }) => listDependents(structure, id))
    .filter((dependent) => !section.questions.includes(dependent));
  return removalPage(context, head, {
    title: texts.section(sectionTitle(structure, section.id) || list.untitled),
    losses: [
      texts.questions(section.questions.length, answered.length),
      answered.length === 0
        ? ''
        : html`<ul>${answered.map(({ title, answers }) => html`<li>${list.quote(title)}: ${answers}</li>`)}</ul><p>${texts.answersStay}</p>`,
      lostRules(context, structure, section.questions),
      dependents.length > 0 ? texts.sectionSources(dependents.map(({ title }) => title).join(', ')) : '',
      texts.path,
    ],
    href: sectionHref(gate.formId, section.id),
    submit: texts.submitSection,
  });
}
