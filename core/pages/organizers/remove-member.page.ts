/**
 * Says what a member loses, before they are removed; a person who is no longer a member counts as removed. Removes a
 * member; a person who is no longer a member counts as removed.
 */
import { type Opener, parsePathId } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { type OpenedOrganization, openOrganization, removeMember } from '#core/organizations/service.ts';
import { Problem } from '#core/problems/problems.ts';
import { renderConfirmationPage } from '../shell/confirmation.ts';
import { adminOfOrganization, LIST, READ } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { organizationHref, withDone } from './frame.ts';
import { memberName, showRefused } from './members.ts';

/** Opens the organization; people who have removed themselves may press again. */
const openRemoval: Opener<OpenedOrganization> = async (call) => {
  const { roles, ...opened } = await openOrganization(call);
  const hasLeft = call.params.memberId === call.user?.id && !roles.includes('member');
  return { ...opened, roles: hasLeft ? [...roles, 'owner'] : roles };
};

export const page = definePage({
  name: 'removeMember',
  audience: 'organizers',
  path: '/o/{slug}/members/{memberId}/remove',
  access: adminOfOrganization,
  needs: READ,
  open: openOrganization,
  show: async ({ app, orgId, caller, params, context }) => {
    const { members: texts } = getOrganizersTexts(context);
    const memberId = parsePathId(params, 'memberId');
    const href = `${organizationHref(params.slug)}/members`;
    const member = await loadAccount(app.table, memberId);
    if (!member?.memberships[orgId]) return { location: withDone(href, 'memberRemoved') };
    const isSelf = member.id === caller.id;
    return {
      html: renderConfirmationPage(context, {
        title: isSelf ? texts.leaveTitle : texts.removeTitle(memberName(context, member)),
        lead: isSelf ? texts.leaveLead : texts.removeLead,
        action: `${href}/${memberId}/remove`,
        confirm: texts.removeSubmit,
        cancel: context.t.shell.cancel,
        cancelHref: href,
      }),
    };
  },
  post: {
    // `owner`: a person who has left, who sends the same form again.
    access: { ...adminOfOrganization, roles: ['admin', 'owner'] },
    needs: [...LIST, 'table:write'],
    open: openRemoval,
    actions: {
      removeMember: async ({ app, orgId, caller, params }) => {
        const memberId = parsePathId(params, 'memberId');
        await removeMember(app, orgId, memberId).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
        });
        // People who remove themselves can no longer see the page.
        if (memberId === caller.id) return { location: withDone('/', 'left') };
        return { location: withDone(`${organizationHref(params.slug)}/members`, 'memberRemoved') };
      },
    },
    explain: (request, { code }) => {
      const { lastAdmin } = getOrganizersTexts(request.context).members;
      return code === 'last_admin' ? showRefused(request, { refusal: lastAdmin }) : undefined;
    },
  },
});
