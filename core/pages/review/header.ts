/** What the pages of reviewers have in common: their frame, names of respondents, and the link to the form. */

import { guestCode, isUnnamedGuest, type presentShortUser } from '#core/accounts/model.ts';
import type { Gate } from '#core/forms/gate.ts';
import type { PageContext } from '../shell/context.ts';
import { doneNotice } from '../shell/controls.ts';
import { type FormHead, formLayout, loadGateHead } from '../shell/form-frame.ts';
import { type Html, html } from '../shell/html.ts';
import { getReviewTexts } from '../text/review.ts';
import type { ReviewText } from '../text/review-en.ts';

/** The notice of what was done before the page is shown, by the key of its text. */
export type DoneNotice = keyof ReviewText['done'];

/** Adds what was just done to an address. */
export const withDone = (href: string, done: DoneNotice): string =>
  `${href}${href.includes('?') ? '&' : '?'}done=${done}`;

/**
 * Reads the head of a form for a page about its responses. Nothing is decided by it, so the names and the number of changes may be a
 * second old, which halves what they cost. Throws 404 when the organization was deleted.
 */
export const loadReviewHead = (ports: Parameters<typeof loadGateHead>[0], gate: Gate): Promise<FormHead> =>
  loadGateHead(ports, gate, 'eventual');

type ReviewLayout = Parameters<typeof formLayout>[2];

/** Renders a page about the responses to a form, and what was just done. */
export const reviewLayout = (context: PageContext, head: FormHead, { main, ...options }: ReviewLayout): Html =>
  formLayout(context, head, {
    kind: 'review',
    ...options,
    main: html`${doneNotice(context, getReviewTexts(context).done)}
${main}`,
  });

// Names of respondents.

type Person = ReturnType<typeof presentShortUser>;

/**
 * Returns the name of a respondent, or else their username or e-mail address; of a guest their code; of somebody who has none
 * of these yet, the start of their id, which tells such people apart.
 */
export function personName(view: Pick<PageContext, 'language'>, { id, name, username, emails }: Person): string {
  const { guest, unnamed } = getReviewTexts(view).table;
  const code = guestCode(id);
  if (code !== undefined && isUnnamedGuest({ id, name })) return guest(code);
  return name || username || emails[0] || unnamed(id.slice(0, 8));
}

/** Says why a delivery failed. */
export function reasonText(view: Pick<PageContext, 'language'>, reason: string): string {
  const { reasons, reason: otherReason } = getReviewTexts(view).response;
  return Object.entries(reasons).find(([code]) => code === reason)?.[1] ?? otherReason(reason);
}
