/** The pages of people who run organizations, in one function: generated from the files of the pages by `npm run generate`. */
import { dispatch } from '#core/pages/shell/dispatch.ts';

// What all pages share is loaded while an instance starts; a page itself, at its first request.
await import('#core/pages/shell/page.ts');

export const handler = dispatch({
  '/': () => import('#core/pages/organizers/home.page.ts'),
  '/account': () => import('#core/pages/organizers/account.page.ts'),
  '/o/{slug}': () => import('#core/pages/organizers/organization.page.ts'),
  '/o/{slug}/delete': () => import('#core/pages/organizers/delete-organization.page.ts'),
  '/o/{slug}/members': () => import('#core/pages/organizers/members.page.ts'),
  '/o/{slug}/members/{memberId}/remove': () => import('#core/pages/organizers/remove-member.page.ts'),
  '/o/{slug}/settings': () => import('#core/pages/organizers/organization-settings.page.ts'),
  '/o/{slug}/units': () => import('#core/pages/organizers/units.page.ts'),
  '/o/{slug}/units/{unitId}': () => import('#core/pages/organizers/unit.page.ts'),
  '/o/{slug}/units/{unitId}/delete': () => import('#core/pages/organizers/delete-unit.page.ts'),
  '/orgs/new': () => import('#core/pages/organizers/new-organization.page.ts'),
});
