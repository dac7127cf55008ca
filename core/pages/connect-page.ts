/**
 * The step from a form to the provider of an account. A form may lead to this service only, so the browser goes on to
 * the provider by itself from a page.
 */
import { html } from './html.ts';
import { layout } from './layout.ts';
import type { PageResult } from './result.ts';
import type { View } from './view.ts';

type Connecting = { responseId: string; questionId: string; back: string };

/** The page, which leaves at once. `back` is the path to which the provider returns. */
export function connectPage(view: View, { responseId, questionId, back }: Connecting): PageResult {
  const { section } = view.t;
  const address = `/api/responses/${responseId}/questions/${questionId}/oauth?${new URLSearchParams({ r: back })}`;
  const page = layout(view, {
    title: section.connect,
    kind: 'message',
    main: html`<div class="card"><h1>${section.connect}</h1><p class="actions"><a class="button" href="${address}">${view.t.shell.continue}</a></p></div>`,
  });
  return { html: page, headers: { refresh: `0; url=${address}` } };
}
