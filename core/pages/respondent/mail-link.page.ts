/** Mails the link with which a guest continues later, where their address is known. */
import type { Opener } from '#core/access/access.ts';
import type { Gate } from '#core/forms/gate.ts';
import { openGateToRespond } from '#core/forms/open.ts';
import { mailGuestLink } from '#core/identity/guests.ts';
import { requireFound } from '#core/problems/problems.ts';
import { definePage } from '../shell/page.ts';

/** Opens the form of the guest of this browser, whoever is signed in. Throws 404 for a guest whose address is not known. */
const open: Opener<{ gate: Gate; email: string }> = async (call) => {
  const { resource, roles } = await openGateToRespond({ ...call, user: call.guest ?? call.user });
  const email = requireFound(call.guest?.invited?.email ?? undefined);
  return { resource: { gate: resource.gate, email }, roles };
};

export const page = definePage({
  name: 'mailLink',
  audience: 'respondents',
  path: '/f/{formId}/mail-link',
  segmentsBelowPage: 1,
  post: {
    access: { credential: 'user', guests: true, target: 'form' },
    needs: ['table:read', 'table:list', 'table:write'],
    open,
    actions: {
      send: async ({ app, gate: { formId }, email }) => {
        await mailGuestLink(app, formId, email);
        return { location: `/f/${formId}?done=linkMailed` };
      },
    },
  },
});
