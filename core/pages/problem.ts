/** The page of a problem. */
import type { Problem } from '#core/problems/problems.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { Text } from './text/en.ts';
import type { View } from './view.ts';

const isKnown = (code: string, texts: Text['problem']): code is keyof Text['problem'] => Object.hasOwn(texts, code);

/** The words for a problem. */
export const problemText = ({ t }: View, { code }: Pick<Problem, 'code'>): { title: string; detail: string } =>
  isKnown(code, t.problem) ? t.problem[code] : t.problem.other;

/** A problem in the language of the reader; the code is shown where the text does not say everything. */
export function problemPage(view: View, problem: Problem): Html {
  const { t } = view;
  const { code, status } = problem;
  const { title, detail } = problemText(view, problem);
  return layout(view, {
    title,
    kind: 'message',
    main: html`<div class="card">
<h1>${title}</h1>
<p>${detail} ${!isKnown(code, t.problem) && html`<code>${code}</code>`}</p>
<p>${
      status === 401
        ? html`<a class="button" href="/sign-in?to=${encodeURIComponent(view.path)}">${t.shell.signIn}</a>`
        : html`<a class="button secondary" href="/">${t.shell.home}</a>`
    }</p>
</div>`,
  });
}
