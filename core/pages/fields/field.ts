/**
 * A question on the page of its section: title, description, error, control. A single control has a label; a group of
 * controls is a fieldset with a legend. The scripts of the page look for `data-question`.
 */
import { isEmptyDocument, renderHtml } from '#core/rich-text/html.ts';
import type { QuestionType } from '#core/structure/question-model.ts';
import { dateLimits } from '#core/structure/types/date.ts';
import type { PageContext } from '../shell/context.ts';
import { fieldError } from '../shell/controls.ts';
import { type Html, html, trusted } from '../shell/html.ts';
import { choiceControls, dropdownControl } from './choices.ts';
import { connectControl } from './connect.ts';
import { controlId, describedBy, type Field, hasHint } from './control.ts';
import { dateControls } from './date.ts';
import { fileControl } from './files.ts';
import { rankingControl } from './ranking.ts';
import { scaleControls, scaleEnds } from './scale.ts';
import { hashAnswer, isFullDate, type PageQuestion, toFieldState } from './state.ts';
import { textControl } from './text.ts';

/** Renders a question with its hidden answer hash and, if any, its error and conflict. */
export function questionField(context: PageContext, field: Field): Html {
  const { question, error } = field;
  const isControlGroup = hasControlGroup(question);
  const id = controlId(question);
  const heading = questionTitle(context, field);
  const body = html`${!isEmptyDocument(question.description) && html`<div class="hint prose" id="${id}-description">${trusted(renderHtml(question.description))}</div>`}
${hasHint(question) && html`<p class="hint" id="${id}-hint">${hintText(context, question)}</p>`}
${fieldError(context, id, error)}
${conflictNotice(context, field)}
<input type="hidden" name="s.${question.id}" value="${field.conflict?.baseHash ?? hashStoredAnswer(field)}">
${control(context, field)}`;
  const invalid = error !== undefined && ' invalid';
  return isControlGroup
    ? html`<fieldset class="question${invalid}" data-question="${question.id}" data-type="${question.type}"${describedBy(field)}>
<legend class="question-title">${heading}</legend>
${body}
</fieldset>`
    : html`<div class="question${invalid}" data-question="${question.id}" data-type="${question.type}">
<label class="question-title" for="${id}">${heading}</label>
${body}
</div>`;
}

const hasControlGroup = ({ type, date }: PageQuestion): boolean =>
  type === 'DATE'
    ? date !== undefined && !isFullDate(date)
    : !['SHORT_TEXT', 'LONG_TEXT', 'HYPERLINK', 'DROPDOWN', 'UPLOAD_FILE'].includes(type);

const questionTitle = ({ t }: PageContext, { question, isOptional }: Field): Html =>
  html`${question.title}${isOptional && html` <span class="optional">${t.shell.optional}</span>`}`;

/** Renders what the ends of a scale mean, or which dates are allowed. */
const hintText = (context: PageContext, { scale, date }: PageQuestion): Html | string =>
  scale ? scaleEnds(scale) : context.t.section.dateRange(...dateLimits(context, date ?? {}));

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
<blockquote class="pre-line">${conflict.text === '' ? texts.empty : conflict.text}</blockquote>
<p>${texts.detail}</p>
<input type="hidden" name="k.${question.id}" value="${hashStoredAnswer(field)}">
<p class="actions"><button class="secondary" name="do" value="keep:${question.id}" formnovalidate>${texts.keep}</button>
<button class="secondary" name="do" value="take:${question.id}" formnovalidate>${texts.useOther}</button></p>
</div>`;
}

/** The types whose answers are stored as soon as they are given. */
const NOT_IN_PREVIEW: ReadonlySet<QuestionType> = new Set(['UPLOAD_FILE', 'OAUTH_CONNECT']);

function control(context: PageContext, field: Field): Html {
  if (field.isPreview && NOT_IN_PREVIEW.has(field.question.type)) {
    return html`<p class="muted" id="${controlId(field.question)}">${context.t.section.notInPreview}</p>`;
  }
  switch (field.question.type) {
    case 'SHORT_TEXT':
    case 'LONG_TEXT':
    case 'HYPERLINK':
      return textControl(field);
    case 'SINGLE_CHOICE':
    case 'MULTIPLE_CHOICE':
    case 'DETAILED_MULTIPLE_CHOICE':
      return choiceControls(context, field);
    case 'DROPDOWN':
      return dropdownControl(context, field);
    case 'DATE':
      return dateControls(context, field);
    case 'LINEAR_SCALE':
    case 'RATING':
      return scaleControls(context, field);
    case 'RANKING':
      return rankingControl(context, field);
    case 'UPLOAD_FILE':
      return fileControl(context, field);
    case 'OAUTH_CONNECT':
      return connectControl(context, field);
  }
}
