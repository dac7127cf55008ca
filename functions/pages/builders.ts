/** The pages of people who build forms, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch({
  '/build/{formId}': () => import('#core/pages/builder/overview.page.ts'),
  '/build/{formId}/cover': () => import('#core/pages/builder/cover.page.ts'),
  '/build/{formId}/definition': () => import('#core/pages/builder/definition.page.ts'),
  '/build/{formId}/delete': () => import('#core/pages/builder/delete-form.page.ts'),
  '/build/{formId}/invitation-links': () => import('#core/pages/builder/invitation-links.page.ts'),
  '/build/{formId}/invitation-mails': () => import('#core/pages/builder/invitation-mails.page.ts'),
  '/build/{formId}/invitation-sheet': () => import('#core/pages/builder/invitation-sheet.page.ts'),
  '/build/{formId}/invitations': () => import('#core/pages/builder/invitations.page.ts'),
  '/build/{formId}/invitations/{guestId}': () => import('#core/pages/builder/invitation.page.ts'),
  '/build/{formId}/invitations/{guestId}/delete': () => import('#core/pages/builder/delete-invitation.page.ts'),
  '/build/{formId}/look': () => import('#core/pages/builder/look.page.ts'),
  '/build/{formId}/settings': () => import('#core/pages/builder/form-settings.page.ts'),
  '/build/{formId}/share': () => import('#core/pages/builder/share.page.ts'),
  '/o/{slug}/new': () => import('#core/pages/builder/new-form.page.ts'),
});
