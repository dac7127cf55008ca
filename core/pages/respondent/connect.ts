/**
 * Sends a respondent to the provider of an account. The content security policy lets forms lead to this service only, so
 * a page forwards the browser to the provider.
 */

import type { PageContext } from '../shell/context.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';

type ConnectRequest = { responseId: string; questionId: string; back: string };

/** Renders a page that redirects at once. `back` is the path to which the provider returns. */
export function redirectToProvider(context: PageContext, { responseId, questionId, back }: ConnectRequest): PageResult {
  const { section } = context.t;
  const address = `/api/responses/${responseId}/questions/${questionId}/oauth?${new URLSearchParams({ r: back })}`;
  const page = layout(context, {
    title: section.connect,
    kind: 'message',
    main: html`<div class="card"><h1>${section.connect}</h1><p class="actions"><a class="button" href="${address}">${context.t.shell.continue}</a></p></div>`,
  });
  return { html: page, headers: { refresh: `0; url=${address}` } };
}
