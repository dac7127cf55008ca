/** The pages of people who build forms, in one function. */
import { builderPages } from '#core/api/builder-pages.ts';
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch(builderPages, {
  showNewForm: () => import('./show-new-form.ts'),
  createForm: () => import('./create-form.ts'),
  showOverview: () => import('./show-overview.ts'),
  changeStatus: () => import('./change-status.ts'),
  downloadDefinition: () => import('./download-definition.ts'),
  showFormSettings: () => import('./show-form-settings.ts'),
  changeFormSettings: () => import('./change-form-settings.ts'),
  showLook: () => import('./show-look.ts'),
  changeLook: () => import('./change-look.ts'),
  changeCover: () => import('./change-cover.ts'),
  showShare: () => import('./show-share.ts'),
  prefillLink: () => import('./prefill-link.ts'),
  confirmFormDeletion: () => import('./confirm-form-deletion.ts'),
  deleteForm: () => import('./delete-form.ts'),
});
