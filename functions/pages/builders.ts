/** The pages of people who build forms, in one function. */
import { builderPages } from '#core/api/builder-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';
import { handler as changeCover } from './change-cover.ts';
import { handler as changeFormSettings } from './change-form-settings.ts';
import { handler as changeLook } from './change-look.ts';
import { handler as changeStatus } from './change-status.ts';
import { handler as confirmFormDeletion } from './confirm-form-deletion.ts';
import { handler as createForm } from './create-form.ts';
import { handler as deleteForm } from './delete-form.ts';
import { handler as downloadDefinition } from './download-definition.ts';
import { handler as prefillLink } from './prefill-link.ts';
import { handler as showFormSettings } from './show-form-settings.ts';
import { handler as showLook } from './show-look.ts';
import { handler as showNewForm } from './show-new-form.ts';
import { handler as showOverview } from './show-overview.ts';
import { handler as showShare } from './show-share.ts';

export const handler = dispatch(builderPages, {
  showNewForm,
  createForm,
  showOverview,
  changeStatus,
  downloadDefinition,
  showFormSettings,
  changeFormSettings,
  showLook,
  changeLook,
  changeCover,
  showShare,
  prefillLink,
  confirmFormDeletion,
  deleteForm,
});
