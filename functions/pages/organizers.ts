/** The pages of people who run organizations, in one function. */
import { organizerPages } from '#core/api/organizer-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';
import { handler as changeMembers } from './change-members.ts';
import { handler as changeSettings } from './change-settings.ts';
import { handler as changeUnit } from './change-unit.ts';
import { handler as confirmOrganizationDeletion } from './confirm-organization-deletion.ts';
import { handler as confirmRemoval } from './confirm-removal.ts';
import { handler as confirmUnitDeletion } from './confirm-unit-deletion.ts';
import { handler as createOrganization } from './create-organization.ts';
import { handler as createUnit } from './create-unit.ts';
import { handler as deleteOrganization } from './delete-organization.ts';
import { handler as deleteUnit } from './delete-unit.ts';
import { handler as removeMember } from './remove-member.ts';
import { handler as showAccount } from './show-account.ts';
import { handler as showHome } from './show-home.ts';
import { handler as showMembers } from './show-members.ts';
import { handler as showNewOrganization } from './show-new-organization.ts';
import { handler as showOrganization } from './show-organization.ts';
import { handler as showSettings } from './show-settings.ts';
import { handler as showUnit } from './show-unit.ts';
import { handler as showUnits } from './show-units.ts';

export const handler = dispatch(organizerPages, {
  showHome,
  showAccount,
  showNewOrganization,
  createOrganization,
  showOrganization,
  showSettings,
  changeSettings,
  confirmOrganizationDeletion,
  deleteOrganization,
  showMembers,
  changeMembers,
  confirmRemoval,
  removeMember,
  showUnits,
  createUnit,
  showUnit,
  changeUnit,
  confirmUnitDeletion,
  deleteUnit,
});
