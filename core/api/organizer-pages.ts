/** The pages of people who run organizations. */
import { DETAILS_BYTES, declarePages, LIST, memberOfOrganization, READ, signedIn, WRITE } from './declare-pages.ts';

const adminOfOrganization = { credential: 'user', target: 'organization', roles: ['admin'] } as const;
const deleterOfOrganization = { credential: 'user', target: 'organization', roles: ['admin', 'operator'] } as const;

export const organizerPages = declarePages('organizers', {
  showHome: { method: 'GET', path: '/', access: signedIn, needs: LIST },
  showAccount: { method: 'GET', path: '/account', access: signedIn, needs: LIST },
  endSessions: { method: 'POST', path: '/account', access: signedIn, needs: WRITE },
  showNewOrganization: { method: 'GET', path: '/orgs/new', access: signedIn, needs: READ },
  createOrganization: {
    method: 'POST',
    path: '/orgs/new',
    creates: ['organization'],
    access: { credential: 'user', onboarded: true },
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  showOrganization: { method: 'GET', path: '/o/{slug}', access: memberOfOrganization, needs: LIST },
  showSettings: { method: 'GET', path: '/o/{slug}/settings', access: memberOfOrganization, needs: LIST },
  changeSettings: {
    method: 'POST',
    path: '/o/{slug}/settings',
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
    maxFormBytes: DETAILS_BYTES,
  },
  confirmOrganizationDeletion: {
    method: 'GET',
    path: '/o/{slug}/delete',
    access: deleterOfOrganization,
    needs: LIST,
  },
  deleteOrganization: {
    method: 'POST',
    path: '/o/{slug}/delete',
    access: deleterOfOrganization,
    needs: [...LIST, 'table:write'],
  },
  showMembers: { method: 'GET', path: '/o/{slug}/members', access: memberOfOrganization, needs: LIST },
  changeMembers: {
    method: 'POST',
    path: '/o/{slug}/members',
    access: adminOfOrganization,
    needs: [...LIST, 'table:write'],
  },
  confirmRemoval: {
    method: 'GET',
    path: '/o/{slug}/members/{memberId}/remove',
    access: adminOfOrganization,
    needs: READ,
  },
  removeMember: {
    method: 'POST',
    path: '/o/{slug}/members/{memberId}/remove',
    // `owner`: a person who has left, who sends the same form again.
    access: { ...adminOfOrganization, roles: ['admin', 'owner'] },
    needs: [...LIST, 'table:write'],
  },
  showUnits: { method: 'GET', path: '/o/{slug}/units', access: memberOfOrganization, needs: READ },
  createUnit: {
    method: 'POST',
    path: '/o/{slug}/units',
    creates: ['unit'],
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  showUnit: { method: 'GET', path: '/o/{slug}/units/{unitId}', access: memberOfOrganization, needs: READ },
  changeUnit: {
    method: 'POST',
    path: '/o/{slug}/units/{unitId}',
    access: adminOfOrganization,
    needs: WRITE,
    maxFormBytes: DETAILS_BYTES,
  },
  confirmUnitDeletion: {
    method: 'GET',
    path: '/o/{slug}/units/{unitId}/delete',
    access: adminOfOrganization,
    needs: READ,
  },
  deleteUnit: { method: 'POST', path: '/o/{slug}/units/{unitId}/delete', access: adminOfOrganization, needs: WRITE },
});
