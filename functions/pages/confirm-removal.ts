/** Says what a member loses, before they are removed; a person who is no longer a member counts as removed. */
import { parsePathId } from '#core/access/access.ts';
import { loadAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganization } from '#core/organizations/service.ts';
import { organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { memberName } from '#core/pages/organizers/members.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';

export const handler = page(
  organizerPages.confirmRemoval,
  openOrganization,
  async ({ app, orgId, caller, params, context }) => {
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
);
