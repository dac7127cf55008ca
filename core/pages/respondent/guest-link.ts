/** What the pages say to a guest: the link with which they continue later, how the browser forgets them, and what is stored. */
import type { Caller } from '#core/access/access.ts';
import { resumePath } from '#core/accounts/invitation-code.ts';
import { formKey } from '#core/db/keys.ts';
import type { Ports } from '#core/db/ports.ts';
import type { Tokens } from '#core/identity/tokens.ts';
import type { PageContext } from '../shell/context.ts';
import { copyButton } from '../shell/controls.ts';
import { type Html, html } from '../shell/html.ts';

/** Builds the path of the link with which a guest continues in another browser. Whoever has it can read the answers. */
export async function guestLink(
  { tokens, now }: Pick<Ports, 'now'> & { tokens: Tokens },
  { id, invited }: Caller,
  formId: string,
): Promise<string> {
  const guest = { id, roles: [], guestOf: formKey(formId), ...pickClaims(invited) };
  const token = await tokens.signGuestLink(guest, now());
  return resumePath(formId, token);
}

/** The claims of an invited guest: a link that was made after a code was typed shows no more than the code. */
const pickClaims = (invited: Caller['invited']) =>
  invited && {
    generation: invited.generation,
    ...(invited.codeAt !== undefined && { codeAt: invited.codeAt }),
  };

/**
 * Renders the link to continue later, to copy and, where the address of the guest is known, to mail, and a button with which this
 * browser forgets the guest.
 */
export function guestSection(
  context: PageContext,
  { formId, link, email }: { formId: string; link: string; email?: string | null | undefined },
): Html {
  const { guest } = context.t;
  return html`<section class="card section-heading"><h2>${guest.later}</h2>
<p>${guest.laterHint}</p>
<p class="share-link"><a class="address" href="${link}">${guest.link}</a>
${copyButton(context, { text: context.publicUrl + link })}</p>
${email && html`<form method="post" action="/f/${formId}/mail-link" data-once><p class="actions"><button class="secondary">${guest.mailLink(email)}</button></p></form>`}
<p class="actions"><a class="button quiet" href="/f/${formId}/forget">${guest.forget}</a></p>
${privacyLine(context, formId)}</section>`;
}

/** Renders the link to what is stored of people without an account. */
export const privacyLine = ({ t }: PageContext, formId: string): Html =>
  html`<p class="muted small"><a href="/f/${formId}/privacy">${t.guest.privacy.title}</a></p>`;
