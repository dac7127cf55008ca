/**
 * Shows the changes of a submitted response that wait until they are sent together: each beside what was submitted, and what still has
 * to be answered. Sends or discards them.
 */
import { isOpen } from '#core/forms/gate.ts';
import { Problem } from '#core/problems/problems.ts';
import { answerLookup, findMissing } from '#core/responses/answers.ts';
import {
  changeAnswers,
  discardPendingEdit,
  type Editable,
  isOutdated,
  isPending,
  openToEdit,
  viewEdited,
} from '#core/responses/pending-edit.ts';
import { renderAnswer } from '../fields/answer-text.ts';
import type { PageContext } from '../shell/context.ts';
import { owner } from '../shell/declare-page.ts';
import { type Html, html } from '../shell/html.ts';
import { FORM_KIND, layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { describeClosed } from './closed.ts';
import { findFirstIncomplete, keptNotice, questionFragment } from './navigation.ts';

export const page = definePage({
  name: 'pendingEdit',
  audience: 'respondents',
  path: '/r/{responseId}/change',
  access: owner,
  needs: ['table:read'],
  open: openToEdit,
  show: async ({ opened, edit, query, context }) => {
    if (!isPending({ edit })) return { location: `/r/${opened.response.id}` };
    return { html: renderPendingEdit(context, { opened, edit }, query.has('full')) };
  },
  post: {
    access: owner,
    needs: ['table:read', 'table:write'],
    open: openToEdit,
    actions: {
      send: async ({ app, opened, edit, posted }) => {
        const path = `/r/${opened.response.id}`;
        const unchanged = ({ response }: Editable['opened']) => ({ next: response, body: undefined });
        const seen = Number(posted.fields.get('seen'));
        try {
          const { editable } = await changeAnswers(app, { opened, edit }, unchanged, { sends: () => true, seen });
          return { location: isPending(editable) ? `${path}/change` : `${path}/done?done=saved` };
        } catch (error) {
          if (!(error instanceof Problem) || !SHOWN.has(error.code)) throw error;
          return { location: `${path}/change${error.code === 'no_place_left' ? '?full' : ''}` };
        }
      },
      discard: async ({ app, opened, edit }) => {
        await discardPendingEdit(app, { opened, edit });
        return { location: `/r/${opened.response.id}/done?done=discarded` };
      },
    },
  },
});

/** The problems that the page itself tells. */
const SHOWN: ReadonlySet<string> = new Set(['form_not_open', 'no_place_left', 'response_incomplete']);

function renderPendingEdit(context: PageContext, editable: Editable, wasFull: boolean): Html {
  const { t, now } = context;
  const { pendingEdit } = t;
  const { response, gate } = editable.opened;
  const view = viewEdited(editable);
  const action = `/r/${response.id}/change`;
  const open = isOpen(gate, now);
  return layout(context, {
    title: `${pendingEdit.title} · ${gate.title}`,
    dressing: gate.dressing,
    kind: FORM_KIND,
    isAnswering: true,
    main: html`<p class="progress-text"><a href="/f/${gate.formId}" dir="auto">${gate.title}</a></p>
${keptNotice(context)}
<h1>${pendingEdit.title}</h1>
${open ? html`<p class="lead">${pendingEdit.lead}</p>` : closedNotice(context, editable)}
${wasFull && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${pendingEdit.full}</p></div>`}
${open && isOutdated(editable) && html`<div class="notice warning"><p>${pendingEdit.outdated}</p></div>`}
<section class="answers"><dl>${listChanges(context, editable)}</dl></section>
${open && sendOrAnswer(context, view, response.version)}
<form method="post" action="${action}" data-once><div class="actions"><button class="danger" name="do" value="discard">${pendingEdit.discard}</button><a class="button quiet" href="/r/${response.id}/done">${pendingEdit.back}</a></div></form>`,
  });
}

function closedNotice(context: PageContext, { opened }: Editable): Html | undefined {
  const closed = describeClosed(context, opened.gate);
  return (
    closed &&
    html`<div class="notice warning"><h2>${closed.title}</h2><p>${closed.detail} ${context.t.pendingEdit.closed}</p></div>`
  );
}

/** Renders each changed answer below the submitted one. */
function listChanges(context: PageContext, { opened, edit }: Editable): Html[] {
  const { pendingEdit, check } = context.t;
  const stored = answerLookup(opened.response.answers);
  const changed = new Set(Object.keys(edit.answers));
  const questions = opened.structure.sections.flatMap((section) => section.questions);
  return questions
    .filter(({ id }) => changed.has(id))
    .map((question) => {
      const [before, after] = [stored(question.id), edit.answers[question.id]];
      const none = html`<span class="muted">${check.none}</span>`;
      return html`<div class="answer"><dt dir="auto">${question.title}</dt>
<dd><span class="muted small">${pendingEdit.after}</span> ${after ? renderAnswer(context, question, after) : none}</dd>
<dd><span class="muted small">${pendingEdit.before}</span> ${before ? renderAnswer(context, question, before) : none}</dd></div>`;
    });
}

/** Renders the button that sends the edit, or what is missing with a link to the first section that misses it. */
function sendOrAnswer({ t }: PageContext, view: Editable['opened'], version: number): Html {
  const { pendingEdit } = t;
  const missing = findMissing(view);
  if (missing.length === 0)
    return html`<form method="post" action="/r/${view.response.id}/change" data-once><input type="hidden" name="seen" value="${version}"><div class="actions"><button class="large" name="do" value="send">${pendingEdit.send}</button></div></form>`;
  const sectionId = findFirstIncomplete(view);
  return html`<div class="notice"><p>${pendingEdit.missing}</p><ul>${missing.map(({ question }) => question && html`<li dir="auto">${question.title}</li>`)}</ul></div>
${sectionId !== undefined && html`<p class="actions"><a class="button large" href="/r/${view.response.id}/s/${sectionId}${questionFragment(view, sectionId, 'unfinished')}">${pendingEdit.answer}</a></p>`}`;
}
