/** Removes a member; a person who is no longer a member counts as removed. */

import { parsePathId } from '#core/access/access.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization, removeMember } from '#core/organizations/service.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { loadMembers, renderMembersPage } from '#core/pages/organizers/members.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.removeMember,
  openOrganization,
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
