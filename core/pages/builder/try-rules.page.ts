/**
 * Shows the questions on which the rules of a form depend, without answers. Shows the path that answers decide.
 * Nothing is stored.
 */
import { openEditedForm } from '#core/forms/edited.ts';
import { answerLookup } from '#core/responses/answers.ts';
import { newResponse, saveValidAnswers } from '#core/responses/edits.ts';
import { completeRule } from '#core/structure/condition-rule.ts';
import { sectionsInOrder, walk } from '#core/structure/path.ts';
import { findQuestion, type Structure, sectionTitle, sourceChain } from '#core/structure/structure.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import { controlId } from '../fields/control.ts';
import { questionField } from '../fields/field.ts';
import { findSectionOnPath } from '../respondent/navigation.ts';
import { applyAction, parseAction } from '../respondent/section-actions.ts';
import { sectionFields } from '../respondent/section-fields.ts';
import { mergeAnswers, parsePostedAnswers } from '../respondent/section-save.ts';
import type { PageContext } from '../shell/context.ts';
import { errorSummary, hiddenFields, pageTitle } from '../shell/controls.ts';
import { LIST, member, QUESTION_BYTES } from '../shell/declare-page.ts';
import { type FormHead, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { definePage } from '../shell/page.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { builderLayout } from './frame.ts';
import { readKept, writeKept } from './preview.ts';
import { rulesHref } from './rules.ts';

export const page = definePage({
  name: 'tryRules',
  audience: 'authors',
  path: '/build/{formId}/rules/try',
  access: member,
  needs: LIST,
  open: openEditedForm,
  show: async ({ app, gate, stored, context }) => ({
    html: renderTryRulesPage(context, await loadGateHead(app, gate), {
      structure: stored.structure,
      fields: new URLSearchParams(),
    }),
  }),
  post: {
    access: member,
    needs: LIST,
    maxFormBytes: QUESTION_BYTES,
    open: openEditedForm,
    actions: {
      tryRules: async ({ app, gate, stored, posted, context }) => ({
        html: renderTryRulesPage(context, await loadGateHead(app, gate), {
          structure: stored.structure,
          fields: posted.fields,
        }),
      }),
    },
  },
});

/** The address of the page. */
const tryHref = (formId: string): string => `${rulesHref(formId)}/try`;

/** Renders the page; `fields` are those of a posted form. */
function renderTryRulesPage(
  context: PageContext,
  head: FormHead,
  { structure, fields }: { structure: Structure; fields: URLSearchParams },
): Html {
  const { rules: texts, preview } = getQuestionsTexts(context);
  const { formId } = structure;
  const tried = gatherDecidingQuestions(structure);
  const now = context.now.toISOString();
  const empty = newResponse(formId, formId, formId, now);
  const current = {
    structure: tried,
    ...saveValidAnswers({ response: empty, structure: tried }, readKept(fields), now),
  };
  const findAsked = (answered: typeof current) => findSectionOnPath(answered, tried.sections[0]?.id ?? '');
  const posted = applyAction(
    parsePostedAnswers(findAsked(current)?.questions ?? [], fields),
    parseAction(fields),
    fields,
  );
  const { response, outcome } = mergeAnswers(current, posted, now);
  const next = { ...current, response };
  const section = findAsked(next);
  const fieldsOfSection = section
    ? sectionFields(context, next, section, { unsaved: { posted, outcome, demandsAll: false } })
    : [];
  const controls = fieldsOfSection.map((field) => {
    const error = isSetByService(field.question.type) ? undefined : field.error;
    return { ...field, isPreview: true, error };
  });
  const errors = controls.flatMap(({ question, error }) =>
    error === undefined ? [] : [{ target: controlId(question), message: `${question.title} – ${error}` }],
  );
  return builderLayout(context, head, {
    current: 'rules',
    title: pageTitle(context, texts.tryTitle, errors.length > 0),
    main: html`${errorSummary(context, errors)}
<p><a class="back" href="${rulesHref(formId)}">${texts.title}</a></p>
<h1>${texts.tryTitle}</h1>
<p>${texts.tryLead}</p>
${pathCard(context, structure, next.response.answers)}
<form method="post" action="${tryHref(formId)}" class="section-heading" novalidate data-disposable>
<button class="visually-hidden" name="do" value="show" tabindex="-1" aria-hidden="true">${texts.showPath}</button>
${hiddenFields({ answers: writeKept(tried, next.response) })}
${controls.map((field) => questionField(context, field))}
${controls.length === 0 ? html`<p class="muted">${texts.noDeciding}</p>` : html`<p class="actions"><button name="do" value="show">${texts.showPath}</button><a class="button secondary" href="${tryHref(formId)}">${preview.again}</a></p>`}
</form>`,
  });
}

/**
 * Gathers the questions on which rules depend, and those from which these take their choices, in one section of a form of
 * their own: what answers to them are is judged as everywhere, the path is found in the whole form.
 */
function gatherDecidingQuestions(structure: Structure): Structure {
  const ids = new Set(
    structure.nodes.flatMap((node) => {
      const questionId = completeRule(node)?.question;
      return questionId === undefined ? [] : sourceChain(structure, questionId).map(({ id }) => id);
    }),
  );
  const ordered = sectionsInOrder(structure);
  const [first] = ordered;
  const questions = ordered.flatMap((section) => section.questions.filter(({ id }) => ids.has(id)));
  if (!first || questions.length === 0) return { ...structure, nodes: [], sections: [] };
  const nodes = structure.nodes.flatMap((node) => {
    if (node.type === 'START') return [{ ...node, next: first.id }];
    if (node.id === first.id) return [{ ...node, next: structure.nodes.find(({ type }) => type === 'END')?.id ?? '' }];
    return node.type === 'END' ? [node] : [];
  });
  return { ...structure, nodes, sections: [{ ...first, questions }] };
}

/** The sections of the path, and how it ends. */
function pathCard(context: PageContext, structure: Structure, answers: Parameters<typeof answerLookup>[0]): Html {
  const { rules: texts, list } = getQuestionsTexts(context);
  const path = walk(structure, answerLookup(answers));
  const waitsFor = findQuestion(structure, path.waitsFor ?? '')?.question.title;
  const end = path.complete ? texts.tryEnd : waitsFor === undefined ? texts.tryStops : texts.tryWaits(waitsFor);
  return html`<div class="card" role="status"><h2>${texts.path}</h2>
<ol>${path.sections.map((id) => html`<li dir="auto">${sectionTitle(structure, id) || list.untitled}</li>`)}</ol>
<p>${end}</p></div>`;
}
