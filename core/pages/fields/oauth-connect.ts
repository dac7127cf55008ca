/** OAUTH_CONNECT: who is connected, and a button that leads to the provider. */

import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';
import { controlId, type Field } from './control.ts';
import type { FieldType } from './type.ts';

export const oauthConnect: FieldType = {
  render: connectControl,
  isSingle: () => false,
  hasClearButton: true,
  // Answers are made by callbacks.
  toValue: () => null,
  required: 'connect',
  invalid: ({ t }) => t.section.invalid.connect,
};

/** Renders the control of a connected account. Its buttons save the page first. */
function connectControl({ t }: PageContext, { question, answer }: Field): Html {
  const { section } = t;
  const account = answer && typeof answer.value === 'object' && 'username' in answer.value ? answer.value : undefined;
  return html`<div class="connected">
${account ? html`<p>${section.connectedAs} <strong>${account.username}</strong></p>` : html`<p class="muted">${section.notConnected}</p>`}
<p class="actions"><button class="secondary" id="${controlId(question)}" name="do" value="connect:${question.id}" formnovalidate>${account ? section.connectAnother : section.connect}</button>
${account && html`<button class="quiet" name="do" value="clear:${question.id}" formnovalidate>${section.remove}</button>`}</p>
</div>`;
}
