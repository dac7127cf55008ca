/**
 * Renders the page that asks for confirmation before something is deleted or withdrawn. A link with `data-dialog` opens what is
 * marked as `data-confirmation` in a dialog, where scripts run.
 */

import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

type Confirmation = {
  title: string;
  lead: string;
  /** Where the form is posted; `fields` are sent along, and further `hidden` ones. */
  action: string;
  fields?: Readonly<Record<string, string>>;
  hidden?: Html;
  confirm: string;
  cancel: string;
  cancelHref: string;
};

/** Renders a page that asks before something is deleted, with a form that posts the decision. */
export const renderConfirmationPage = (context: PageContext, { fields = {}, ...options }: Confirmation): Html =>
  layout(context, {
    title: options.title,
    kind: 'message',
    main: html`<div class="card" data-confirmation>
<h1>${options.title}</h1>
<p>${options.lead}</p>
<form method="post" action="${options.action}" data-once>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${options.hidden}
<div class="actions"><button class="danger">${options.confirm}</button><a class="button secondary" href="${options.cancelHref}" data-cancel>${options.cancel}</a></div>
</form></div>`,
  });
