/** What was typed into a section that is not on the path of the response any more, without scripts. */
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { View } from './view.ts';

/** The page; `next` is the path at which the respondent continues. */
export function offPathPage(view: View, next: string, texts: readonly string[]): Html {
  const { title, detail } = view.t.section.offPath;
  return layout(view, {
    title,
    kind: 'message',
    main: html`<div class="card"><h1>${title}</h1><p>${detail}</p>
${texts.map((text) => html`<blockquote class="pre-line">${text}</blockquote>`)}
<p><a class="button" href="${next}">${view.t.shell.continue}</a></p></div>`,
  });
}
