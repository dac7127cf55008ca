/** The notice that offers to undo the last deletion or move, and the page that says why it cannot be undone. */
import type { Caller } from '#core/access/access.ts';
import type { UndoOutcome } from '#core/forms/undo.ts';
import { presentConflicts } from '#core/structure/publish.ts';
import type { StoredUndo } from '#core/structure/undo.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import type { FormHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { describePlace, namePlace } from './conflicts.ts';
import { builderLayout, buildHref } from './frame.ts';

/** The notice, and the form of its button, which stands behind the other forms of its page. */
export type UndoOffer = { notice: Html; form: Html };

/** Says in words what an edit did, and who made it. */
function describeEdit(context: PageContext, { kind, title, editorId, at }: StoredUndo, { id }: Caller): Html {
  const { undo: texts } = getVersionsTexts(context);
  const who = editorId === id ? 'you' : 'others';
  return html`${texts.did[kind][who](title || getQuestionsTexts(context).list.untitled)} ${renderTime(context, at)}`;
}

/** Offers to undo an edit. */
export function undoOffer(context: PageContext, formId: string, undo: StoredUndo, caller: Caller): UndoOffer {
  const { undo: texts } = getVersionsTexts(context);
  return {
    notice: html`<div class="notice"><p>${describeEdit(context, undo, caller)}</p><p class="actions"><button class="secondary" form="undo">${texts.submit}</button></p></div>`,
    form: html`<form id="undo" method="post" action="${buildHref(formId)}/undo" data-once>${hiddenFields({ undo: undo.id })}</form>`,
  };
}

/** Renders the page of an edit that cannot be undone, with what was edited since and what it was before. */
export function renderUndoRefusedPage(
  context: PageContext,
  head: FormHead,
  { undo, conflicts, now, before }: Extract<UndoOutcome, { outcome: 'refused' }>,
  caller: Caller,
): Html {
  const { undo: texts } = getVersionsTexts(context);
  const places = presentConflicts(conflicts, { theirs: now, mine: before });
  return builderLayout(context, head, {
    current: 'questions',
    title: texts.refusedTitle,
    main: html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${texts.refused}</p></div>
<h1>${texts.refusedTitle}</h1>
<p>${describeEdit(context, undo, caller)}</p>
${places.map(
  (place) => html`<h2 class="section-heading">${namePlace(context, now, place)}</h2>
<dl class="facts"><dt>${texts.now}</dt><dd>${describePlace(context, now, place, before)}</dd><dt>${texts.before}</dt><dd>${describePlace(context, before, place, now)}</dd></dl>`,
)}
<p class="actions"><a class="button" href="${buildHref(head.form.id)}/questions">${getQuestionsTexts(context).list.title}</a></p>`,
  });
}
