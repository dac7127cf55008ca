/** The choice of how often the reader gets mails about new responses, on the page of the table. */
import type { NoticesDocument } from '#core/organizations/notices-model.ts';
import type { PageContext } from '../shell/context.ts';
import { hiddenFields } from '../shell/controls.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import { buildListQuery, type ListAddress } from './list-address.ts';

/** How often the reader gets mails. `answers`: whether these contain answers; undefined for a reader who cannot choose that. */
export type NoticeChoice = { frequency: NoticesDocument['frequency']; answers: boolean | undefined };

const FREQUENCIES = ['SOON', 'DAILY', 'OFF'] as const;

/** Renders the form. */
export function noticesForm(context: PageContext, address: ListAddress, { frequency, answers }: NoticeChoice): Html {
  const { notices } = getReviewTexts(context);
  return html`<details class="highlight-form notices-form"><summary>${notices.summary(notices.frequencies[frequency])}</summary>
<form method="post" action="/review/${address.formId}/notices${buildListQuery(address)}" data-once>
<div class="field"><label for="notices-frequency">${notices.label}</label>
<select id="notices-frequency" name="frequency">${FREQUENCIES.map(
    (value) =>
      html`<option value="${value}"${attribute('selected', value === frequency)}>${notices.frequencies[value]}</option>`,
  )}</select></div>
${
  answers !== undefined &&
  html`<div class="field"><label class="choice"><input type="checkbox" name="answers" value="on"${attribute('checked', answers)}><span>${notices.answers}<span class="choice-description">${notices.answersHint}</span></span></label></div>
${hiddenFields({ answersBefore: answers ? 'on' : 'off' })}`
}
<div class="actions"><button class="secondary">${notices.apply}</button></div>
</form></details>`;
}
