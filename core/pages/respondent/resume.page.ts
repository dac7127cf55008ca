/**
 * Continues as a guest in another browser. The link only asks, because somebody else may have sent it and programs open links in
 * mails: the button makes this browser that of the guest.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { formKey } from '#core/db/keys.ts';
import { findCurrentGuest } from '#core/identity/current-guest.ts';
import { guestCookies, renewGuest } from '#core/identity/guests.ts';
import type { IdentityPorts } from '#core/identity/ports.ts';
import type { Guest } from '#core/identity/tokens.ts';
import { problems } from '#core/problems/problems.ts';
import { MAX_GUEST_RESPONSES } from '#core/responses/model.ts';
import { listOwnEntries } from '#core/responses/store.ts';
import { renderTime } from '../shell/context.ts';
import { anybody } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { SECRET_PAGE } from './secret-page.ts';

/** The path of the page, which reads its link itself. */
const open: Opener<{ formId: string }> = async ({ params }) => ({
  resource: { formId: parsePathId(params, 'formId') },
  roles: [],
});

export const page = definePage({
  name: 'resume',
  audience: 'respondents',
  path: '/f/{formId}/resume',
  access: anybody,
  needs: ['table:read', 'table:list'],
  open,
  show: async ({ app, formId, query, context }) => {
    const token = query.get('guest') ?? '';
    const guest = await readLink(app, formId, token);
    const entries = await listOwnEntries(app.table, guest.id, 2 * MAX_GUEST_RESPONSES, formId);
    const [newest] = entries;
    const { resume } = context.t.guest;
    return {
      headers: SECRET_PAGE,
      html: layout(context, {
        title: resume.title,
        kind: 'message',
        main: html`<div class="card"><h1>${resume.title}</h1>
<p>${newest ? html`${resume.begun} ${renderTime(context, newest.createdAt)}` : resume.nothing}</p>
<p class="muted">${resume.hint}</p>
<form method="post" action="/f/${formId}/resume" data-once><input type="hidden" name="guest" value="${token}">
<label class="choice"><input type="checkbox" name="keep" value="on">${context.t.guest.keep}</label>
<div class="actions"><button>${resume.confirm}</button><a class="button secondary" href="/f/${formId}">${resume.startNew}</a></div>
</form></div>`,
      }),
    };
  },
  post: {
    access: anybody,
    needs: ['table:read', 'tokens:sign'],
    open,
    actions: {
      resume: async ({ app, formId, posted: { fields }, readGuestCookies }) => {
        const guest = await readLink(app, formId, fields.get('guest') ?? '');
        const credential = await renewGuest(app, guest);
        return {
          headers: SECRET_PAGE,
          cookies: guestCookies(app, credential, readGuestCookies(), fields.has('keep')),
          location: `/f/${formId}`,
        };
      },
    },
  },
});

/** Reads the guest of a link to a form. Throws 404 for a link that is not one, has expired, or is to another form. */
async function readLink(
  { config, tokens, now, table }: Pick<IdentityPorts, 'config' | 'tokens' | 'now' | 'table'>,
  formId: string,
  token: string,
): Promise<Guest> {
  const guest = config.guests ? await tokens.verifyGuestLink(token, now()) : undefined;
  const current = guest?.guestOf === formKey(formId) ? await findCurrentGuest({ table }, guest) : undefined;
  if (!current) throw problems.notFound();
  return current;
}
