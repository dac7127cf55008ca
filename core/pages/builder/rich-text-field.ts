/** A field for rich text: Markdown with buttons that write it, and how respondents see it. */

import { renderHtml } from '#core/rich-text/html.ts';
import type { RichText } from '#core/rich-text/model.ts';
import { formatNumber } from '#core/schema/format.ts';
import type { PageContext } from '../shell/context.ts';
import { textArea } from '../shell/controls.ts';
import { attribute, type Html, html, trusted } from '../shell/html.ts';
import { icon } from '../shell/icons.ts';
import type { TypedField, WordsOf } from '../shell/typed-fields.ts';
import { getRichTextTexts } from '../text/rich-text.ts';
import { loadMarkdown } from './load-markdown.ts';
import { findMarkdownFault, MAX_MARKS, MAX_OPENED } from './markdown-limits.ts';

/** What the buttons put around the selection, or before its lines; the keys that do the same. */
const TOOLS = ['bold', 'italic', 'underline', 'strike', 'link', 'list', 'heading'] as const;
const KEYS: { readonly [tool in (typeof TOOLS)[number]]?: string } = { bold: 'B', italic: 'I', link: 'K' };

type RichTextField = Omit<Parameters<typeof textArea>[1], 'value' | 'toolbar'> & {
  /** What was typed; undefined for a stored document that Markdown does not express. */
  value: string | undefined;
  document: RichText | null;
  /** Where the form is posted. */
  action: string;
};

/** The text with which a document is replaced that Markdown does not express. */
export const replacementFor = (document: RichText | null): string =>
  document === null ? '' : loadMarkdown().writeClosest(document);

/** Explains why a typed text is not parsed and therefore refused; undefined for any other text, also one that is not typed. */
export function explainMarkdown(context: PageContext, typed: string | undefined): string | undefined {
  const found = typed === undefined ? undefined : findMarkdownFault(typed);
  if (!found) return undefined;
  const texts = getRichTextTexts(context);
  return found.code === 'opened'
    ? texts.tooNested(found.line, MAX_OPENED)
    : texts.tooManyMarks(found.line, formatNumber(MAX_MARKS));
}

/** A rich text as a field, typed as Markdown; undefined for a document that Markdown does not express, and that stays. */
export const richText = <S>(
  get: (stored: S) => RichText | null,
  words: WordsOf,
): TypedField<S, string | undefined> => ({
  show: (stored) => loadMarkdown().writeMarkdown(get(stored)),
  read: (posted, name) => readTyped(posted, name),
  parse: (context, typed = '') => {
    const error = explainMarkdown(context, typed);
    return error === undefined ? { value: loadMarkdown().parseMarkdown(typed) } : { error };
  },
  words,
  tell: (context, shown) => shown ?? getRichTextTexts(context).otherProgram,
  render: (context, control, { typed: value, stored, action }) =>
    richTextField(context, { ...control, value, document: get(stored), action }),
});

/** Returns what a form has typed; undefined for a document that it only shows, and that stays. */
export const readTyped = (fields: URLSearchParams, name: string): string | undefined => fields.get(name) ?? undefined;

/**
 * Renders the field. Scripts show its tools while it has the focus; without them, it says which signs it knows. Its button sends the
 * form with `do=preview`, which shows the page again without storing anything; a text that is more than one plain line is always shown
 * as respondents see it. A document that Markdown does not express is shown only, with a button that sends the form with `do=replace`,
 * to edit the closest text instead.
 */
export function richTextField(context: PageContext, field: RichTextField): Html {
  const { value, document, action, ...control } = field;
  const texts = getRichTextTexts(context);
  const { name, label } = control;
  if (value === undefined) {
    return html`<div class="field" id="${name}" tabindex="-1" role="group" aria-label="${label}"><p class="field-legend">${label}</p>
<div class="preview-text prose" dir="auto">${trusted(renderHtml(document))}</div>
<p class="hint">${texts.otherProgram} ${texts.replaceHint}</p>
<p class="actions"><button class="secondary" name="do" value="replace" formaction="${action}#${name}">${texts.replace}</button></p></div>`;
  }
  const rendered = renderHtml(loadMarkdown().parseMarkdown(value));
  const isPlain = /^(?:<p>[^<]*<\/p>)?$/.test(rendered);
  const toolbar = html`<p class="toolbar" role="group" aria-label="${texts.toolbar}" hidden>${TOOLS.map(
    (tool) =>
      html`<button type="button" class="quiet" data-tool="${tool}" title="${texts[tool]}${KEYS[tool] && ` (Ctrl+${KEYS[tool]})`}" aria-label="${texts[tool]}"${attribute('aria-keyshortcuts', KEYS[tool] && `Control+${KEYS[tool]}`)}>${icon(tool)}</button>`,
  )}</p><noscript><p class="hint">${texts.syntax}</p></noscript>`;
  return html`<div data-markdown="${name}">
${textArea(context, { ...control, toolbar, value })}
<p class="actions"><button class="secondary" name="do" value="preview" formaction="${action}#${name}">${texts.preview}</button></p>
${!isPlain && html`<section class="preview-text" aria-label="${texts.previewed}"><p class="muted small">${texts.previewed}</p><div class="prose" dir="auto">${trusted(rendered)}</div></section>`}</div>`;
}
