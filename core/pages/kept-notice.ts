/** Answers that could not be saved and are kept on the device: the scripts of the page fill the notice and show it. */
import { type Html, html } from './html.ts';
import type { View } from './view.ts';

/** The hidden notice, for every page of a response. */
export const keptNotice = ({ t }: View): Html => html`<section class="notice warning" data-kept hidden>
<h2>${t.kept.title}</h2>
<p>${t.kept.detail}</p>
<dl></dl>
<p class="actions"><button type="button" class="secondary" data-discard>${t.kept.discard}</button></p>
</section>`;
