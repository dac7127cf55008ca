/**
 * Continues as a guest in another browser, or begins with an address by the link that was mailed to it. The link only asks, because
 * somebody else may have sent it and programs open links in mails: the button makes this browser that of the guest.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { admitLinked, guestCookies, type LinkedGuest, openGuestLink } from '#core/identity/guests.ts';
import { MAX_GUEST_RESPONSES } from '#core/responses/model.ts';
import { listOwnEntries } from '#core/responses/store.ts';
import { renderTime } from '../shell/context.ts';
import { anybody } from '../shell/declare-page.ts';
import { html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import { definePage } from '../shell/page.ts';
import { isFormClosed } from './closed.ts';
import { privacyLine } from './guest-link.ts';
import { SECRET_PAGE } from './secret-page.ts';

/** The path of the page, which reads its link itself. */
const open: Opener<{ formId: string }> = async ({ params }) => ({
  resource: { formId: parsePathId(params, 'formId') },
  roles: [],
});

/** Finds the guest of a link; undefined where the first page of the form says that it is closed to those who have begun nothing. */
const findLinked = (...link: Parameters<typeof openGuestLink>): Promise<LinkedGuest | undefined> =>
  openGuestLink(...link).catch((error: unknown) => {
    if (isFormClosed(error)) return undefined;
    throw error;
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
    const linked = await findLinked(app, formId, token);
    if (!linked) return { headers: SECRET_PAGE, location: `/f/${formId}` };
    const { guest, unused } = linked;
    const entries = unused ? [] : await listOwnEntries(app.table, guest.id, 2 * MAX_GUEST_RESPONSES, formId);
    const [newest] = entries;
    const { resume } = context.t.guest;
    const title = unused ? resume.beginTitle : resume.title;
    const email = unused?.email;
    return {
      headers: SECRET_PAGE,
      html: layout(context, {
        title,
        kind: 'message',
        main: html`<div class="card"><h1>${title}</h1>
${
  email === undefined
    ? html`<p>${newest ? html`${resume.begun} ${renderTime(context, newest.createdAt)}` : resume.nothing}</p>
<p class="muted">${resume.hint}</p>`
    : html`<p>${resume.beginAs} <strong class="address" dir="ltr">${email}</strong></p>
<p class="muted">${resume.beginHint}</p>`
}
<form method="post" action="/f/${formId}/resume" data-once><input type="hidden" name="guest" value="${token}">
<label class="choice"><input type="checkbox" name="keep" value="on">${context.t.guest.keep}</label>
<div class="actions"><button>${email === undefined ? resume.confirm : resume.begin}</button><a class="button secondary" href="/f/${formId}">${guest.generation === undefined ? resume.startNew : resume.notMe}</a></div>
</form>${privacyLine(context, formId)}</div>`,
      }),
    };
  },
  post: {
    access: anybody,
    needs: ['table:read', 'table:write', 'tokens:sign'],
    open,
    actions: {
      resume: async ({ app, formId, posted: { fields }, readGuestCookies }) => {
        const linked = await findLinked(app, formId, fields.get('guest') ?? '');
        if (!linked) return { headers: SECRET_PAGE, location: `/f/${formId}` };
        const credential = await admitLinked(app, linked);
        return {
          headers: SECRET_PAGE,
          cookies: guestCookies(app, credential, readGuestCookies(), fields.has('keep')),
          location: `/f/${formId}`,
        };
      },
    },
  },
});
