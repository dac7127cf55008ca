/** What the pages that build a form have in common: their frame, and what was just done. */
import type { PageContext } from '../shell/context.ts';
import { addDone, doneNotice } from '../shell/controls.ts';
import { type FormHead, formLayout } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getBuilderTexts } from '../text/builder.ts';
import type { BuilderText } from '../text/builder-en.ts';

/** An address that says what was just done. */
export const withDone = (href: string, done: keyof BuilderText['done']): string => addDone(href, done);

/** The address of the overview of a form. */
export const buildHref = (formId: string): string => `/build/${formId}`;

type BuilderLayout = Pick<Parameters<typeof formLayout>[2], 'title' | 'main' | 'head' | 'width' | 'isTab'> & {
  current: 'overview' | 'edit' | 'rules' | 'settings' | 'look' | 'share';
};

/** A page of a form that is built. */
export const builderLayout = (context: PageContext, head: FormHead, { main, ...options }: BuilderLayout): Html =>
  formLayout(context, head, {
    ...options,
    isInPlace: true,
    main: html`${doneNotice(context, getBuilderTexts(context).done)}
${main}`,
  });
