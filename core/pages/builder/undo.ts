/** The notice that offers to undo the last deletion or move, and the page that says why it cannot be undone. */
import type { Caller } from '#core/access/access.ts';
import type { StoredUndo } from '#core/structure/undo.ts';
import { type PageContext, renderTime } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getQuestionsTexts } from '../text/questions.ts';
import { getVersionsTexts } from '../text/versions.ts';
import { buildHref } from './frame.ts';

/** The notice, and the form of its button, which stands behind the other forms of its page. */
export type UndoOffer = { notice: Html; form: Html };

/** Says in words what an edit did, and who made it. */
export function describeEdit(context: PageContext, { kind, title, editorId, at }: StoredUndo, { id }: Caller): Html {
  const { undo: texts } = getVersionsTexts(context);
  const who = editorId === id ? 'you' : 'others';
  return html`${texts.did[kind][who](title || getQuestionsTexts(context).list.untitled)} ${renderTime(context, at)}`;
}

/** The form that undoes an edit; `data-own`: whether its reader made it. */
export const undoForm = (formId: string, { id, editorId }: StoredUndo, caller: Caller): Html =>
  html`<form id="undo" method="post" action="${buildHref(formId)}/undo" data-once${attribute('data-own', editorId === caller.id)}>${hiddenFields({ undo: id })}</form>`;

/** Offers to undo an edit. */
export function undoOffer(context: PageContext, formId: string, undo: StoredUndo, caller: Caller): UndoOffer {
  const { undo: texts } = getVersionsTexts(context);
  return {
    notice: html`<div class="notice undo-offer"><p>${describeEdit(context, undo, caller)}</p><p class="actions"><button class="secondary" form="undo">${texts.submit}</button></p></div>`,
    form: undoForm(formId, undo, caller),
  };
}
