/** A question before something is deleted or withdrawn. */

import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

type Confirmation = {
  title: string;
  lead: string;
  /** Where the form is posted; `fields` are sent along. */
  action: string;
  fields?: Readonly<Record<string, string>>;
  confirm: string;
  cancel: string;
  cancelHref: string;
};

/** The page. */
export const confirmationPage = (context: PageContext, { fields = {}, ...page }: Confirmation): Html =>
  layout(context, {
    title: page.title,
    kind: 'message',
    main: html`<div class="card">
<h1>${page.title}</h1>
<p>${page.lead}</p>
<form method="post" action="${page.action}" data-once>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions"><button class="danger">${page.confirm}</button><a class="button secondary" href="${page.cancelHref}">${page.cancel}</a></div>
</form></div>`,
  });
