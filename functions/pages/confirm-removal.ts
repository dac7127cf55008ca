/** Says what a member loses, before they are removed. */
import { loadAccount } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { openOrganizationWithMember } from '#core/organizations/service.ts';
import { organizationHref } from '#core/pages/organizers/frame.ts';
import { memberName } from '#core/pages/organizers/members.ts';
import { renderConfirmationPage } from '#core/pages/shell/confirmation.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { problems } from '#core/problems/problems.ts';

export const handler = page(
  organizerPages.confirmRemoval,
  openOrganizationWithMember,
  async ({ app, caller, params: { slug, memberId }, context }) => {
    const { members: texts } = getOrganizersTexts(context);
    const member = await loadAccount(app.table, memberId);
    if (!member) throw problems.notFound();
    const isSelf = member.id === caller.id;
    const href = `${organizationHref(slug)}/members`;
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
