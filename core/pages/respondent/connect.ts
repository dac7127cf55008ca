/**
 * The step from a form to the provider of an account. A form may lead to this service only, so the browser goes on to
 * the provider by itself from a page.
 */

import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';

type Connecting = { responseId: string; questionId: string; back: string };

/** The page, which leaves at once. `back` is the path to which the provider returns. */
export function connectPage(context: PageContext, { responseId, questionId, back }: Connecting): PageResult {
  const { section } = context.t;
  const address = `/api/responses/${responseId}/questions/${questionId}/oauth?${new URLSearchParams({ r: back })}`;
  const page = layout(context, {
    title: section.connect,
    kind: 'message',
    main: html`<div class="card"><h1>${section.connect}</h1><p class="actions"><a class="button" href="${address}">${context.t.shell.continue}</a></p></div>`,
  });
  return { html: page, headers: { refresh: `0; url=${address}` } };
}

// What was typed into a section that is not on the path of the response any more, without scripts.

/** The page; `next` is the path at which the respondent continues. */
export function offPathPage(context: PageContext, next: string, texts: readonly string[]): Html {
  const { title, detail } = context.t.section.offPath;
  return layout(context, {
    title,
    kind: 'message',
    main: html`<div class="card"><h1>${title}</h1><p>${detail}</p>
${texts.map((text) => html`<blockquote class="pre-line">${text}</blockquote>`)}
<p><a class="button" href="${next}">${context.t.shell.continue}</a></p></div>`,
  });
}
