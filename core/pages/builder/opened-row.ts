/**
 * A question or a section that is opened in place in the editor: its fields, without a button that saves, because scripts do, and
 * what can be done with it. The scripts look for the attributes.
 */
import type { PageContext } from '../shell/context.ts';
import { conflictNotice, enterSaves, hiddenFields, type Overwritten } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icons.ts';
import { getEditorTexts } from '../text/editor.ts';
import { CONFIRMED_FORM } from './losses.ts';

/** Whether the scripts of the editor sent a request: they get the parts of its page that change. */
export const isOfEditor = (fields: URLSearchParams): boolean => fields.get('part') === 'row';

type OpenedRow = {
  /** Where its form is posted, and its hidden fields. */
  href: string;
  hidden: Readonly<Record<string, string>>;
  fields: Html;
  tools: Html | undefined;
  /** What saving would lose. */
  losses?: Html | undefined;
  overwritten?: readonly Overwritten[] | undefined;
  refusal?: string | undefined;
};

/** Renders the fields. With a loss or a conflict nothing is saved until its author has pressed a button (`data-waits`). */
export function openedRow(context: PageContext, row: OpenedRow): Html {
  const { href, hidden, fields, tools, losses, overwritten = [], refusal } = row;
  const texts = getEditorTexts(context);
  const isConflict = overwritten.length > 0;
  return html`<section class="canvas-open" data-keep${attribute('data-waits', isConflict || losses !== undefined)}${attribute('data-conflict', isConflict)}>
${refusal !== undefined && html`<div class="notice warning" role="alert" tabindex="-1" data-error-summary><p>${refusal}</p></div>`}
${losses}
${isConflict && html`${conflictNotice(context, { values: overwritten, reload: href })}<p class="actions"><button class="secondary" form="${CONFIRMED_FORM}" name="do" value="save">${texts.keepMine}</button></p>`}
<form method="post" action="${href}" id="${CONFIRMED_FORM}" class="canvas-form" autocomplete="off" data-autosave novalidate>
${enterSaves(context)}<div data-hidden>${hiddenFields({ ...hidden, part: 'row' })}</div>
${fields}
</form>
<p class="canvas-tools" data-tools>${tools}<button type="button" class="secondary" data-close>${texts.close}</button></p>
</section>`;
}

/** Renders a button of the list of questions, such as the one that copies a question; `symbol`: shown in place of its text. */
export const rowTool = (action: string, text: string, symbol?: IconName): Html =>
  html`<button class="quiet" form="editor-actions" name="do" value="${action}" title="${text}">${symbol ? html`${icon(symbol)}<span class="visually-hidden">${text}</span>` : text}</button>`;
