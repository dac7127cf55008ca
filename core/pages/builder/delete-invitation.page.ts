/** Says what is lost with an invitation, before it is deleted with the responses of its guest. */
import { parsePathId } from '#core/access/access.ts';
import { openGate } from '#core/forms/open.ts';
import { deleteInvitation, showInvitation } from '#core/invitations/invitations.ts';
import { Problem } from '#core/problems/problems.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { LIST } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getBuilderTexts } from '../text/builder.ts';
import { withDone } from './frame.ts';
import { guestName, invitationsHref } from './invitations.ts';

const adminOfForm = { credential: 'user', target: 'form', roles: ['admin'] } as const;

export const page = definePage({
  name: 'deleteInvitation',
  audience: 'builders',
  path: '/build/{formId}/invitations/{guestId}/delete',
  access: adminOfForm,
  needs: LIST,
  open: openGate,
  show: async ({ app, gate, params, context }) => {
    const guestId = parsePathId(params, 'guestId');
    const { invitations: texts } = getBuilderTexts(context);
    const invitation = await showInvitation(app, gate.formId, guestId);
    const href = `${invitationsHref(gate.formId)}/${guestId}`;
    return {
      html: renderConfirmationPage(context, {
        title: texts.deleteTitle(guestName(invitation)),
        lead: texts.deleteLead,
        action: `${href}/delete`,
        confirm: texts.delete,
        cancel: context.t.shell.cancel,
        cancelHref: href,
      }),
    };
  },
  post: {
    access: adminOfForm,
    needs: [...LIST, 'table:write', 'table:remove'],
    open: openGate,
    actions: {
      deleteInvitation: async ({ app, gate, params }) => {
        // A second press finds nothing any more.
        await deleteInvitation(app, gate, parsePathId(params, 'guestId')).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
        });
        return { location: withDone(invitationsHref(gate.formId), 'invitationDeleted') };
      },
    },
  },
});
