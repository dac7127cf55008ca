/** A submitted response: the closing message, what happens next, the answers, and how they can be changed. */
import type { Gate } from '#core/forms/gate.ts';
import type { Response, ResponsePreview } from '#core/responses/model.ts';
import { answerList } from './check.ts';
import { time } from './format.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

export type Done = {
  gate: Gate;
  response: Response;
  preview: ResponsePreview;
  /** The closing message of the form; empty for none. */
  message: string;
  /** The address to which a copy is sent; undefined when none is. */
  mailTo: string | undefined;
  mayEdit: boolean;
  mayCancel: boolean;
};

/** The page. */
export function donePage(view: View, { gate, response, preview, message, mailTo, mayEdit, mayCancel }: Done): Html {
  const { done } = view.t;
  return layout(view, {
    title: `${done.title} · ${gate.title}`,
    dressing: gate.dressing,
    kind: 'dressed',
    showsTimes: true,
    main: html`<p class="progress-text"><a href="/f/${gate.formId}">${gate.title}</a></p>
<div class="card done"><span class="done-mark" aria-hidden="true"></span>
<h1>${done.title}</h1>
${message !== '' && html`<p class="lead pre-line">${message}</p>`}
<p>${done.submitted} ${time(view, response.submittedAt ?? response.updatedAt)}</p>
${mailTo !== undefined && html`<p>${done.mail(mailTo)}</p>`}
${mayEdit && html`<p>${done.editHint}</p>`}
${!mayEdit && mayCancel && html`<p>${done.cancelHint}</p>`}
<div class="actions"><a class="button secondary" href="/">${view.t.shell.home}</a>
${mayCancel && html`<form method="post" action="/r/${response.id}/cancel" data-once><button class="quiet">${done.cancel}</button></form>`}</div>
</div>
<h2 class="section-heading">${done.answers}</h2>
${answerList(view, { response, preview, missing: [], mayChange: mayEdit, headingLevel: 3 })}`,
  });
}
