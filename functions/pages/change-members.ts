/** Adds a member by e-mail address, or changes the role of one: `do` is `add`, or the new role with the id of the member. */
import { findAccountByEmail } from '#core/accounts/accounts.ts';
import { organizerPages } from '#core/api/organizer-pages.ts';
import { MemberInput, MemberRole } from '#core/organizations/model.ts';
import { addMember, changeRole, openOrganization } from '#core/organizations/service.ts';
import { loadHead, organizationHref, withDone } from '#core/pages/organizers/frame.ts';
import { loadMembers, renderMembersPage } from '#core/pages/organizers/members.ts';
import { page } from '#core/pages/shell/page.ts';
import { getOrganizersTexts } from '#core/pages/text/organizers.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';

export const handler = page(
  organizerPages.changeMembers,
  openOrganization,
  async ({ app, orgId, account, caller, roles, params: { slug }, posted, context }) => {
    const { members: texts } = getOrganizersTexts(context);
    const renderErrors = async (refused: { typed?: { email: string; error: string }; refusal?: string }) => {
      const [head, members] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        loadMembers(app, orgId, null),
      ]);
      return { html: renderMembersPage(context, head, { ...members, readerId: caller.id, ...refused }), status: 400 };
    };
    const href = `${organizationHref(slug)}/members`;
    const action = posted.fields.get('do') ?? 'add';
    if (action === 'add') {
      const email = (posted.fields.get('email') ?? '').trim();
      const refuse = (error: string) => renderErrors({ typed: { email, error } });
      if (!MemberInput().safeParse({ email }).success) return refuse(texts.emailInvalid);
      const added = await findAccountByEmail(app.table, email);
      if (!added) return refuse(texts.emailUnknown);
      const { maxOrganizations } = app.config;
      try {
        const isMailed = await addMember(app, orgId, { account: added, addedBy: caller.id, maxOrganizations });
        return { location: withDone(href, isMailed ? 'memberMailed' : 'memberAdded') };
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'too_many_organizations') throw error;
        return refuse(texts.tooMany);
      }
    }
    const [role, memberId = ''] = action.split(':');
    const newRole = MemberRole().safeParse(role);
    if (!newRole.success || !isId(memberId)) throw problems.notFound();
    try {
      await changeRole(app, orgId, memberId, newRole.data);
      return { location: withDone(href, 'roleChanged') };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'last_admin') return renderErrors({ refusal: texts.lastAdmin });
      if (error.code === 'not_found') return renderErrors({ refusal: texts.gone });
      throw error;
    }
  },
);
