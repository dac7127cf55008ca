/** The valid requests of operations about organizations, their members and units. */
import { app } from '#core/http/app.ts';
import { newForm, newOrganization, person } from '#test/support/fixtures.ts';
import type { Rows } from '#test/support/requests.ts';
import { newUnit, type Place } from '#test/support/scene.ts';

const named = (slug: string) => ({
  name: 'Rivers of the North',
  description: 'Water quality, measured by volunteers',
  metadata: { contact: 'rivers@example.org' },
  slug,
});

const team = { name: 'Field team', description: 'Takes the samples', metadata: { room: '2.14' } };

export const orgRows: Rows<'orgs' | 'units'> = {
  orgs: {
    listOrganizations: { by: 'member', input: () => ({ query: { limit: 100 } }) },
    listMyOrganizations: { by: 'member', input: () => ({ query: { limit: 100 } }) },
    createOrganization: { by: 'respondent', input: () => ({ body: named(`org-${app().uuid()}`) }) },
    getOrganization: { by: 'respondent', input: ({ slug }) => ({ params: { slug } }) },
    updateOrganization: { by: 'admin', input: ({ slug }) => ({ params: { slug }, body: named(slug) }) },
    listMembers: { by: 'member', input: ({ slug }) => ({ params: { slug }, query: { limit: 100 } }) },
    addMember: { by: 'admin', input: ({ slug, member }) => ({ params: { slug }, body: { email: member.email } }) },
    deleteOrganization: {
      by: 'admin',
      input: async ({ admin, member }) => {
        const { slug } = await newOrganization(admin, member);
        await newForm(admin, slug, [], { publish: false });
        return { params: { slug } };
      },
    },
    getSlugStatus: { by: 'respondent', input: ({ slug }) => ({ params: { slug } }) },
    getSlugHistory: { by: 'respondent', input: ({ slug }) => ({ params: { slug }, query: { limit: 100 } }) },
    updateMember: {
      by: 'admin',
      input: async (place) => ({ params: await newMember(place), body: { role: 'ADMIN' } }),
    },
    removeMember: { by: 'admin', input: async (place) => ({ params: await newMember(place) }) },
  },
  units: {
    listUnits: { by: 'member', input: ({ slug }) => ({ params: { slug }, query: { limit: 100 } }) },
    listUnitIds: { by: 'member', input: ({ slug, unitId }) => ({ params: { slug }, query: { parentId: unitId } }) },
    createUnit: { by: 'admin', input: ({ slug }) => ({ params: { slug }, body: team }) },
    getUnit: { by: 'member', input: ({ slug, unitId }) => ({ params: { slug, unitId } }) },
    updateUnit: { by: 'admin', input: ({ slug, unitId }) => ({ params: { slug, unitId }, body: team }) },
    deleteUnit: {
      by: 'admin',
      input: async ({ slug, admin }) => ({ params: { slug, unitId: await newUnit(admin.client, slug) } }),
    },
    listSubunits: { by: 'member', input: ({ slug, unitId }) => ({ params: { slug, unitId }, query: { limit: 100 } }) },
    listSubunitIds: { by: 'member', input: ({ slug, unitId }) => ({ params: { slug, unitId } }) },
    linkUnits: {
      by: 'admin',
      input: ({ orgId, unitId, childId }) => ({ body: { parentId: unitId, childId, orgId } }),
    },
    unlinkUnit: {
      by: 'admin',
      input: async ({ slug, orgId, unitId, admin }) => {
        const childId = await newUnit(admin.client, slug);
        await admin.client.units.linkUnits({ body: { parentId: unitId, childId, orgId } });
        return { params: { childId } };
      },
    },
  },
};

/** A new member of a place, as a path names them. */
async function newMember({ slug, admin }: Place): Promise<{ slug: string; memberId: string }> {
  const { id, email } = await person('guest');
  await admin.client.orgs.addMember({ params: { slug }, body: { email } });
  return { slug, memberId: id };
}
