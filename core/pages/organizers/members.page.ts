/**
 * Shows the members of an organization. Adds a member by e-mail address, or changes the role of one: `do` is `add`, or
 * the new role with the id of the member.
 */
import { findAccountByEmail } from '#core/accounts/accounts.ts';
import { MemberInput, MemberRole } from '#core/organizations/model.ts';
import { addMember, changeRole, openOrganization, openOrganizationReading } from '#core/organizations/service.ts';
import { Problem, problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { adminOfOrganization, LIST, memberOfOrganization } from '../shell/declare-page.ts';
import { definePage } from '../shell/page.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { loadHead, organizationHref, withDone } from './frame.ts';
import { listFirstMembers, loadMembers, renderMembersPage } from './members.ts';

const openMembers = openOrganizationReading(listFirstMembers);

export const page = definePage({
  name: 'members',
  audience: 'organizers',
  path: '/o/{slug}/members',
  get: {
    access: memberOfOrganization,
    needs: LIST,
    open: openMembers,
    show: async ({ app, orgId, account, caller, roles, readAhead, query, context }) => {
      const [head, members] = await Promise.all([
        loadHead(app, { orgId, account, roles }),
        loadMembers(app, orgId, query.get('cursor'), readAhead),
      ]);
      return { html: renderMembersPage(context, head, { ...members, readerId: caller.id }) };
    },
  },
  post: {
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
    open: openOrganization,
    actions: {
      changeMembers: async ({ app, orgId, account, caller, roles, params: { slug }, posted, context }) => {
        const { members: texts } = getOrganizersTexts(context);
        const renderErrors = async (refused: { typed?: { email: string; error: string }; refusal?: string }) => {
          const [head, members] = await Promise.all([
            loadHead(app, { orgId, account, roles }),
            loadMembers(app, orgId, null),
          ]);
          return {
            html: renderMembersPage(context, head, { ...members, readerId: caller.id, ...refused }),
            status: 400,
          };
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
    },
  },
});
