/**
 * A question on the page of its section: title, description, error, control. A single control has a label; a group of
 * controls is a fieldset with a legend. The scripts of the page look for `data-question`.
 */

import { isEmptyDocument, renderHtml } from '#core/rich-text/html.ts';
import { isSetByService } from '#core/structure/types/traits.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError } from '../shell/controls.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { controlId, describedBy, type Field } from './control.ts';
import { FIELDS } from './fields.ts';
import { hashAnswer, toFieldState } from './state.ts';

/** Renders a question with its hidden answer hash and, if any, its error and conflict. */
export function questionField(context: PageContext, plain: Field): Html {
  const { question, error } = plain;
  const { isSingle, hint } = FIELDS[question.type];
  const field = { ...plain, hint: hint?.(context, question) };
  const id = controlId(question);
  const heading = questionTitle(context, field);
  const body = html`${!isEmptyDocument(question.description) && html`<div class="hint prose" dir="auto" id="${id}-description">${trusted(renderHtml(question.description))}</div>`}
${field.hint !== undefined && html`<p class="hint" dir="auto" id="${id}-hint">${field.hint}</p>`}
${fieldError(context, id, error)}
${conflictNotice(context, field)}
<input type="hidden" name="s.${question.id}" value="${field.conflict?.baseHash ?? hashStoredAnswer(field)}">
${control(context, field)}`;
  const invalid = error !== undefined && ' invalid';
  const source = attribute('data-choices-of', question.sourceId);
  return isSingle(question)
    ? html`<div class="question${invalid}" data-question="${question.id}" data-type="${question.type}"${source}>
<label class="question-title" dir="auto" for="${id}">${heading}</label>
${body}
</div>`
    : html`<fieldset class="question${invalid}" data-question="${question.id}" data-type="${question.type}"${source}${describedBy(field)}>
<legend class="question-title" dir="auto">${heading}</legend>
${body}
</fieldset>`;
}

const questionTitle = ({ t }: PageContext, { question, isOptional }: Field): Html =>
  html`${question.title}${isOptional && html` <span class="optional">${t.shell.optional}</span>`}`;

/** Hashes the stored answer as its page shows it. */
export const hashStoredAnswer = ({ question, answer }: Pick<Field, 'question' | 'answer'>): string =>
  hashAnswer(question, toFieldState(question, answer));

/**
 * Renders the conflicting answer with a button for each of the two; nothing without a conflict. The typed answer is not
 * saved until one is pressed. Keeping it overwrites the answer with the hash `k.`; a later answer is a new conflict.
 */
export function conflictNotice({ t }: PageContext, field: Field): Html {
  const { question, conflict } = field;
  if (!conflict) return html``;
  const { conflict: texts } = t.section;
  return html`<div class="notice warning" role="alert" data-conflict>
<p><strong>${texts.title}</strong></p>
<blockquote class="pre-line" dir="auto">${conflict.text === '' ? texts.empty : conflict.text}</blockquote>
<p>${texts.detail}</p>
<input type="hidden" name="k.${question.id}" value="${hashStoredAnswer(field)}">
<p class="actions"><button class="secondary" name="do" value="keep:${question.id}" formnovalidate>${texts.keep}</button>
<button class="secondary" name="do" value="useTheirs:${question.id}" formnovalidate>${texts.useOther}</button></p>
</div>`;
}

/** Renders the controls. Answers that are stored as soon as they are given cannot be given in a preview, or before an edit is sent. */
const control = (context: PageContext, field: Field): Html =>
  (field.isPreview || field.isLater) && isSetByService(field.question.type)
    ? html`<p class="muted" id="${controlId(field.question)}">${field.isLater ? context.t.pendingEdit.later : context.t.section.notInPreview}</p>`
    : FIELDS[field.question.type].render(context, field);
