/**
 * Sends a respondent to the provider of an account. The content security policy lets forms lead to this service only, so
 * a page forwards the browser to the provider.
 */

import type { PageContext } from '../shell/context.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { PageResult } from '../shell/result.ts';

type ConnectRequest = {
  responseId: string;
  questionId: string;
  /** The name of the service, if the installation has one. */
  service: string | undefined;
  /** The path to which the provider returns. */
  back: string;
};

/** Renders a page that redirects at once. */
export function redirectToProvider(context: PageContext, request: ConnectRequest): PageResult {
  const { responseId, questionId, service, back } = request;
  const title = context.t.section.connect(service);
  const address = `/api/responses/${responseId}/questions/${questionId}/oauth?${new URLSearchParams({ r: back })}`;
  const page = layout(context, {
    title,
    kind: 'message',
    main: html`<div class="card"><h1>${title}</h1><p class="actions"><a class="button" href="${address}">${context.t.shell.continue}</a></p></div>`,
  });
  return { html: page, headers: { refresh: `0; url=${address}` } };
}
