/** What the pages that build a form have in common: where they are, their tabs, and what was just done. */
import type { PageContext } from '../shell/context.ts';
import { addDone, doneNotice } from '../shell/controls.ts';
import { type FormHead, formLayout } from '../shell/form-frame.ts';
import { attribute, type Html, html } from '../shell/html.ts';
import type { Layout } from '../shell/layout.ts';
import { getBuilderTexts } from '../text/builder.ts';
import type { BuilderText } from '../text/builder-en.ts';

/** An address that says what was just done. */
export const withDone = (href: string, done: keyof BuilderText['done']): string => addDone(href, done);

/** The address of the overview of a form. */
export const buildHref = (formId: string): string => `/build/${formId}`;

type BuilderLayout = Pick<Layout, 'title' | 'main' | 'head' | 'width'> & {
  current: keyof Omit<BuilderText['pages'], 'label'> | 'share';
};

/** A page of a form that is built. */
export function builderLayout(
  context: PageContext,
  head: FormHead,
  { current, main, ...options }: BuilderLayout,
): Html {
  const texts = getBuilderTexts(context);
  const home = buildHref(head.form.id);
  const tabs = [
    { page: 'build', href: home },
    { page: 'questions', href: `${home}/questions` },
    { page: 'rules', href: `${home}/rules` },
    { page: 'settings', href: `${home}/settings` },
    { page: 'look', href: `${home}/look` },
  ] as const;
  const isShare = current === 'share';
  return formLayout(context, head, {
    ...options,
    isInPlace: true,
    current: isShare ? 'share' : 'build',
    main: html`${
      !isShare &&
      html`<nav class="tabs" aria-label="${texts.pages.label}"><ul>${tabs.map(
        ({ page, href }) =>
          html`<li><a href="${href}"${attribute('aria-current', page === current && 'page')}>${texts.pages[page]}</a></li>`,
      )}</ul></nav>`
    }
${doneNotice(context, texts.done)}
${main}`,
  });
}
