/** Why a form takes no answers, in the words of its respondents. */
import { type FormState, getFormState, type Opening } from '#core/forms/gate.ts';
import { Problem } from '#core/problems/problems.ts';
import type { PageContext } from '../shell/context.ts';
import { renderTime } from '../shell/context.ts';
import { type Html, html } from '../shell/html.ts';

/** Returns the state of a form that takes no answers, and since or until when; undefined for one that is open. */
export function describeClosed(
  context: PageContext,
  form: Opening,
): { state: Exclude<FormState, 'open'>; title: string; detail: Html } | undefined {
  const { landing } = context.t;
  const state = getFormState(form, context.now);
  const time = (iso: string | null): Html | undefined => (iso === null ? undefined : renderTime(context, iso, 'zone'));
  switch (state) {
    case 'open':
      return undefined;
    case 'not-yet':
      return { state, title: landing.notYet, detail: html`${landing.opensAt} ${time(form.publishTime)}` };
    case 'closed':
      return { state, title: landing.closed, detail: html`${landing.closedAt} ${time(form.deadline)}` };
    case 'archived':
      return { state, title: landing.archived, detail: html`${landing.archivedHint}` };
    case 'draft':
      return { state, title: landing.draft, detail: html`${landing.draftHint}` };
  }
}

type Closed = NonNullable<ReturnType<typeof describeClosed>>;

/** Renders that a form takes no answers. */
export const closedNotice = ({ title, detail }: Closed): Html =>
  html`<div class="notice"><h2>${title}</h2><p>${detail}</p></div>`;

/** Whether an error says that the form takes no answers now: the pages of the form say why, and since when. */
export const isFormClosed = (error: unknown): boolean => error instanceof Problem && error.code === 'form_not_open';
