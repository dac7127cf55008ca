/** Asks before the browser forgets a guest of a form, and removes the credential from it. The answers stay. */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { formKey } from '#core/db/keys.ts';
import { clearGuestCookie } from '#core/identity/guests.ts';
import { guestCookie } from '#core/identity/redirects.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { anybody } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';

/** Opens the page to everybody: it reads nothing of the form. */
const open: Opener<{ formId: string }> = async ({ params }) => ({
  resource: { formId: parsePathId(params, 'formId') },
  roles: [],
});

export const page = definePage({
  name: 'forget',
  audience: 'respondents',
  path: '/f/{formId}/forget',
  access: anybody,
  needs: [],
  open,
  show: async ({ formId, context }) => {
    const { forgetTitle: title, forgetLead: lead, forgetConfirm: confirm, forgetKeep: cancel } = context.t.guest;
    const action = `/f/${formId}/forget`;
    return {
      html: renderConfirmationPage(context, { title, lead, action, confirm, cancel, cancelHref: `/f/${formId}` }),
    };
  },
  post: {
    access: anybody,
    needs: [],
    open,
    actions: {
      forget: async ({ app, formId }) => ({
        cookies: [clearGuestCookie(app, guestCookie(formKey(formId)))],
        location: `/f/${formId}?done=forgotten`,
      }),
    },
  },
});
