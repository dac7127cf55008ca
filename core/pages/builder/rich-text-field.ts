/** A field for rich text: Markdown with buttons that write it, and how respondents see it. */
import { renderHtml } from '#core/rich-text/html.ts';
import type { PageContext } from '../shell/context.ts';
import { textArea } from '../shell/controls.ts';
import { type Html, html, trusted } from '../shell/html.ts';
import { getRichTextTexts } from '../text/rich-text.ts';
import { loadMarkdown } from './load-markdown.ts';

/** What the buttons put around the selection, or before its lines. */
const TOOLS = ['bold', 'italic', 'link', 'list', 'heading'] as const;

type RichTextField = Parameters<typeof textArea>[1];

/**
 * Renders the field. Its button sends the form with `do=preview`, which shows the page again without storing anything; a text
 * that is more than one plain line is always shown as respondents see it.
 */
export function richTextField(context: PageContext, { hint, ...control }: RichTextField): Html {
  const texts = getRichTextTexts(context);
  const { name, value } = control;
  const rendered = renderHtml(loadMarkdown().parseMarkdown(value));
  const isPlain = /^(?:<p>[^<]*<\/p>)?$/.test(rendered);
  return html`<div data-markdown="${name}"><p class="toolbar" role="group" aria-label="${texts.toolbar}" hidden>${TOOLS.map(
    (tool) =>
      html`<button type="button" class="quiet" data-tool="${tool}" title="${texts[tool]}">${texts[tool]}</button>`,
  )}</p>
${textArea(context, { ...control, hint: `${hint ?? ''} ${texts.syntax}`.trim() })}
<p class="actions"><button class="secondary" name="do" value="preview">${texts.preview}</button></p>
${!isPlain && html`<section class="preview-text" aria-label="${texts.previewed}"><p class="muted small">${texts.previewed}</p><div class="prose">${trusted(rendered)}</div></section>`}</div>`;
}
