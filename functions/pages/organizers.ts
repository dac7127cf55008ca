/** The pages of people who run organizations, in one function. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch(organizerPages, {
  showHome: () => import('./show-home.ts'),
  showAccount: () => import('./show-account.ts'),
  endSessions: () => import('./end-sessions.ts'),
  showNewOrganization: () => import('./show-new-organization.ts'),
  createOrganization: () => import('./create-organization.ts'),
  showOrganization: () => import('./show-organization.ts'),
  showSettings: () => import('./show-settings.ts'),
  changeSettings: () => import('./change-settings.ts'),
  confirmOrganizationDeletion: () => import('./confirm-organization-deletion.ts'),
  deleteOrganization: () => import('./delete-organization.ts'),
  showMembers: () => import('./show-members.ts'),
  changeMembers: () => import('./change-members.ts'),
  confirmRemoval: () => import('./confirm-removal.ts'),
  removeMember: () => import('./remove-member.ts'),
  showUnits: () => import('./show-units.ts'),
  createUnit: () => import('./create-unit.ts'),
  showUnit: () => import('./show-unit.ts'),
  changeUnit: () => import('./change-unit.ts'),
  confirmUnitDeletion: () => import('./confirm-unit-deletion.ts'),
  deleteUnit: () => import('./delete-unit.ts'),
});
