/** OAUTH_CONNECT: who is connected, and a button that leads to the provider. */

import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { controlId, type Field, type PageQuestion } from './control.ts';
import type { FieldType } from './type.ts';

export const oauthConnect: FieldType = {
  render: connectControl,
  isSingle: () => false,
  hasClearButton: true,
  // Answers are made by callbacks.
  toValue: () => null,
  required: 'connect',
  invalid: (context, question) => context.t.section.invalid.connect(connectTitle(context, question)),
};

/** Returns the name of the service at which a question connects an account; undefined where the installation has none. */
export const connectTitle = ({ connectTitles }: PageContext, question: PageQuestion | undefined): string | undefined =>
  connectTitles[question?.oauthConnect ?? ''];

/** Renders the control of a connected account. Its buttons save the page first. */
function connectControl(context: PageContext, { question, answer }: Field): Html {
  const { section } = context.t;
  const service = connectTitle(context, question);
  const account = answer && typeof answer.value === 'object' && 'username' in answer.value ? answer.value : undefined;
  return html`<div class="connected">
${account ? html`<p>${section.connectedAs(service)} <strong dir="auto">${account.username}</strong></p>` : html`<p class="muted">${section.notConnected}</p>`}
<p class="actions"><button class="secondary" id="${controlId(question)}" name="do" value="connect:${question.id}" formnovalidate>${account ? section.connectAnother(service) : section.connect(service)}</button>
${account && html`<button class="quiet" name="do" value="clear:${question.id}" formnovalidate>${section.remove}</button>`}</p>
</div>`;
}
