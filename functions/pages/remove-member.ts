/** Removes a member; a person who is no longer a member counts as removed. */

import { type Opener, parsePathId } from '#core/access/access.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { type OpenedOrganization, openOrganization, removeMember } from '#core/organizations/service.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { loadMembers, renderMembersPage } from '#core/pages/organizers/members.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

/** Opens the organization; people who have removed themselves may press again. */
const openRemoval: Opener<OpenedOrganization> = async (call) => {
  const { roles, ...opened } = await openOrganization(call);
  const hasLeft = call.params.memberId === call.user?.id && !roles.includes('member');
  return { ...opened, roles: hasLeft ? [...roles, 'owner'] : roles };
};

export const handler = page(
  organizerPages.removeMember,
  openRemoval,
  async ({ app, orgId, account, caller, roles, params, context }) => {
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
        return { html: renderMembersPage(context, head, { ...members, readerId: caller.id, refusal }), status: 400 };
      }
      if (error.code !== 'not_found') throw error;
    }
    // People who remove themselves can no longer see the page.
    return { location: memberId === caller.id ? withDone('/', 'left') : withDone(href, 'memberRemoved') };
  },
);
