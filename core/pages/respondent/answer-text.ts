/** Renders answers for reading: by their respondent before and after the submit, and by reviewers. */
import type { Answer } from '#core/responses/model.ts';
import { formatFileSize } from '#core/schema/format.ts';
import type { Question } from '#core/structure/question-model.ts';
import type { Choice } from '#core/structure/types/choices.ts';
import { attachedFiles } from '#core/structure/types/content.ts';
import { displayValue, readableAnswer } from '#core/structure/types/types.ts';
import type { PageContext } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';

/** Renders an answer as text; files and web addresses as links, a ranking as a list of the names that its choices had. */
export function renderAnswer(context: PageContext, { type, choices, scale, date }: Question, answer: Answer): Html {
  const { value, otherText } = answer;
  const text = displayValue(answer);
  if (type === 'UPLOAD_FILE') {
    return html`<ul class="plain">${attachedFiles({ type, value }).map(
      ({ fileId, originalFilename, size }) =>
        html`<li><a href="/files/${fileId}">${originalFilename}</a> <span class="muted">${formatFileSize(context, size)}</span></li>`,
    )}</ul>`;
  }
  if (type === 'HYPERLINK') return renderWebAddress(text);
  const ranked = text.split(' > ');
  // If a name contains the separator, the counts differ and the text is shown as it is.
  if (type === 'RANKING' && Array.isArray(value) && value.length === ranked.length) {
    return html`<ol class="plain">${ranked.map((name) => html`<li>${name || context.t.section.other}</li>`)}</ol>`;
  }
  if (
    Array.isArray(value) &&
    choices?.some(({ id, name }) => name === '' && value.some((selectedId) => selectedId === id))
  ) {
    return html`<span class="pre-line">${value.map((id) => choiceName(context, choices, id, otherText)).join(', ')}</span>`;
  }
  return html`<span class="pre-line">${readableAnswer(context, { type, value, displayValue: text, scale, date })}</span>`;
}

/** The name of a selected choice. A choice of an earlier version of the form has its id only. */
function choiceName({ t }: PageContext, choices: readonly Choice[] = [], id: unknown, otherText = ''): string {
  const choice = choices.find((candidate) => candidate.id === id);
  if (!choice) return String(id);
  return (choice.isOther && otherText) || choice.name || t.section.other;
}

/** Renders a web address that somebody entered as a link marked as user content. `text` is the text of the link. */
export const renderWebAddress = (address: string, text = address): Html =>
  /^https?:\/\//i.test(address)
    ? html`<a href="${address}" rel="nofollow noopener ugc">${text}</a>`
    : html`<span class="pre-line">${text}</span>`;

// A short name of a response that people can read out: the respondent and the reviewers see the same one.

/** Formats the last eight digits of the id of a response in two groups: `3F2A-91BC`. */
export const formatReference = (responseId: string): string =>
  responseId.slice(-8).toUpperCase().replace(/^.{4}/, '$&-');
