/** The valid requests of operations about organizations and their members. */
import { app } from '#core/http/app.ts';
import type { Rows } from '../requests.ts';

const named = (slug: string) => ({
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug,
});

export const orgRows: Rows<'orgs'> = {
  orgs: {
    listOrganizations: { by: 'member', input: () => ({ query: { limit: 100 } }) },
    listMyOrganizations: { by: 'member', input: () => ({ query: { limit: 100 } }) },
    createOrganization: { by: 'respondent', input: () => ({ body: named(`org-${app().uuid()}`) }) },
    getOrganization: { by: 'respondent', input: ({ slug }) => ({ params: { slug } }) },
    updateOrganization: { by: 'admin', input: ({ slug }) => ({ params: { slug }, body: named(slug) }) },
    listMembers: { by: 'member', input: ({ slug }) => ({ params: { slug }, query: { limit: 100 } }) },
    addMember: { by: 'admin', input: ({ slug, member }) => ({ params: { slug }, body: { email: member.email } }) },
  },
};
