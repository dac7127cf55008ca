/**
 * Shows the members of an organization. Adds a member by e-mail address, or changes the role of one: `do` is `add`, or
 * the new role with the id of the member.
 */
import { findAccountByEmail } from '#core/accounts/accounts.ts';
import { MemberInput, type MemberRole } from '#core/organizations/model.ts';
import { addMember, changeRole, openOrganization, openOrganizationReading } from '#core/organizations/service.ts';
import { problems } from '#core/problems/problems.ts';
import { isId } from '#core/schema/schema.ts';
import { adminOfOrganization, LIST, memberOfOrganization } from '../shell/declare-page.ts';
import type { FormFields } from '../shell/form-fields.ts';
import { definePage } from '../shell/page.ts';
import type { PageResult } from '../shell/result.ts';
import { getOrganizersTexts } from '../text/organizers.ts';
import { loadHead, type OrganizationRequest, organizationHref, withDone } from './frame.ts';
import { listFirstMembers, loadMembers, renderMembersPage, showRefused } from './members.ts';

const openMembers = openOrganizationReading(listFirstMembers);

export const page = definePage({
  name: 'members',
  audience: 'organizers',
  path: '/o/{slug}/members',
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
  post: {
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
    open: openOrganization,
    byDefault: 'add',
    actions: {
      add: async (request) => {
        const { app, orgId, caller, params, posted, context } = request;
        const { emailInvalid, emailUnknown } = getOrganizersTexts(context).members;
        const email = typedEmail(posted);
        if (!MemberInput().safeParse({ email }).success)
          return showRefused(request, { typed: { email, error: emailInvalid } });
        const account = await findAccountByEmail(app.table, email);
        if (!account) return showRefused(request, { typed: { email, error: emailUnknown } });
        const { maxOrganizations } = app.config;
        const isMailed = await addMember(app, orgId, { account, addedBy: caller.id, maxOrganizations });
        return { location: withDone(membersHref(params), isMailed ? 'memberMailed' : 'memberAdded') };
      },
      ADMIN: (request) => setRole(request, 'ADMIN'),
      MEMBER: (request) => setRole(request, 'MEMBER'),
    },
    explain: (request, { code }) => {
      const { lastAdmin, gone, tooMany } = getOrganizersTexts(request.context).members;
      if (code === 'last_admin') return showRefused(request, { refusal: lastAdmin });
      if (code === 'not_found' && isId(request.argument)) return showRefused(request, { refusal: gone });
      if (code !== 'too_many_organizations') return undefined;
      return showRefused(request, { typed: { email: typedEmail(request.posted), error: tooMany } });
    },
  },
});

const typedEmail = ({ fields }: FormFields): string => (fields.get('email') ?? '').trim();

const membersHref = ({ slug }: { slug: string }): string => `${organizationHref(slug)}/members`;

type RoleRequest = Pick<OrganizationRequest, 'app' | 'orgId'> & { params: { slug: string }; argument: string };

async function setRole({ app, orgId, params, argument: memberId }: RoleRequest, role: MemberRole): Promise<PageResult> {
  if (!isId(memberId)) throw problems.notFound();
  await changeRole(app, orgId, memberId, role);
  return { location: withDone(membersHref(params), 'roleChanged') };
}
