/** The page of changes that are not published yet: what becomes different, and what prevents publishing. */
import type { Gate } from '#core/forms/gate.ts';
import { type Draft, isOutdated, listDifferences } from '#core/structure/changes.ts';
import { workflowInfo } from '#core/structure/workflow-check.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsText } from '../text/questions.ts';
import { builderLayout, buildHref } from './frame.ts';

/** The address of the page. */
export const changesHref = (formId: string): string => `${buildHref(formId)}/changes`;

type Edited = { gate: Gate; draft: Draft };

/** Says that a form is edited in a copy; nothing for a form whose questions are edited directly. */
export function changesNotice(context: PageContext, { gate, draft }: Edited): Html | undefined {
  const { changes: texts } = getQuestionsText(context);
  if (draft.changes) {
    return html`<div class="notice warning"><p>${texts.pending}</p><p class="actions"><a class="button" href="${changesHref(gate.formId)}">${texts.review}</a></p></div>`;
  }
  return gate.status === 'PUBLISHED' ? html`<div class="notice"><p>${texts.published}</p></div>` : undefined;
}

type ChangesPage = Edited & { draftCount: number; refusal?: string | undefined };

/** Renders the page. */
export function changesPage(context: PageContext, head: FormHead, page: ChangesPage): Html {
  const { changes: texts, list } = getQuestionsText(context);
  const { gate, draft, draftCount, refusal } = page;
  const { live, changes } = draft;
  const differences = changes ? listDifferences(live, changes.structure) : [];
  const faults = changes ? workflowInfo(changes.structure) : [];
  const isReplacing = isOutdated(draft);
  const href = changesHref(gate.formId);
  return builderLayout(context, head, {
    current: 'questions',
    title: texts.title,
    main: html`${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
<p><a class="back" href="${buildHref(gate.formId)}/questions">${list.title}</a></p>
<h1>${texts.title}</h1>
${isReplacing && html`<div class="notice warning"><p>${texts.moved}</p></div>`}
${
  differences.length === 0
    ? html`<p>${texts.none}</p>`
    : html`<p>${texts.lead}</p>
<ul>${differences.map(
        ({ kind, title, isAnswered }) =>
          html`<li>${texts.kinds[kind](title || list.untitled)}${isAnswered && html` <span class="tag">${texts.answered}</span>`}</li>`,
      )}</ul>
<p>${texts.drafts(draftCount)}</p>`
}
${faults.length > 0 && html`<h2>${texts.faults}</h2><ul class="faults" lang="en">${faults.map(({ message }) => html`<li>${message}</li>`)}</ul>`}
${
  changes &&
  html`<form method="post" action="${href}" data-once>${hiddenFields({ revision: String(changes.revision) })}
<p class="actions">${faults.length === 0 && html`<button name="do" value="${isReplacing ? 'force' : 'publish'}">${isReplacing ? texts.force : texts.publish}</button>`}<button class="danger" name="do" value="discard">${texts.discard}</button></p></form>`
}`,
  });
}
