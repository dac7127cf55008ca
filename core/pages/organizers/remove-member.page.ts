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
import { loadHead, organizationHref, withDone } from './frame.ts';
import { loadMembers, memberName, renderMembersPage } from './members.ts';

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
  get: {
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
  },
  post: {
    access: { ...adminOfOrganization, roles: ['admin', 'owner'] },
    needs: [...LIST, 'table:write'],
    open: openRemoval,
    actions: {
      removeMember: async ({ app, orgId, account, caller, roles, params, context }) => {
        const memberId = parsePathId(params, 'memberId');
        const href = `${organizationHref(params.slug)}/members`;
        try {
          await removeMember(app, orgId, memberId);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          if (error.code === 'last_admin') {
            const [head, members] = await Promise.all([
              loadHead(app, { orgId, account, roles }),
              loadMembers(app, orgId, null),
            ]);
            const refusal = getOrganizersTexts(context).members.lastAdmin;
            return {
              html: renderMembersPage(context, head, { ...members, readerId: caller.id, refusal }),
              status: 400,
            };
          }
          if (error.code !== 'not_found') throw error;
        }
        // People who remove themselves can no longer see the page.
        return { location: memberId === caller.id ? withDone('/', 'left') : withDone(href, 'memberRemoved') };
      },
    },
  },
});
